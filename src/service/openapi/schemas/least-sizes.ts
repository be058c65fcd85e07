import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { LocalReferences } from '../references.ts'
import { MOST_PROPERTIES, objectsOf } from './schema-parts.ts'

/** Deepest nesting of schemas that is followed. */
const MAX_DEPTH = 500

/** Computes the size of each schema's smallest value from its required fields. */
export class LeastSizes {
  readonly #references: LocalReferences
  readonly #sizes = new Map<JsonObject, number>()

  constructor(references: LocalReferences) {
    this.#references = references
  }

  /** Whether a schema requires more values than the limit, and no inner schema does. */
  exceeds(raw: JsonObject): boolean {
    if (raw.required === undefined && raw.minItems === undefined && raw.minProperties === undefined) return false
    return (
      this.#sizeOf(raw, 0) > LIMITS.generatedValues &&
      this.#inner(raw).every(({ size }) => size <= LIMITS.generatedValues)
    )
  }

  /** A recursive schema counts as 0: generating does not repeat it. */
  #sizeOf(written: unknown, depth: number): number {
    if (!isJsonObject(written) || depth > MAX_DEPTH) return 1
    if (isPlain(written)) return 1
    const raw = typeof written.$ref === 'string' ? this.#references.follow(written.$ref).value : written
    const known = this.#sizes.get(raw)
    if (known !== undefined) return known
    this.#sizes.set(raw, 0)
    const size = this.#ownSize(raw, depth)
    this.#sizes.set(raw, size)
    return size
  }

  #ownSize(raw: JsonObject, depth: number): number {
    if (raw.enum !== undefined || raw.const !== undefined || isNullable(raw)) return 1
    let size = 1 + Math.min(numberIn(raw, 'minLength'), LIMITS.generatedCharacters) / LIMITS.charactersOfValue
    for (const { count, size: inner } of this.#inner(raw, depth)) size += count * inner
    for (const part of objectsOf(raw.allOf)) size += this.#sizeOf(part, depth + 1)
    for (const choice of [objectsOf(raw.oneOf), objectsOf(raw.anyOf)]) {
      if (choice.length > 0) size += Math.min(...choice.map((alternative) => this.#sizeOf(alternative, depth + 1)))
    }
    return size
  }

  /** The required inner values of a schema: their number and size. */
  #inner(raw: JsonObject, depth = 0): { count: number; size: number }[] {
    const items = numberIn(raw, 'minItems')
    const entries = numberIn(raw, 'minProperties')
    const found: { count: number; size: number }[] = []
    if (items > 0) found.push({ count: items, size: this.#sizeOf(raw.items, depth + 1) })
    if (entries > 0) found.push({ count: entries, size: this.#sizeOf(raw.additionalProperties, depth + 1) })
    for (const name of namesIn(raw.required)) {
      const field =
        isJsonObject(raw.properties) && Object.hasOwn(raw.properties, name) ? raw.properties[name] : undefined
      found.push({ count: 1, size: this.#sizeOf(field, depth + 1) })
    }
    return found
  }
}

/** Whether nothing of a schema asks for a value more than itself: nearly all fields are such, and none is kept. */
function isPlain(raw: JsonObject): boolean {
  for (const key in raw) {
    switch (key) {
      case '$ref':
      case 'minLength':
      case 'minItems':
      case 'minProperties':
      case 'required':
      case 'allOf':
      case 'oneOf':
      case 'anyOf':
        return false
      default:
    }
  }
  return true
}

function numberIn(raw: JsonObject, key: string): number {
  const value = raw[key]
  return typeof value === 'number' && value > 0 ? value : 0
}

/** Required names, within the limit. */
function namesIn(required: Json | undefined): string[] {
  return Array.isArray(required) ? required.slice(0, MOST_PROPERTIES).filter((name) => typeof name === 'string') : []
}

function isNullable({ nullable, type }: JsonObject): boolean {
  return nullable === true || (Array.isArray(type) && type.includes('null'))
}
