import { createServer } from 'node:http'
import { Resend } from 'resend'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

const MAIL = { from: 'Acme <onboarding@resend.dev>', to: 'ada@example.org', subject: 'Hello', text: 'Hi' }

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('resend')
  const resend = new Resend(`re_${simulation.key}`, { baseUrl: simulation.url })
  const verify = (payload: string, headers: Readonly<Record<string, unknown>>, secret = simulation.webhooks.secret) => {
    const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) => headers[name])
    const shown = { id: String(id), timestamp: String(timestamp), signature: String(signature) }
    return resend.webhooks.verify({ payload, headers: shown, webhookSecret: secret })
  }
  return { simulation, resend, verify }
}

it('shows what was sent as a page, with the links of an email', async () => {
  const { simulation, resend } = await open()
  const html =
    '<p>Hi &amp; welcome</p><a class="act" href="https://shop.test/confirm?a=1&amp;b=2"><b>Confirm</b> now</a>'
  const { data } = await resend.emails.send({ ...MAIL, subject: 'Confirm <you>', html })
  const read = async (path: string) => (await fetch(simulation.url + path)).text()

  const inbox = await read('/inbox')
  const email = await read(`/inbox/${data?.id}`)

  expect(inbox).toContain(`<a href="${simulation.url}/inbox/${data?.id}">Confirm &lt;you&gt;</a>`)
  expect(email).toContain('<p>Hi &amp; welcome Confirm now</p>')
  expect(email).toContain('<a href="https://shop.test/confirm?a=1&amp;b=2">Confirm now</a>')
})

it('delivers to the webhooks that the SDK registers, signed with their secret', async () => {
  const { resend, verify } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const received = Promise.withResolvers<[body: string, headers: Readonly<Record<string, unknown>>]>()
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    response.end()
    received.resolve([Buffer.concat(chunks).toString(), request.headers])
  })
  await using listening = await onLoopback(server)
  const endpoint = `${listening.url}/hook`

  const hook = await resend.webhooks.create({ endpoint, events: ['contact.created'] })
  await resend.emails.send(MAIL)
  await resend.contacts.create({ email: 'ada@example.org', firstName: 'Ada' })
  const event = verify(...(await received.promise), hook.data?.signing_secret)

  expect(event).toMatchObject({ type: 'contact.created', data: { email: 'ada@example.org', first_name: 'Ada' } })
})

it('lists all contacts without a limit, but only twenty emails', async () => {
  const { simulation, resend } = await open()
  for (let at = 0; at < 21; at++) await simulation.create('contacts', { email: `reader-${at}@example.org` })
  await resend.batch.send(Array.from({ length: 21 }, () => MAIL))

  const contacts = await resend.contacts.list()
  const emails = await resend.emails.list()

  expect(contacts.data).toMatchObject({ has_more: false, data: { length: 21 } })
  expect(emails.data).toMatchObject({ has_more: true, data: { length: 20 } })
})

it('lets a key that is for sending alone send, and nothing else', async () => {
  const { simulation, resend } = await open()
  const made = await resend.apiKeys.create({ name: 'Mailer', permission: 'sending_access' })
  const mailer = new Resend(made.data?.token, { baseUrl: simulation.url })

  expect(await mailer.emails.send(MAIL)).toMatchObject({ error: null })
  expect(await mailer.batch.send([MAIL])).toMatchObject({ error: null })
  expect(await mailer.domains.list()).toMatchObject({ error: { name: 'restricted_api_key', statusCode: 401 } })
  await resend.apiKeys.remove(String(made.data?.id))
  expect(await mailer.emails.send(MAIL)).toMatchObject({ error: { name: 'validation_error', statusCode: 401 } })
})

it('lets a key of one domain send from that domain alone', async () => {
  const { simulation, resend } = await open()
  const domain = await resend.domains.create({ name: 'mail.acme.example' })
  await resend.domains.verify(String(domain.data?.id))
  await simulation.fastForward({ minutes: 15 })
  const options = { permission: 'sending_access', domain_id: String(domain.data?.id) } as const
  const made = await resend.apiKeys.create({ name: 'Mailer', ...options })
  const mailer = new Resend(made.data?.token, { baseUrl: simulation.url })

  expect(await mailer.emails.send({ ...MAIL, from: 'a@mail.acme.example' })).toMatchObject({ error: null })
  expect(await mailer.emails.send(MAIL)).toMatchObject({ error: { name: 'validation_error', statusCode: 403 } })
})

it('tells a request without a key, a path that is none, and too many requests as the provider does', async () => {
  const { simulation, resend } = await open()

  const bare = await fetch(`${simulation.url}/emails`)
  const nowhere = await simulation.fetch('/nowhere')
  await simulation.rateLimit(1, 60)
  const answers = [await resend.usage.get(), await resend.usage.get()]

  expect([bare.status, await bare.json()]).toMatchObject([401, { name: 'missing_api_key', statusCode: 401 }])
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { name: 'not_found', statusCode: 404 }])
  expect(answers).toMatchObject([{ error: null }, { error: { name: 'rate_limit_exceeded', statusCode: 429 } }])
})

it('gives files of emails as they are, at the address that it tells', async () => {
  const { resend } = await open()
  const attachments = [{ filename: 'a.txt', content: Buffer.from('hello'), contentType: 'text/plain' }]
  const sent = await resend.emails.send({ ...MAIL, attachments })
  const listed = await resend.emails.attachments.list({ emailId: String(sent.data?.id) })

  const file = await fetch(String(listed.data?.data[0]?.download_url))

  expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/plain', 'hello'])
})

it('sends chained templates, and distinguishes what they publish', async () => {
  const { resend } = await open()
  const variables = [{ key: 'NAME', type: 'string' as const, fallbackValue: 'you' }]
  const made = await resend.templates
    .create({ name: 'Hi', subject: 'Hi {{{NAME}}}', from: MAIL.from, html: '<b>{{{NAME}}}</b>', variables })
    .publish()
  const template = { id: String(made.data?.id), variables: { NAME: 'Ada' } }

  const sent = await resend.emails.send({ to: MAIL.to, template })

  const read = await resend.emails.get(String(sent.data?.id))
  expect(read.data).toMatchObject({ subject: 'Hi Ada', html: '<b>Ada</b>' })
})

it('takes a time of sending in words', async () => {
  const { resend } = await open()
  const dueMs = async (scheduledAt: string) => {
    const sent = await resend.emails.send({ ...MAIL, scheduledAt })
    const { data } = await resend.emails.get(sent.data?.id ?? '')
    return Date.parse(data?.scheduled_at ?? '') - Date.parse(data?.created_at ?? '')
  }

  const due = await Promise.all(['in 5 minutes', 'In 1 min', 'in an hour', 'in 2 days'].map(dueMs))

  expect(due).toEqual([300_000, 60_000, 3_600_000, 172_800_000])
})
