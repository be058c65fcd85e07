import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { App } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import { readFolder } from '../../src/library/own-entries.ts'
import { readProof } from '../../src/library/proof-file.ts'
import { startForTest } from '../management/start-for-test.ts'

const FOLDER = join(import.meta.dirname, '../../library/slack')

async function open() {
  const { simulate } = await startForTest({ workerSinks: true, allowPrivateWebhooks: ['127.0.0.1'] })
  const simulation = await simulate('slack')
  const clientOf = (token: string) => new WebClient(token, { slackApiUrl: `${simulation.url}/api/` })
  return { simulation, bot: clientOf(`xoxb-${simulation.key}`), ada: clientOf(`xoxp-${simulation.key}`) }
}

it('has a proof for each of its methods', async () => {
  const { openapi } = await readFolder(FOLDER)
  const steps = (await readProof(FOLDER)) ?? []
  const called = new Set(steps.flatMap((step) => ('call' in step ? step.call.replace(/^(user|nobody)\./, '') : [])))

  const methods = Object.keys(openapi.paths as object).map((path) => path.slice(1))

  const byHelpers = [
    'chat.scheduleMessage',
    'upload/v1/{file}',
    'files-pri/{file}/{name}',
    'files-pri/{file}/download/{name}',
    'services/{team}/{bot}/{token}',
    'responses/{trigger_id}',
    'test_helpers/commands',
    'submissions/{trigger_id}',
    'test_helpers/events',
    'test_helpers/interactions',
  ]
  expect(methods.filter((method) => !called.has(method) && !byHelpers.includes(method))).toEqual([])
})

it('takes arguments in the query, in a form and in JSON, and the token as a field', async () => {
  const { simulation } = await open()
  const call = async (method: string, path: string, body?: BodyInit, type = 'application/json') => {
    const headers = { authorization: `Bearer ${simulation.key}`, ...(body !== undefined && { 'content-type': type }) }
    const answer = await fetch(`${simulation.url}/api/${path}`, { method, headers, body: body ?? null })
    return (await answer.json()).message?.blocks
  }
  const blocks = JSON.stringify([{ type: 'divider' }])
  const form = new URLSearchParams({ channel: '#general', text: 'x', blocks })
  const post = 'chat.postMessage'

  expect(await call('GET', `${post}?${form}`)).toMatchObject([{ type: 'divider' }])
  expect(await call('POST', `${post}?${form}`)).toMatchObject([{ type: 'divider' }])
  expect(await call('POST', post, form, 'application/x-www-form-urlencoded')).toMatchObject([{ type: 'divider' }])
  expect(await call('POST', post, `{"channel":"C00GENERAL","blocks":${blocks}}`)).toMatchObject([{ type: 'divider' }])
  expect(await call('POST', post, JSON.stringify({ channel: 'C00GENERAL', blocks }))).toMatchObject([
    { type: 'divider' },
  ])
  const body = new URLSearchParams({ token: `xoxp-${simulation.key}`, user: 'U00000GRACE' })
  const read = await fetch(`${simulation.url}/api/users.info`, { method: 'POST', body })
  expect(await read.json()).toMatchObject({ ok: true, user: { name: 'grace' } })
})

