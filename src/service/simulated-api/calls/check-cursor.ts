import type { Json } from '../../../protocol/json.ts'
import type { ValidationMode } from '../../../protocol/simulation.ts'
import type { Parameter } from '../../openapi/model.ts'
import type { World } from '../../world/world.ts'
import { isToken, paramValue, readCursor } from '../listing/page.ts'
import { Refusal } from '../refusal.ts'
import type { ApiCall } from './call.ts'
import { statusFor } from './validate-request.ts'

/** A number, a date or a time: a place in the list that no answer needs to have shown. */
const PLACE = /^-?\d[\d.:TZ+-]*$/

/** Names of parameters that take any key, also one that no record has. */
const ANY_KEY = /marker|start_?key|since|begin/i

/**
 * Refuses or warns of a cursor that no page has given, by the `mode` of validation: an empty page would end a client's
 * loop as if it had read all.
 */
export function checkCursor(
  world: World,
  call: ApiCall,
  { warnings, mode }: { readonly warnings: string[]; readonly mode: ValidationMode },
): void {
  const refusal = mode === 'off' ? undefined : findUnknownCursor(world, call)
  if (refusal === undefined) return
  if (mode === 'strict') throw refusal
  warnings.push(refusal.message)
}

/**
 * The refusal of a cursor that no page has given. A key of a record, also of a deleted one, is a cursor, and so is what
 * the description gives as an example. Undefined without a strange cursor.
 */
function findUnknownCursor(world: World, { operation, query }: ApiCall): Refusal | undefined {
  const { effect } = operation
  if (query.pairs.length === 0 || effect.kind !== 'list') return undefined
  const { after, before, offset } = effect.paging
  const names = [after, before, offset !== undefined && isToken(operation, offset) ? offset : undefined]
  const view = world.collection(effect.collection)
  for (const name of names) {
    const text = paramValue(query, name)
    if (name === undefined || text === undefined || PLACE.test(text) || ANY_KEY.test(name)) continue
    if (view.has(text) || readCursor(text, view) !== text || world.wasDeleted(effect.collection, text)) continue
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name)
    if (parameter === undefined || isSample(parameter, text)) continue
    const message = `Expected \`${name}\` to be a cursor of an answer or the id of one of the ${view.model.name}, got "${text.slice(0, 100)}". Leave it out for the first page.`
    return new Refusal(statusFor(operation, [400, 422]), 'invalid_request', message, name)
  }
  return undefined
}

const isSample = ({ schema }: Parameter, text: string): boolean =>
  [schema?.default, schema?.example, ...(schema?.enum ?? [])].some((value: Json | undefined) => value === text)
