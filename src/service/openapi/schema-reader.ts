import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { LazySchema } from './lazy-schema.ts'
import { hasOwnContent, type References } from './references.ts'

/** Makes the {@link Schema}s of one description: one for each raw schema, however often it is asked for. */
export class SchemaReader {
  readonly references: References
  /** Whether the dialect has the keyword `nullable`. */
  readonly knowsNullable: boolean
  readonly #schemas = new Map<JsonObject, Schema>()
  readonly #merged = new Map<Schema, Map<Schema, Schema>>()

  constructor(references: References, knowsNullable: boolean) {
    this.references = references
    this.knowsNullable = knowsNullable
  }

  /** The schema written as `raw`; undefined where there is none. A boolean schema allows anything. */
  read(raw: unknown): Schema | undefined {
    if (raw === true) return this.#of(ANYTHING, undefined)
    if (!isJsonObject(raw)) return undefined
    if (typeof raw['$ref'] !== 'string') return this.#of(raw, undefined)
    if (this.knowsNullable) return this.#readOldReference(raw)
    const target = this.references.follow(raw['$ref'])
    return hasOwnContent(raw) ? this.#of(raw, target.name) : this.#of(target.value, target.name)
  }

  /** Before 3.1 what stands beside a reference does not count. What only says more about the value is taken all the same. */
  #readOldReference(raw: JsonObject): Schema {
    const target = this.references.follow(String(raw['$ref']))
    const kept = Object.entries(raw).filter(([key]) => BESIDE_REFERENCES.has(key))
    if (kept.length === 0) return this.#of(target.value, target.name)
    const known = this.#schemas.get(raw)
    if (known) return known
    const schema = this.make({ allOf: [{ $ref: raw['$ref'] as string }], ...Object.fromEntries(kept) }, target.name)
    this.#schemas.set(raw, schema)
    return schema
  }

  /** A schema made up by the reader itself: not kept, so its caller keeps it. */
  make(raw: JsonObject, name: string | undefined): Schema {
    return new LazySchema(this, raw, name)
  }

  /** The schema of values that fit both. */
  merge(left: Schema, right: Schema): Schema {
    if (left === right || !hasOwnContent(right.raw)) return left
    if (!hasOwnContent(left.raw)) return right
    const row = this.#merged.get(left) ?? new Map<Schema, Schema>()
    const merged = row.get(right) ?? this.make({ allOf: [left.raw, right.raw] }, right.name ?? left.name)
    this.#merged.set(left, row.set(right, merged))
    return merged
  }

  #of(raw: JsonObject, name: string | undefined): Schema {
    const known = this.#schemas.get(raw)
    if (known) return known
    const schema = this.make(raw, name)
    this.#schemas.set(raw, schema)
    return schema
  }
}

const ANYTHING: JsonObject = {}
const BESIDE_REFERENCES = new Set(['nullable', 'x-nullable', 'readOnly', 'writeOnly', 'default'])
