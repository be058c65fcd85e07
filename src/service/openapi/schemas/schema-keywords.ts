import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** Names that a part requires and no part forbids, within the limit. */
export function requiredOf(parts: readonly JsonObject[], most: number): ReadonlySet<string> {
  if (!parts.some((part) => Array.isArray(part.required))) return NONE_REQUIRED
  const required = new Set<string>()
  for (const part of parts) {
    for (const name of Array.isArray(part.required) ? part.required.slice(0, most) : []) {
      if (isText(name) && required.size < most && !forbids(part, name, parts)) required.add(name)
    }
  }
  return required
}

/** Whether a part allows only declared names, and no part declares this one: a required name is then a misspelling. */
function forbids(part: JsonObject, name: string, parts: readonly JsonObject[]): boolean {
  if (part.additionalProperties !== false || part.patternProperties !== undefined) return false
  return !parts.some(({ properties }) => isJsonObject(properties) && Object.hasOwn(properties, name))
}

const NONE_REQUIRED: ReadonlySet<string> = new Set()

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isPresent = (value: Json | undefined): value is Json => value !== undefined

/** The last part's value of a keyword that `accepts` it. */
export function lastOf<T extends Json>(
  parts: readonly JsonObject[],
  key: string,
  accepts: (value: Json | undefined) => value is T,
): T | undefined {
  for (let at = parts.length - 1; at >= 0; at--) {
    const value = parts[at]?.[key]
    if (accepts(value)) return value
  }
  return undefined
}

export function greatest(parts: readonly JsonObject[], key: string): number | undefined {
  return extreme(parts, key, Math.max)
}

export function least(parts: readonly JsonObject[], key: string): number | undefined {
  return extreme(parts, key, Math.min)
}

function extreme(
  parts: readonly JsonObject[],
  key: string,
  choose: (a: number, b: number) => number,
): number | undefined {
  let chosen: number | undefined
  for (const part of parts) {
    const value = part[key]
    if (isNumber(value)) chosen = chosen === undefined ? value : choose(chosen, value)
  }
  return chosen
}

/** Length of a tuple that allows nothing after its places. */
export function closedLength(parts: readonly JsonObject[]): number | undefined {
  const lengths = parts.flatMap(({ prefixItems, items, additionalItems }) => {
    if (Array.isArray(prefixItems)) return items === false ? [prefixItems.length] : []
    return Array.isArray(items) && additionalItems === false ? [items.length] : []
  })
  return lengths.length > 0 ? Math.min(...lengths) : undefined
}

/** In OpenAPI 2.0 and 3.0 the boolean `exclusiveMinimum` makes `minimum` exclusive; in later versions it is a number. */
export function numericBounds(parts: readonly JsonObject[], end: 'Minimum' | 'Maximum') {
  const inclusive: number[] = []
  const exclusive: number[] = []
  for (const part of parts) {
    const bound = part[end.toLowerCase()]
    const beyond = part[`exclusive${end}`]
    if (isNumber(bound)) (beyond === true ? exclusive : inclusive).push(bound)
    if (isNumber(beyond)) exclusive.push(beyond)
  }
  const tightest = (bounds: number[]) => (end === 'Minimum' ? Math.max : Math.min)(...bounds)
  return {
    inclusive: inclusive.length > 0 ? tightest(inclusive) : undefined,
    exclusive: exclusive.length > 0 ? tightest(exclusive) : undefined,
  }
}

/** `example`, else the first of `examples` (OpenAPI 3.1), else `x-example`. */
export function exampleOf(parts: readonly JsonObject[]): Json | undefined {
  const single = lastOf(parts, 'example', isPresent)
  if (single !== undefined) return single
  for (const part of parts.toReversed()) {
    const many = part.examples
    if (Array.isArray(many) && many[0] !== undefined) return many[0]
  }
  return lastOf(parts, 'x-example', isPresent)
}

/** Values that the schemas of one description share. */
interface ValueSource {
  /** The values common to two lists. */
  sharedValues(values: readonly Json[]): (others: readonly Json[]) => readonly Json[]
}

/** Values that every `enum` and `const` of the parts allows. */
export function allowedValues(parts: readonly JsonObject[], source: ValueSource): readonly Json[] | undefined {
  let values: readonly Json[] | undefined
  for (const part of parts) {
    const own = part.const !== undefined ? [part.const] : Array.isArray(part.enum) ? part.enum : undefined
    if (!own || own.length === 0) continue
    if (own === values) continue
    const both = values && source.sharedValues(values)(own)
    values = both && both.length > 0 ? both : own
  }
  return values
}
