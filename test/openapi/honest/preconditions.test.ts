import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, oneOf, TEXT } from './resource.ts'

const simulation = simulations()

const ERROR: JsonObject = {
  type: 'object',
  required: ['code'],
  properties: { code: oneOf('preconditionFailed', 'preconditionRequired', 'invalid'), message: TEXT },
}

/** Records whose changes may declare 428, with the parameter that it is about. */
function describe(plural: string, parameters: JsonObject[], statuses: readonly number[]): JsonObject {
  const described = describeResources({ [plural]: { fields: { name: TEXT } } })
  const item = (described.paths as JsonObject)[`/${plural}/{id}`] as { patch: { responses: JsonObject } }
  const refused = { description: 'refused', content: { 'application/json': { schema: ERROR } } }
  const responses = Object.fromEntries(statuses.map((status) => [status, refused]))
  Object.assign(item.patch, { parameters, responses: { ...item.patch.responses, ...responses } })
  return described
}

const ifMatch = (required: boolean): JsonObject => ({ name: 'If-Match', in: 'header', required, schema: TEXT })

it.each([
  ['contracts', [ifMatch(true)], [400, 412, 428], 428, 'preconditionRequired'],
  ['articles', [ifMatch(false)], [412, 428], 428, 'preconditionRequired'],
  ['budgets', [], [428], 428, 'preconditionRequired'],
  ['budgets', [ifMatch(true)], [400, 412], 400, 'invalid'],
] as const)(
  'changes of %s without If-Match are refused as declared (%#)',
  async (plural, parameters, statuses, ...expected) => {
    const call = await simulation.of(describe(plural, [...parameters], statuses))
    const { body } = await call(`POST /${plural}`, { name: 'a' })
    const read = await call(`GET /${plural}/${body.id}`)
    const change = (headers: Record<string, string>) => call(`PATCH /${plural}/${body.id}`, { name: 'b' }, headers)

    const refused = await change({})
    const stale = await change({ 'if-match': '"stale"' })
    const changed = await change({ 'if-match': `${read.headers.get('etag')}` })

    expect([refused.status, refused.body.code]).toEqual(expected)
    expect([stale.status, changed.status]).toEqual([412, 200])
  },
)
