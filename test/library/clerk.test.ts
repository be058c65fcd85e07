import { join } from 'node:path'
import { createClerkClient } from '@clerk/backend'
import { verifyWebhook } from '@clerk/backend/webhooks'
import { expect, it, vi } from 'vitest'
import { runProof } from '../../src/cli/run-proof.ts'
import { createSimulation } from '../../src/index.ts'
import { loadEntry } from '../../src/library/built-in-entries.ts'
import { readProof } from '../../src/library/proof-file.ts'
import { startForTest } from '../management/start-for-test.ts'

const FOLDER = join(import.meta.dirname, '../../library/clerk')
const PASSWORD = 'correct horse battery'

async function open() {
  const { service } = await startForTest({ workerSinks: true })
  const { url: baseUrl, accountKey } = service
  const simulation = await createSimulation('clerk', { service: { baseUrl, accountKey } })
  const clerk = createClerkClient({ secretKey: `sk_test_${simulation.key}`, apiUrl: simulation.url })
  return { simulation, clerk }
}

it('does what its proof says, and every type of event arrives as one that the SDK verifies', async () => {
  const { simulation } = await open()
  await runProof(simulation, FOLDER, (await readProof(FOLDER)) ?? [])
  await simulation.webhooks.settled()

  const received = simulation.webhooks.all()
  const signingSecret = simulation.webhooks.secret
  for (const { rawBody, headers, type } of received) {
    const shown = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
    const told = (body: string) => new Request('https://app.example', { method: 'POST', headers: shown, body })
    const body = Buffer.from(rawBody).toString()
    expect(await verifyWebhook(told(body), { signingSecret })).toMatchObject({ type, data: expect.any(Object) })
    await expect(verifyWebhook(told(`${body} `), { signingSecret })).rejects.toThrow()
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000)
    await expect(verifyWebhook(told(body), { signingSecret })).rejects.toThrow()
    now.mockRestore()
  }
  const { webhooks } = (await loadEntry('clerk')) ?? {}
  const types = webhooks?.events?.flatMap(({ type }) => type ?? []) ?? []
  expect(new Set(received.map(({ type }) => type))).toEqual(new Set(types))
}, 60_000)

it('tells errors as the SDK reads them', async () => {
  const { simulation, clerk } = await open()
  const stranger = createClerkClient({ secretKey: 'sk_test_wrong', apiUrl: simulation.url })

  await expect(stranger.users.getUserList()).rejects.toMatchObject({
    status: 401,
    errors: [{ code: 'clerk_key_invalid' }],
  })
  await expect(clerk.users.createUser({ emailAddress: ['nope'], password: PASSWORD })).rejects.toMatchObject({
    status: 422,
    clerkTraceId: expect.any(String),
    errors: [{ code: 'form_param_format_invalid', meta: { paramName: 'email_address' } }],
  })
})

it('ends the sessions of a user who is banned', async () => {
  const { clerk } = await open()
  const user = await clerk.users.createUser({ emailAddress: ['ada@example.com'], password: PASSWORD })
  const session = await clerk.sessions.createSession({ userId: user.id })

  await clerk.users.banUser(user.id)

  expect(await clerk.sessions.getSession(session.id)).toMatchObject({ status: 'revoked' })
})
