import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { World } from '../../world/world.ts'
import type { Found } from '../calls/call.ts'

/** Numbers that may follow from the items of a list. */
const SUMS = /total|amount|sum|balance|due|count|tax|weight/i
/** Parts of a full name, and of a span. */
const PARTS = /^((first|last|given|family)_?name|starts?(_?(at|time))?|(duration|length)_?\w+)$/i
const WHOLES = /^(full_?name|ends?(_?(at|time))?)$/i

/**
 * A changed record whose sums follow its changed lists: the total of an order with one line more. A number is a sum
 * where a new record with these lists would have it, too. So does the full name follow the first and the last, and the
 * end of a span its start and duration.
 */
export function withSums(
  world: World,
  { collection, key, record: before }: Found,
  after: JsonObject,
  at: number,
): JsonObject {
  const isChanged = Object.entries(after).some(
    ([name, value]) =>
      value !== before[name] && (Array.isArray(value) ? value.some((item) => isJsonObject(item)) : PARTS.test(name)),
  )
  const sums = Object.keys(after).filter(
    (name) => (typeof after[name] === 'number' ? SUMS : WHOLES).test(name) && after[name] === before[name],
  )
  if (!isChanged || sums.length === 0) return after
  const view = world.collection(collection)
  const remade = (record: JsonObject): JsonObject => {
    const given = Object.fromEntries(Object.entries(record).filter(([name]) => !sums.includes(name)))
    const keys = new NewKeys(view)
    const scope = view.scopeOf(key)
    const context = { ordinal: keys.ordinal, at, scope, id: key, taken: keys }
    const pickKey = (name: string, draw: number) => world.collection(name).pickKey(draw)
    return world.dataset.complete(collection, given, { ...context, pickKey })?.record ?? {}
  }
  const [old, fresh] = [remade(before), remade(after)]
  const lists = Object.keys(after).filter((name) => Array.isArray(after[name]) && after[name] !== before[name])
  const moved = sums.filter((name) => old[name] === before[name] && fresh[name] !== undefined)
  return moved.length === 0
    ? after
    : { ...after, ...Object.fromEntries([...lists, ...moved].map((name) => [name, fresh[name] ?? null])) }
}
