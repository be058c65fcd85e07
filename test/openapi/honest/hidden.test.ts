import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { MOMENT, oneOf, TEXT } from './resource.ts'

const simulation = simulations()

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })

/** A collection whose list has one flag. */
function describe(
  plural: string,
  fields: JsonObject,
  flag: string,
  schema: JsonObject = { type: 'boolean' },
): JsonObject {
  const record: JsonObject = { type: 'object', required: ['id'], properties: { id: TEXT, ...fields } }
  const parameters = [{ name: flag, in: 'query', schema }]
  const shown = { 201: { description: 'made', ...json(record) } }
  const read = { 200: { description: 'one', ...json(record) } }
  return {
    openapi: '3.1.0',
    info: { title: plural, version: '1' },
    paths: {
      [`/${plural}`]: {
        get: { parameters, responses: { 200: { description: 'all', ...json({ type: 'array', items: record }) } } },
        post: { requestBody: json({ type: 'object', properties: fields }), responses: shown },
      },
      [`/${plural}/{id}`]: {
        get: { parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }], responses: read },
      },
    },
  }
}

// Intercom and Svix have `include_archived`, Slack has `include_disabled` and `exclude_archived`.
it.each([
  ['attributes', { archived: { type: 'boolean' } }, 'include_archived', { archived: true }, { archived: false }, false],
  ['channels', { is_archived: { type: 'boolean' } }, 'exclude_archived', { is_archived: true }, {}, true],
  [
    'partners',
    { is_active: { type: 'boolean' } },
    'include_inactive',
    { is_active: false },
    { is_active: true },
    false,
  ],
  ['volumes', { deletedAt: MOMENT }, 'withDeleted', { deletedAt: '2026-01-02T03:04:05Z' }, { deletedAt: null }, false],
  ['seasons', { phase: TEXT, status: oneOf('open', 'closed') }, 'includeClosed', { status: 'closed' }, {}, false],
] as const)('%s are hidden as their list says', async (plural, fields, flag, hidden, seen, isShown) => {
  const call = await simulation.of(describe(plural, fields, flag), { [plural]: 0 })
  const one = await call(`POST /${plural}`, hidden)
  const other = await call(`POST /${plural}`, { ...hidden, ...seen, ...(plural === 'seasons' && { status: 'open' }) })
  const lists = async (query: string) => {
    const { body } = await call(`GET /${plural}${query}`)
    return body.some(({ id }: { id: string }) => id === one.body.id)
  }

  const [plain, asked, refused] = [await lists(''), await lists(`?${flag}=true`), await lists(`?${flag}=false`)]

  expect([plain, asked, refused]).toEqual([isShown, !isShown, isShown])
  expect((await call(`GET /${plural}/${other.body.id}`)).status).toBe(200)
})

it('shows the hidden by default, on request in a word, and where they alone are asked for', async () => {
  const fields = { is_active: { type: 'boolean' } }
  const of = (schema: JsonObject) =>
    simulation.of(describe('partners', fields, 'show_inactive', schema), { partners: 0 })
  const shown = async (schema: JsonObject, query: string) => {
    const call = await of(schema)
    await call('POST /partners', { is_active: false })
    return (await call(`GET /partners${query}`)).body.length
  }

  expect(await shown({ type: 'boolean', default: true }, '')).toBe(1)
  expect(await shown({ type: 'string' }, '?show_inactive=true')).toBe(1)
  expect(await shown({ type: 'integer' }, '?show_inactive=1')).toBe(1)
  expect(await shown({ type: 'boolean' }, '?is_active=false')).toBe(1)
  expect(await shown({ type: 'boolean' }, '?is_active=true')).toBe(0)
})
