import { join } from 'node:path'
import { verifySlackRequest } from '@slack/bolt/dist/receivers/verify-request.js'
import { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import { runProof } from '../../src/cli/run-proof.ts'
import { createSimulation } from '../../src/index.ts'
import { readFolder } from '../../src/library/own-entries.ts'
import { readProof } from '../../src/library/proof-file.ts'
import { startForTest } from '../management/start-for-test.ts'

const FOLDER = join(import.meta.dirname, '../../library/slack')

async function open() {
  const { service } = await startForTest({ workerSinks: true, allowPrivateWebhooks: ['127.0.0.1'] })
  const { url: baseUrl, accountKey } = service
  const simulation = await createSimulation('slack', { service: { baseUrl, accountKey } })
  const clientOf = (token: string) => new WebClient(token, { slackApiUrl: `${simulation.url}/api/` })
  return { simulation, bot: clientOf(`xoxb-${simulation.key}`), ada: clientOf(`xoxp-${simulation.key}`) }
}

const verify = (body: string, headers: Readonly<Record<string, string>>, signingSecret: string, nowMs = Date.now()) =>
  verifySlackRequest({
    signingSecret,
    body,
    headers: {
      'x-slack-signature': String(headers['x-slack-signature']),
      'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']),
    },
    nowMilliseconds: nowMs,
  })

it('does what its proof says, and every event is one that Bolt verifies, and refuses altered or stale', async () => {
  const { simulation } = await open()
  await runProof(simulation, FOLDER, (await readProof(FOLDER)) ?? [])
  await simulation.webhooks.settled()

  const received = simulation.webhooks.all()
  const { secret } = simulation.webhooks
  for (const { rawBody, headers, type } of received) {
    const body = Buffer.from(rawBody).toString()
    verify(body, headers, secret)
    expect(JSON.parse(body)).toMatchObject({ type: 'event_callback', team_id: 'T00BACKLOT', event: { type } })
    expect(() => verify(`${body} `, headers, secret)).toThrow(/signature/i)
    expect(() => verify(body, headers, secret, Date.now() + 600_000)).toThrow(/stale|timestamp/i)
  }
  const { webhooks } = await readFolder(FOLDER)
  const named = (webhooks?.events ?? []).flatMap(({ type }) => type ?? [])
  expect(named.filter((type) => !received.some((one) => one.type === type))).toEqual([])
})

it('has a proof for each of its methods', async () => {
  const { openapi } = await readFolder(FOLDER)
  const steps = (await readProof(FOLDER)) ?? []
  const called = new Set(steps.flatMap((step) => ('call' in step ? step.call.replace(/^(user|nobody)\./, '') : [])))

  const methods = Object.keys(openapi.paths as object).map((path) => path.slice(1))

  const byHelpers = ['chat.scheduleMessage', 'upload/v1/{file}']
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

  expect(await call('GET', `${post}?${form}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', `${post}?${form}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, form, 'application/x-www-form-urlencoded')).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, `{"channel":"C00GENERAL","blocks":${blocks}}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, JSON.stringify({ channel: 'C00GENERAL', blocks }))).toEqual([{ type: 'divider' }])
  const body = new URLSearchParams({ token: `xoxp-${simulation.key}`, user: 'U00000GRACE' })
  const read = await fetch(`${simulation.url}/api/users.info`, { method: 'POST', body })
  expect(await read.json()).toMatchObject({ ok: true, user: { name: 'grace' } })
})
