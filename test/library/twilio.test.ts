import { createServer } from 'node:http'
import twilio from 'twilio'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'
import { startAnswering } from '../support/answering.ts'
import { onLoopback } from '../support/on-loopback.ts'

const TO = '+15558675310'
const FROM = '+15017122661'

/** Twilio's HTTP client, with the simulation in the place of its hosts. */
function clientOf(url: string) {
  const httpClient = new twilio.RequestClient()
  const send = httpClient.request.bind(httpClient)
  httpClient.request = (options) =>
    send({ ...options, uri: options.uri.replace(/^https:\/\/(\w+)[\w.-]*\.twilio\.com/, `${url}/$1`) })
  return httpClient
}

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('twilio')
  const httpClient = clientOf(simulation.url)
  return { simulation, httpClient, client: twilio(`AC${'0'.repeat(32)}`, simulation.key, { httpClient }) }
}

/** A server that collects the forms it is sent, with their signatures. */
async function listen() {
  const received: { form: Record<string, string>; signature: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end()
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    received.push({ form, signature: String(request.headers['x-twilio-signature']) })
  })
  const listening = await onLoopback(server)
  return { ...listening, url: `${listening.url}/status`, received }
}

it('calls back the address of one message, signed with the token that the SDK sends', async () => {
  await using hook = await listen()
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await client.messages.create({ to: TO, from: FROM, body: 'Not this one' })
  const { sid } = await client.messages.create({ to: TO, from: FROM, body: 'This one', statusCallback: hook.url })

  await simulation.fastForward({ minutes: 15 })
  const shown = await (await fetch(`${simulation.url}/messages`)).text()
  await simulation.webhooks.settled()

  expect(shown).toContain(`This one<small>From ${FROM} to ${TO}</small></span> <b>delivered`)
  expect(hook.received.map(({ form }) => [form.MessageSid, form.MessageStatus])).toEqual([
    [sid, 'sent'],
    [sid, 'delivered'],
  ])
  for (const { form } of hook.received) expect(form).not.toHaveProperty('ErrorCode')
  for (const { form, signature } of hook.received)
    expect(twilio.validateRequest(simulation.key, signature, hook.url, form)).toBe(true)
})

it('sends the requested callbacks of a call', async () => {
  await using hook = await listen()
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const call = { to: TO, from: FROM, twiml: '<Response/>', statusCallback: hook.url }
  const all = await client.calls.create({
    ...call,
    statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
  })
  const last = await client.calls.create(call)

  await simulation.fastForward({ minutes: 15 })
  await simulation.webhooks.settled()

  const statusesOf = (sid: string) =>
    hook.received.flatMap(({ form }) => (form.CallSid === sid ? [form.CallStatus] : []))
  expect(statusesOf(all.sid)).toEqual(['initiated', 'ringing', 'in-progress', 'completed'])
  expect(statusesOf(last.sid)).toEqual(['completed'])
})

it('takes callbacks that no delivery may reach, and API keys', async () => {
  const { simulation, httpClient } = await open()
  const accountSid = `AC${'a'.repeat(32)}`
  const client = twilio(`SK${'b'.repeat(32)}`, simulation.key, { accountSid, httpClient })

  const made = await client.messages.create({ to: TO, from: FROM, body: 'x', statusCallback: 'http://localhost:1/cb' })

  expect(made).toMatchObject({ accountSid, status: 'queued' })
  expect(await client.messages.list()).toHaveLength(1)
  await expect(twilio(accountSid, 'wrong', { httpClient }).messages.list()).rejects.toMatchObject({
    status: 401,
    code: 20003,
  })
})

it('leads from page to page, forth and back', async () => {
  const { client } = await open()
  for (const body of ['1', '2', '3']) await client.messages.create({ to: TO, from: FROM, body })
  for (const friendlyName of ['1', '2', '3']) await client.verify.v2.services.create({ friendlyName })

  const messages = await client.messages.page({ pageSize: 2 })
  const services = await client.verify.v2.services.page({ pageSize: 2 })
  const [second, back] = [await messages.nextPage(), await (await messages.nextPage())?.previousPage()]

  expect(messages.instances.map(({ body }) => body)).toEqual(['3', '2'])
  expect(second?.instances.map(({ body }) => body)).toEqual(['1'])
  expect(second?.nextPageUrl).toBeUndefined()
  expect(back?.instances.map(({ body }) => body)).toEqual(['3', '2'])
  expect((await services.nextPage())?.instances.map(({ friendlyName }) => friendlyName)).toEqual(['1'])
})

