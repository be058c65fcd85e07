import { join } from 'node:path'
import { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
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

  expect(await call('GET', `${post}?${form}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', `${post}?${form}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, form, 'application/x-www-form-urlencoded')).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, `{"channel":"C00GENERAL","blocks":${blocks}}`)).toEqual([{ type: 'divider' }])
  expect(await call('POST', post, JSON.stringify({ channel: 'C00GENERAL', blocks }))).toEqual([{ type: 'divider' }])
  const body = new URLSearchParams({ token: `xoxp-${simulation.key}`, user: 'U00000GRACE' })
  const read = await fetch(`${simulation.url}/api/users.info`, { method: 'POST', body })
  expect(await read.json()).toMatchObject({ ok: true, user: { name: 'grace' } })
})
