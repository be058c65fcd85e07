import { createServer } from 'node:http'
import { join } from 'node:path'
import { Octokit } from '@octokit/rest'
import { verify } from '@octokit/webhooks-methods'
import { expect, it } from 'vitest'
import { runProof } from '../../src/cli/run-proof.ts'
import { createSimulation } from '../../src/index.ts'
import { loadEntry } from '../../src/library/built-in-entries.ts'
import { readProof } from '../../src/library/proof-file.ts'
import { startForTest } from '../management/start-for-test.ts'

const FOLDER = join(import.meta.dirname, '../../library/github')

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { service } = await startForTest({ workerSinks: true, ...options })
  const { url: baseUrl, accountKey } = service
  const simulation = await createSimulation('github', { service: { baseUrl, accountKey } })
  const octokit = new Octokit({ auth: simulation.key, baseUrl: simulation.url })
  return { simulation, octokit }
}

it('does what its proof says, and every type of event arrives as one that the SDK verifies', async () => {
  const { simulation } = await open()
  await runProof(simulation, FOLDER, (await readProof(FOLDER)) ?? [])
  await simulation.webhooks.settled()

  const received = simulation.webhooks.all()
  for (const { rawBody, headers, type } of received) {
    const [body, signature] = [Buffer.from(rawBody).toString(), String(headers['x-hub-signature-256'])]
    expect(await verify(simulation.webhooks.secret, body, signature), type).toBe(true)
    expect(await verify(simulation.webhooks.secret, `${body} `, signature)).toBe(false)
    const [event, action] = type.split('.')
    expect(headers['x-github-event']).toBe(event)
    if (action !== undefined) expect(JSON.parse(body)).toMatchObject({ action })
  }
  const { webhooks } = (await loadEntry('github')) ?? {}
  const types = webhooks?.events?.flatMap(({ type }) => type ?? []) ?? []
  expect(new Set(received.map(({ type }) => type))).toEqual(new Set(types))
})