/** An application that answers by path with TwiML, and what it was sent. */
async function openApp(answers: Readonly<Record<string, string>>) {
  const seen: { method: string; path: string; form: Record<string, string>; signature: string; url: string }[] = []
  const app = await startAnswering(({ method, path: target, body, headers }, _at, response) => {
    const [path = '', query = ''] = target.split('?')
    const form = Object.fromEntries(new URLSearchParams(method === 'GET' ? query : body))
    seen.push({ method, path, form, signature: String(headers['x-twilio-signature']), url: app.url + target })
    response.writeHead(path in answers ? 200 : 404, { 'content-type': 'text/xml' }).end(answers[path] ?? '')
  })
  return { ...app, seen }
}

it('asks the application of a call what to do, and takes what a person presses', async () => {
  const { VoiceResponse } = twilio.twiml
  const [menu, connect, bye] = [new VoiceResponse(), new VoiceResponse(), new VoiceResponse()]
  menu.gather({ action: 'chosen', numDigits: 1 }).say('Press one')
  connect.dial({ action: '/after' }, '+15558675311')
  bye.say('Goodbye')
  bye.hangup()
  const answers = { '/voice': menu.toString(), '/chosen': connect.toString(), '/after': bye.toString() }
  await using app = await openApp(answers)
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const act = async (path: string, body: object) => {
    await simulation.fetch(`/test_helpers/calls/${path}`, { method: 'POST', body: JSON.stringify(body) })
    await simulation.webhooks.settled()
  }

  const { sid } = await client.calls.create({ to: TO, from: FROM, url: `${app.url}/voice` })
  await act(`${sid}/answer`, {})
  await act(`${sid}/gather`, { Digits: '1' })
  const [leg] = await client.calls.list({ parentCallSid: sid })

  expect(app.seen).toMatchObject([
    { path: '/voice', form: { CallSid: sid, CallStatus: 'in-progress', To: TO } },
    { path: '/chosen', form: { CallSid: sid, Digits: '1' } },
    { path: '/after', form: { CallSid: sid, DialCallStatus: 'completed', DialCallSid: leg?.sid } },
  ])
  expect(leg).toMatchObject({ to: '+15558675311', direction: 'outbound-dial' })
  expect(await client.calls(sid).fetch()).toMatchObject({ status: 'completed' })
})

it('does what the application answers while fast-forwards run', async () => {
  await using app = await openApp({ '/sms': '<Response><Message>Yes</Message></Response>' })
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const { phoneNumber } = await client.incomingPhoneNumbers.create({
    phoneNumber: '+15005550006',
    smsUrl: `${app.url}/sms`,
  })
  for (let asked = 0; asked < 10; asked++) await client.messages.create({ to: phoneNumber, from: FROM, body: 'Open?' })

  for (let turns = 0; turns < 40; turns++) await simulation.fastForward({ seconds: 1 })
  await simulation.webhooks.settled()

  expect(await client.messages.list({ from: phoneNumber, to: FROM })).toHaveLength(10)
})

it('sends what the application answers to a message', async () => {
  const reply = new twilio.twiml.MessagingResponse()
  reply.message('Thanks & bye')
  await using app = await openApp({ '/sms': reply.toString() })
  await using simulation = await createSimulation('twilio')
  const client = twilio(`AC${'0'.repeat(32)}`, simulation.key, { httpClient: clientOf(simulation.url) })
  const own = await client.incomingPhoneNumbers.create({ phoneNumber: '+15005550006', smsUrl: `${app.url}/sms` })

  await client.messages.create({ to: own.phoneNumber, from: FROM, body: 'Hello' })
  await simulation.webhooks.settled()
  await simulation.fastForward({ minutes: 15 })
  const [answered] = await client.messages.list({ from: own.phoneNumber })

  expect(app.seen).toMatchObject([{ path: '/sms', form: { Body: 'Hello', From: FROM } }])
  expect(answered).toMatchObject({ to: FROM, body: 'Thanks & bye', direction: 'outbound-reply', status: 'delivered' })
})

it('gives a waiting call its place in the queue', async () => {
  await using app = await openApp({ '/in': '<Response><Enqueue waitUrl="/wait">support</Enqueue></Response>' })
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const { sid } = await client.queues.create({ friendlyName: 'support' })

  await client.calls.create({ to: TO, from: FROM, url: `${app.url}/in` })
  await simulation.fastForward({ seconds: 5 })
  await simulation.webhooks.settled()

  const form = { QueueSid: sid, QueuePosition: '1', CurrentQueueSize: '1' }
  expect(app.seen).toMatchObject([{ path: '/in' }, { path: '/wait', form }])
})

