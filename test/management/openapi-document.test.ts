import { expect, it } from 'vitest'
import { listEndpoints } from '../../src/protocol/extensions.ts'
import { startForTest } from './start-for-test.ts'

async function readDocument(options = {}) {
  const { call } = await startForTest(options)
  return (await call('GET', '/v1/openapi.json')).body
}

const endpointsOf = (document: { paths: Record<string, object> }) =>
  Object.entries(document.paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted()

const endpointsIn = (options: { workerSinks: boolean }) =>
  listEndpoints(options)
    .map(([, { method, path }]) => `${method} ${path}`)
    .toSorted()

it('describes every endpoint that there is, and no other', async () => {
  const document = await readDocument()

  expect(endpointsOf(document)).toEqual(endpointsIn({ workerSinks: false }))
})

it('describes the endpoints of worker sinks where they are', async () => {
  const document = await readDocument({ workerSinks: true })

  expect(endpointsOf(document)).toEqual(endpointsIn({ workerSinks: true }))
  expect(Object.keys(document.paths)).toContain('/v1/sinks')
})

it('has the 19 endpoints of the specification, and marks the others as ours', async () => {
  const { paths } = await readDocument()

  const tags = Object.values(paths as Record<string, Record<string, { tags: string[] }>>)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.tags)

  expect(tags.filter((tag) => tag === 'specification')).toHaveLength(19)
  expect(new Set(tags)).toEqual(new Set(['specification', 'extension']))
})

it('has no reference into nothing and no operationId twice', async () => {
  const document = await readDocument()
  const text = JSON.stringify(document)

  const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer as string)
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)

  for (const pointer of references) {
    const target = pointer
      .split('/')
      .slice(1)
      .reduce((value, key) => value?.[key], document)
    expect(target, pointer).toBeDefined()
  }
  expect(new Set(ids).size).toBe(ids.length)
})

it('can be simulated: the service is a stand-in for itself', async () => {
  const document = await readDocument()
  const { call, create } = await startForTest()

  const made = await create({ spec: JSON.stringify(document) })
  const { api, collections } = (await call('GET', `/v1/simulations/${made.id}`)).body
  const listed = await fetch(`${made.url}/v1/simulations`, { headers: { authorization: `Bearer ${made.apiKey}` } })
  const body = (await listed.json()) as { data: { slug: string; status: string }[] }

  expect(api.operations).toBe(endpointsOf(document).length)
  expect(collections.map(({ name }: { name: string }) => name)).toContain('simulations')
  expect(listed.status).toBe(200)
  expect(body.data.length).toBeGreaterThan(0)
  expect(['queued', 'running', 'paused', 'resetting']).toContain(body.data[0]?.status)
})
