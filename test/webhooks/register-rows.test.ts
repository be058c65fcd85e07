import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../../src/service/start.ts'
import { ABSENT, hasBadInputs, readBadInputs } from './bad-inputs.ts'

interface RegisterInput {
  url: unknown
  events: unknown
  dns?: Record<string, string[] | 'NXDOMAIN'>
}

const rows = readBadInputs<RegisterInput>('register')
let records: RegisterInput['dns'] = {}
let service: Service
let simulation: string

beforeAll(async () => {
  if (!hasBadInputs) return
  service = await startService({ runtime: { resolve } })
  const answer = await send('/simulations', { library: 'task-tracker' })
  simulation = ((await answer.json()) as { id: string }).id
})
afterAll(async () => {
  await service?.close()
})

async function resolve(hostname: string): Promise<string[]> {
  const addresses = records?.[hostname] ?? 'NXDOMAIN'
  if (addresses === 'NXDOMAIN')
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
  return addresses
}

function send(path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' }
  return service.fetch(new Request(`${service.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

it.skipIf(!hasBadInputs)(`has rows to register (skipped where ${ABSENT})`, () => {
  expect(rows.length).toBeGreaterThanOrEqual(84)
})

it.each(rows)('registers $id: $expect ($why)', async ({ input, expect: expected }) => {
  const { dns, ...body } = input
  records = dns

  const answer = await send(`/simulations/${simulation}/webhooks`, body)

  const { id, error } = (await answer.json()) as { id?: string; error?: { code: string; message: string } }
  expect([answer.status, error?.code].filter(Boolean).join(' ')).toBe(expected)
  expect(error?.message ?? 'Expected').toMatch(/^Expected/)
  if (!id) return
  await service.fetch(
    new Request(`${service.url}/v1/simulations/${simulation}/webhooks/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.accountKey}` },
    }),
  )
})