it('sends commands, presses and submissions to an app of Bolt, and does what it answers', async () => {
  const { simulation, bot } = await open()
  const act = (path: string, body: object) =>
    simulation.fetch(`/api/test_helpers/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const texts = async () => (await bot.conversations.history({ channel: 'C00GENERAL' })).messages ?? []
  const clientOptions = { slackApiUrl: `${simulation.url}/api/` }
  const app = new App({ token: `xoxb-${simulation.key}`, signingSecret: simulation.webhooks.secret, clientOptions })
  const submitted: unknown[] = []
  app.command('/deploy', ({ command, ack }) => ack({ response_type: 'in_channel', text: `Deploying ${command.text}` }))
  app.command('/quiet', async ({ ack, respond }) => {
    await ack()
    await respond({ response_type: 'in_channel', text: 'Not so quiet' })
  })
  app.action('undo', async ({ ack, respond, body, client }) => {
    await ack()
    await respond({ replace_original: true, text: 'Undone' })
    if ('trigger_id' in body)
      await client.views.open({
        trigger_id: body.trigger_id,
        view: { type: 'modal', callback_id: 'why', title: { type: 'plain_text', text: 'Why' }, blocks: [] },
      })
  })
  app.view('why', async ({ ack, view }) => {
    submitted.push(view.state.values)
    if (submitted.length > 1) await ack()
    else await ack({ response_action: 'errors', errors: { b: 'Too short' } })
  })
  const { port } = (await app.start(0)).address() as AddressInfo
  await using _forwarding = simulation.webhooks.forwardTo(`http://127.0.0.1:${port}/slack/events`)

  await act('commands', { command: '/deploy', text: 'prod' })
  await simulation.webhooks.settled()
  const [deploying] = await texts()
  await act('commands', { command: '/quiet' })
  await simulation.webhooks.settled()
  const [loud] = await texts()
  const { channel, ts = '' } = await bot.chat.postMessage({
    channel: 'C00GENERAL',
    text: 'Sh',
    thread_ts: loud?.ts ?? '',
  })
  const linked = await bot.chat.getPermalink({ channel: String(channel), message_ts: ts })
  await act('interactions', { message_ts: loud?.ts, actions: [{ type: 'button', action_id: 'undo', block_id: 'b' }] })
  await simulation.webhooks.settled()
  await simulation.expectWebhook('message', {
    data: { object: { subtype: 'message_changed', message: { text: 'Undone' } } },
  })
  const [view] = await simulation.records('views')
  const submit = { type: 'view_submission', view_id: view?.id, state: { b: { a: { value: 'a typo' } } } }
  await act('interactions', submit)
  await simulation.webhooks.settled()
  const views = await simulation.records('views')
  await act('interactions', submit)
  await simulation.webhooks.settled()

  expect(deploying).toMatchObject({ text: 'Deploying prod', user: 'U00BACKLOT' })
  expect(loud).toMatchObject({ text: 'Not so quiet' })
  expect(linked.permalink).toMatch(`/p${ts.replace('.', '')}?thread_ts=${loud?.ts}&cid=C00GENERAL`)
  expect((await texts())[0]).toMatchObject({ text: 'Undone', ts: loud?.ts })
  expect(submitted).toEqual([{ b: { a: { value: 'a typo' } } }, { b: { a: { value: 'a typo' } } }])
  expect([views.length, (await simulation.records('views')).length]).toEqual([1, 0])
  await app.stop()
})

it('shows a pressed button with its style', async () => {
  const { simulation, bot } = await open()
  const text = { type: 'plain_text', text: 'Stop' } as const
  const button = { type: 'button', action_id: 'stop', style: 'danger', text } as const
  const { ts } = await bot.chat.postMessage({
    ...{ channel: 'C00GENERAL', text: 'Running' },
    blocks: [{ type: 'actions', block_id: 'b', elements: [button] }],
  })

  const body = JSON.stringify({ message_ts: ts, channel_id: 'C00GENERAL', actions: [{ action_id: 'stop' }] })
  await simulation.fetch('/api/test_helpers/interactions', { method: 'POST', body })

  const { rawBody } = await simulation.expectWebhook('block_actions')
  const payload = new URLSearchParams(Buffer.from(rawBody).toString()).get('payload')
  expect(JSON.parse(String(payload)).actions).toMatchObject([{ block_id: 'b', type: 'button', style: 'danger' }])
})

it('gives the scopes that the page of consent was asked for, once for a code', async () => {
  const { simulation } = await open()
  await using _ = await simulation.auth.automatically('grace@backlot.example')
  const redirect_uri = 'http://127.0.0.1/installed'
  const asked = new URLSearchParams({ client_id: '1.2', scope: 'chat:write,commands', redirect_uri })
  const page = await fetch(`${simulation.url}/oauth/v2/authorize?${asked}`, { redirect: 'manual' })
  const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { oauth } = new WebClient(undefined, { slackApiUrl: `${simulation.url}/api/` })
  const client = { client_id: '1.2', client_secret: simulation.key }

  const installed = await oauth.v2.access({ ...client, code })

  expect(installed).toMatchObject({ scope: 'chat:write,commands', authed_user: { id: 'U00000GRACE' } })
  await expect(oauth.v2.access({ ...client, code })).rejects.toThrow('code_already_used')
})

it('shows what it published in the event of an opened home', async () => {
  const { simulation, bot } = await open()
  const published = await bot.views.publish({ user_id: 'U000000ADA', view: { type: 'home', blocks: [] } })
  const body = JSON.stringify({ type: 'app_home_opened', user_id: 'U000000ADA' })

  await simulation.fetch('/api/test_helpers/events', { method: 'POST', body })

  const view = { id: published.view?.id, root_view_id: published.view?.id, state: { values: {} } }
  await simulation.expectWebhook('app_home_opened', { data: { object: { tab: 'home', view } } })
})

it('shows how large an uploaded picture is, and where its small ones are', async () => {
  const { bot } = await open()
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000a00000014', 'hex') // 10 by 20

  await bot.files.uploadV2({ channel_id: 'C00GENERAL', filename: 'dot.png', file: header })

  const { files } = await bot.files.list({ types: 'images' })
  expect(files).toMatchObject([{ original_w: 10, original_h: 20, thumb_64: expect.stringContaining('/files-pri/') }])
})
