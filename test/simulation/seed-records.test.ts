import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { startForTest } from '../management/start-for-test.ts'
import { integer, list, object, string } from '../simulated-api/describe-api.ts'
import { describeThings } from './resource.ts'

/** Creates a simulation with these records of one collection; resolves with its collections, or with the refusal. */
async function seed(source: object, collection: string, records: object[], volume?: Record<string, number>) {
  const { call } = await startForTest()
  const made = await call('POST', '/v1/simulations', { ...source, volume, seedRecords: { [collection]: records } })
  if (made.status !== 201)
    return { refusal: made.body.error.message as string, counts: {} as Record<string, number>, read: [] }
  const part = `/v1/simulations/${made.body.id}`
  const { collections } = (await call('GET', part)).body
  const counts: Record<string, number> = Object.fromEntries(
    collections.map(({ name, records: count }: { name: string; records: number }) => [name, count]),
  )
  const read: JsonObject[] = (await call('GET', `${part}/records/${collection}?limit=500`)).body.data
  return { refusal: undefined, counts, read }
}

const things = (schema: JsonObject) => ({ spec: JSON.stringify(describeThings(schema)) })

it('refuses a field that the description does not know, and a value that it does not allow', async () => {
  const { refusal } = await seed({ library: 'crm' }, 'contacts', [{ frist_name: 'A', lifecycle_stage: 'nonsense' }])

  expect(refusal).toMatch(/^Expected `seedRecords\.contacts\[0\]` to have no field "frist_name", got one\. /)
  expect(refusal).toMatch(/Did you mean "firstName"\?.* 1 more fault found\.$/)
})

it('looks into lists, objects and maps of a given record', async () => {
  const line = object({ sku: string(), count: integer({ minimum: 1 }) }, ['sku', 'count'])
  const labels = { type: 'object', additionalProperties: string() }
  const thing = object(
    { id: integer({ readOnly: true }), lines: list(line), labels, owner: object({ name: string() }) },
    ['id'],
  )
  const refusals = async (record: object) => (await seed(things(thing), 'things', [{}, record])).refusal

  expect(
    await refusals({
      lines: [
        { sku: 'a', count: 1 },
        { sku: 'b', count: 0 },
      ],
    }),
  ).toBe('Expected `seedRecords.things[1].lines[1].count` to be at least 1, got 0.')
  expect(await refusals({ lines: [{ skuu: 'a' }] })).toBe(
    'Expected `seedRecords.things[1].lines[0]` to have no field "skuu", got one. Did you mean "sku"? It may have sku, count.',
  )
  expect(await refusals({ owner: { nmae: 'x' }, labels: { any: 5 } })).toMatch(
    /`seedRecords\.things\[1\]\.owner` to have no field "nmae", got one\. Did you mean "name"\?.* 1 more fault found\.$/,
  )
  expect(await refusals({ id: null, lines: [{ sku: 'a' }], labels: { any: 'word' }, owner: {} })).toBeUndefined()
})

it('takes any field where the description says nothing, or allows others', async () => {
  const open = object({ id: integer({ readOnly: true }) }, ['id'])

  expect(
    (await seed(things({ ...open, additionalProperties: true }), 'things', [{ color: 'red' }])).refusal,
  ).toBeUndefined()
  expect((await seed(things({}), 'things', [{ color: 'red' }])).refusal).toBeUndefined()
  expect((await seed(things(open), 'things', [{ color: 'red' }])).refusal).toBeDefined()
})

it("has seed records beside the volume, be it asked for, the entry's or the default", async () => {
  const [asked, ofEntry] = [
    await seed({ library: 'payments' }, 'invoices', [{ status: 'open' }, { status: 'paid' }], { invoices: 3 }),
    await seed({ library: 'payments' }, 'invoices', [{ status: 'open' }]),
  ]

  expect([asked.counts.invoices, ofEntry.counts.invoices]).toEqual([5, 91])
  expect(asked.read.slice(0, 2).map(({ status }) => status)).toEqual(['open', 'paid'])
  expect(new Set(asked.read.map(({ id }) => id)).size).toBe(5)
})

it('generates no more records than seed records leave ids for', async () => {
  const letters = object({ id: string({ enum: ['a', 'b', 'c'] }), name: string() }, ['id'])

  const { read } = await seed(things(letters), 'things', [{ id: 'b' }, { name: 'mine' }], { things: 9 })

  expect(read.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c'])
})
