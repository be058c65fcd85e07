import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { integer, object, string } from '../simulated-api/describe-api.ts'
import { createCore, START } from './core-session.ts'
import { describeThings } from './resource.ts'

const thing = object({ id: integer({ readOnly: true }), name: string() }, ['id', 'name'])

async function simulate(creation: object = {}) {
  const { create, call } = await startForTest()
  const made = await create({ spec: JSON.stringify(describeThings(thing)), behaviour: [], ...creation })
  const manage = (method: string, path: string, body?: unknown) =>
    call(method, `/v1/simulations/${made.id}${path}`, body)
  return { made, manage }
}

it('finds given fields that the description does not know', async () => {
  const { manage } = await simulate({
    spec: JSON.stringify(describeThings({ ...thing, additionalProperties: true })),
    volume: { things: 2 },
    seedRecords: { things: [{ id: 1, color: 'red', meta: { z: 'q' } }] },
  })
  const touched = async (where: object): Promise<number> => {
    const steps = [{ kind: 'touch', collection: 'things', fraction: 1, where }]
    await manage('PUT', '/behaviour', { rules: [{ everySeconds: 3_600, steps }] })
    return (await manage('POST', '/fast-forward', { hours: 1 })).body.changes
  }

  expect([await touched({ 'meta.z': 'q' }), await touched({ color: 'red' }), await touched({ color: 'blue' })]).toEqual(
    [1, 1, 0],
  )
})

it('counts the requests of keys that begin alike apart', () => {
  const core = createCore()
  const keys = ['svc_sim_ci-runner-1', 'svc_sim_ci-runner-2']
  for (const key of keys) core.execute({ at: START, kind: 'issue-key', name: key, key })
  const config = { limit: 1, windowSeconds: 60, scope: 'key' }
  const rule = { name: 'limit', kind: 'rateLimit' as const, method: '*', pathPattern: '/*', config }
  core.execute({ at: START, kind: 'set-rule', rule })
  const ask = (key: string | undefined): number => {
    const headers = { authorization: `Bearer ${key}` }
    const request = { method: 'GET', path: '/projects', query: '', headers, body: new Uint8Array(), ip: '', origin: '' }
    return core.execute({ at: START, kind: 'request', request }).response.status
  }

  expect([ask(keys[0]), ask(keys[1]), ask(keys[0])]).toEqual([200, 200, 429])
})

it('refuses a field of a rule that its kind does not have', async () => {
  const { manage } = await simulate()
  const add = (kind: string, config: object) =>
    manage('POST', '/rules', { name: 'rule', kind, method: '*', pathPattern: '/*', config })

  const [slip, strange, inner] = [
    await add('error', { status: 500, probabilty: 0 }),
    await add('latency', { latencyMs: 1, wildlyOther: 1 }),
    await add('sequence', { responses: [{ statuss: 500 }] }),
  ]

  expect([slip.status, strange.status, inner.status]).toEqual([400, 400, 400])
  expect(slip.body.error.code).toBe('invalid_request')
  expect(slip.body.error.message).toMatch(
    /^Expected `config` to have no field "probabilty", got one\. Did you mean "probability"\? It may have probability, skipFirst,/,
  )
  expect(strange.body.error.message).toMatch(/^Expected `config` to have no field "wildlyOther", got one\. It may have/)
  expect(inner.body.error.message).toBe(
    'Expected `config.responses[0]` to have no field "statuss", got one. Did you mean "status"? It may have status, body, pass.',
  )
})