it('follows paths in the answer to a call that began with its own TwiML', async () => {
  await using app = await openApp({ '/ivr/menu': '<Response><Dial action="after">+15005550030</Dial></Response>' })
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })

  const document = `<Response><Redirect>${app.url}/ivr/menu</Redirect></Response>`
  const { sid } = await client.calls.create({ to: TO, from: FROM, twiml: document })
  await simulation.fetch(`/test_helpers/calls/${sid}/answer`, { method: 'POST' })
  await simulation.webhooks.settled()

  expect(app.seen).toMatchObject([{ path: '/ivr/menu' }, { path: '/ivr/after', form: { DialCallStatus: 'busy' } }])
})

it('offers a task to the next worker where the assignment callback rejects', async () => {
  await using app = await openApp({ '/assign': '{"instruction":"reject"}' })
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const { sid } = await client.taskrouter.v1.workspaces.create({ friendlyName: 'Support' })
  const office = client.taskrouter.v1.workspaces(sid)
  const [free] = await office.activities.list({ friendlyName: 'Available' })
  const activitySid = String(free?.sid)
  for (const friendlyName of ['Ada', 'Bob']) await office.workers.create({ friendlyName, activitySid })
  const { sid: queue } = await office.taskQueues.create({ friendlyName: 'All' })
  const configuration = JSON.stringify({ task_routing: { default_filter: { queue } } })
  await office.workflows.create({
    ...{ friendlyName: 'Flow', configuration, assignmentCallbackUrl: `${app.url}/assign` },
  })

  const task = await office.tasks.create({ attributes: '{}' })
  await simulation.webhooks.settled()
  const rejected = await office.tasks(task.sid).reservations.list()

  expect(app.seen).toMatchObject([{ form: { WorkerName: 'Ada', TaskSid: task.sid } }, { form: { WorkerName: 'Bob' } }])
  expect(rejected.map((one) => [one.workerName, one.reservationStatus])).toEqual([
    ['Bob', 'rejected'],
    ['Ada', 'rejected'],
  ])
})

it('calls back by GET where a method says so, with the signature over the address', async () => {
  await using app = await openApp({
    '/voice': '<Response><Dial action="after" method="GET">+15005550030</Dial></Response>',
  })
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })

  const url = `${app.url}/voice`
  const callback = { statusCallback: `${app.url}/status?of=1`, statusCallbackMethod: 'GET' }
  const { sid } = await client.calls.create({ to: TO, from: FROM, url, method: 'GET', ...callback })
  await simulation.fetch(`/test_helpers/calls/${sid}/answer`, { method: 'POST' })
  await simulation.webhooks.settled()
  await simulation.fastForward({ minutes: 15 })
  await simulation.webhooks.settled()

  expect(app.seen).toMatchObject([
    { method: 'GET', path: '/voice', form: { To: TO } },
    { method: 'GET', path: '/after', form: { DialCallStatus: 'busy' } },
    { method: 'GET', path: '/status', form: { of: '1', CallStatus: 'completed' } },
  ])
  const isSigned = ({ signature, url: asked }: (typeof app.seen)[number]) =>
    twilio.validateRequest(simulation.key, signature, asked, {})
  expect(app.seen.map(isSigned)).toEqual([true, true, true])

  await simulation.webhooks.fault({ kind: 'alteredPayload' })
  await client.calls.create({ to: TO, from: FROM, url, method: 'GET' })
  await simulation.fastForward({ minutes: 15 })
  await simulation.webhooks.settled()

  expect(app.seen.slice(3).map(isSigned)).toEqual([false, false])
})

it('asks the fallback address where the first one fails', async () => {
  const answers = {
    '/sms': '<Response><Message>Later</Message></Response>',
    '/voice': '<Response><Hangup/></Response>',
  }
  await using app = await openApp(answers)
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const addresses = { smsUrl: `${app.url}/none`, smsFallbackUrl: `${app.url}/sms` }
  const { phoneNumber } = await client.incomingPhoneNumbers.create({ phoneNumber: '+15005550006', ...addresses })

  await client.messages.create({ to: phoneNumber, from: FROM, body: 'Open?' })
  await client.calls.create({ to: TO, from: FROM, url: `${app.url}/gone`, fallbackUrl: `${app.url}/voice` })
  await simulation.fastForward({ minutes: 15 })
  await simulation.webhooks.settled()

  expect(app.seen).toMatchObject([
    { path: '/none', form: { Body: 'Open?' } },
    { path: '/sms', form: { ErrorCode: '11200', ErrorUrl: addresses.smsUrl, Body: 'Open?' } },
    { path: '/gone' },
    { path: '/voice', form: { ErrorCode: '11200', ErrorUrl: `${app.url}/gone`, To: TO } },
  ])
  expect(await client.messages.list({ from: phoneNumber })).toMatchObject([{ body: 'Later' }])
})
