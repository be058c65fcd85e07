import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSimulation, type JsonObject } from '../../src/index.ts'
import { DESCRIPTIONS, hasDescriptions, installedDescription } from '../descriptions.ts'

/** The main job on a description as a product publishes it. */
interface Walk {
  /** What makes it worth walking. */
  title: string
  /** An installed description, or a further one. */
  file: string
  collection: string
  path: string
  record: JsonObject
  /** How a list answers: where its records stand. */
  records: (body: never) => JsonObject[]
  event: string
  /** Whether the description declares the event. */
  isDeclared?: true
}

const inData = ({ data }: { data: JsonObject[] }) => data
const walks: Walk[] = [
  {
    title: 'OpenAPI 2.0',
    file: '2.0/json/petstore-expanded.json',
    collection: 'pets',
    path: '/pets',
    record: { name: 'Rex', tag: 'dog' },
    records: (body: JsonObject[]) => body,
    event: 'pet.created',
  },
  {
    title: 'OpenAPI 3.1',
    file: '3.1/json/train-travel.json',
    collection: 'bookings',
    path: '/bookings',
    record: { passenger_name: 'Ada', has_bicycle: true },
    records: inData,
    event: 'newBooking',
    isDeclared: true,
  },
  {
    title: 'OpenAPI 3.0',
    file: 'svix.json',
    collection: 'app',
    path: '/api/v1/app',
    record: { name: 'Shop' },
    records: inData,
    event: 'app.created',
  },
  {
    title: 'OpenAPI 3.1, YAML',
    file: 'resend.yaml',
    collection: 'audiences',
    path: '/audiences',
    record: { name: 'Newsletter' },
    records: inData,
    event: 'audience.created',
  },
  {
    title: 'OpenAPI 3.1, YAML, over 1 MB',
    file: 'workos.yaml',
    collection: 'organizations',
    path: '/organizations',
    record: { name: 'Acme' },
    records: inData,
    event: 'organization.created',
  },
  {
    title: 'OpenAPI 3.0, JSON, over 1 MB',
    file: 'netbox.json',
    collection: 'tenants',
    path: '/tenancy/tenants/',
    record: { name: 'Acme', slug: 'acme' },
    records: ({ results }: { results: JsonObject[] }) => results,
    event: 'tenant.created',
  },
]

/** Where a description is; undefined where it is not installed. */
function pathOf({ file }: Walk): string | undefined {
  if (file.includes('/')) return installedDescription(file)
  return hasDescriptions ? join(DESCRIPTIONS, file) : undefined
}

it.for(walks)('does the main job on $file ($title)', async (walk, { skip }) => {
  const spec = pathOf(walk) ?? skip('../shared/data/openapi is not beside the project')
  const simulation = await createSimulation({ spec }, walk.isDeclared ? {} : { webhooks: { scheme: 'svc' } })
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(walk.record) }

  const created = (await (await simulation.fetch(walk.path, post)).json()) as JsonObject
  const webhook = await simulation.expectWebhook<JsonObject>(walk.event)
  const listed = await (await simulation.fetch(walk.path)).json()
  await using slow = await simulation.addLatency(`${walk.path}*`, 30)
  const read = await simulation.fetch(`${walk.path.replace(/\/$/, '')}/${created.id}`)
  const [logged] = await simulation.requests({ path: `${walk.path.replace(/\/$/, '')}/${created.id}` })
  const turned = await simulation.fastForward({ days: 2 })
  const withoutKey = await fetch(`${simulation.url}${walk.path}`)

  expect(webhook).toMatchObject({ verified: true, data: { collection: walk.collection, id: String(created.id) } })
  expect(walk.records(listed as never).map(({ id }) => id)).toContain(created.id)
  expect(read.status).toBe(200)
  expect(await read.json()).toMatchObject(walk.record)
  expect(logged?.ruleId).toBe(slow.id)
  expect(slow.kind).toBe('latency')
  expect(turned.changes).toBeGreaterThan(0)
  expect([401, 403]).toContain(withoutKey.status)
  const { url } = simulation
  await simulation.delete()
  await expect(fetch(url)).rejects.toThrow()
})

it('gives the same data in another process and another time', async () => {
  const spec = installedDescription('3.0/json/petstore.json')
  const options = { seed: 'fixed', epoch: '2026-01-01T00:00:00Z' }
  await using first = await createSimulation({ spec }, options)
  await using second = await createSimulation({ spec }, options)

  expect(await first.records('pet')).toEqual(await second.records('pet'))
})
