import type { Json, JsonObject } from '../../protocol/json.ts'
import type { JsonType } from '../../schema/schema.ts'
import {
  exampleOf,
  greatest,
  isNumber,
  isPresent,
  isText,
  lastOf,
  least,
  numericBounds,
  requiredOf,
  tupleLength,
} from './schema-keywords.ts'
import { isNullOnly } from './schema-parts.ts'
import { allowedTypes, contradicts } from './schema-types.ts'

/** What the constraints of one description share. */
interface ConstraintSource {
  /** Most required names that are read of one schema. */
  readonly mostProperties: number
  /** The values of one list of values that another one has too. */
  sharedValues(values: readonly Json[]): (others: readonly Json[]) => readonly Json[]
}

/**
 * What a schema asks of a value by its own keywords, without those that hold other schemas: the constraints of all its parts.
 * Where parts contradict each other, the last one counts. Each is worked out when it is asked for: most schemas of a large
 * description are only asked for their types. What is asked for again and again is kept.
 */
export class Constraints {
  readonly #parts: readonly JsonObject[]
  readonly #source: ConstraintSource
  /** Values that all parts allow, undefined where they do not say; null until they are asked for. */
  #values: readonly Json[] | undefined | null = null
  #types: readonly JsonType[] | undefined
  #enum: readonly Json[] | undefined
  #required: ReadonlySet<string> | undefined

  constructor(parts: readonly JsonObject[], source: ConstraintSource) {
    this.#parts = parts
    this.#source = source
  }

  get types(): readonly JsonType[] {
    this.#types ??= allowedTypes(this.#parts, () => this.#allowed)
    return this.#types
  }

  /** Whether the parts ask for types that no value has together: an object that is an integer, an array that is a word. */
  get isContradictory(): boolean {
    return contradicts(this.#parts, this.types, this.#allowed)
  }

  get enum(): readonly Json[] | undefined {
    if (this.#allowed === undefined && !this.#parts.some(isNullOnly)) return undefined
    this.#enum ??= this.#parts.some(isNullOnly) ? [] : this.#allowed?.filter((value) => value !== null)
    return this.#enum
  }

  get format(): string | undefined {
    return lastOf(this.#parts, 'format', isText)
  }

  get pattern(): string | undefined {
    return lastOf(this.#parts, 'pattern', isText)
  }

  get minLength(): number | undefined {
    return greatest(this.#parts, 'minLength')
  }

  get maxLength(): number | undefined {
    return least(this.#parts, 'maxLength')
  }

  get minimum(): number | undefined {
    const { inclusive } = numericBounds(this.#parts, 'minimum', 'exclusiveMinimum')
    return inclusive.length > 0 ? Math.max(...inclusive) : undefined
  }

  get maximum(): number | undefined {
    const { inclusive } = numericBounds(this.#parts, 'maximum', 'exclusiveMaximum')
    return inclusive.length > 0 ? Math.min(...inclusive) : undefined
  }

  get exclusiveMinimum(): number | undefined {
    const { exclusive } = numericBounds(this.#parts, 'minimum', 'exclusiveMinimum')
    return exclusive.length > 0 ? Math.max(...exclusive) : undefined
  }

  get exclusiveMaximum(): number | undefined {
    const { exclusive } = numericBounds(this.#parts, 'maximum', 'exclusiveMaximum')
    return exclusive.length > 0 ? Math.min(...exclusive) : undefined
  }

  get multipleOf(): number | undefined {
    return lastOf(this.#parts, 'multipleOf', (value): value is number => isNumber(value) && value > 0)
  }

  get minItems(): number | undefined {
    return greatest(this.#parts, 'minItems')
  }

  get maxItems(): number | undefined {
    return least(this.#parts, 'maxItems') ?? tupleLength(this.#parts)
  }

  get minProperties(): number | undefined {
    return greatest(this.#parts, 'minProperties')
  }

  get maxProperties(): number | undefined {
    return least(this.#parts, 'maxProperties')
  }

  get uniqueItems(): boolean {
    return this.#parts.some((part) => part.uniqueItems === true)
  }

  get required(): ReadonlySet<string> {
    this.#required ??= requiredOf(this.#parts, this.#source.mostProperties)
    return this.#required
  }

  get readOnly(): boolean {
    return this.#parts.some((part) => part.readOnly === true)
  }

  get writeOnly(): boolean {
    return this.#parts.some((part) => part.writeOnly === true)
  }

  get example(): Json | undefined {
    return exampleOf(this.#parts)
  }

  get default(): Json | undefined {
    return lastOf(this.#parts, 'default', isPresent)
  }

  get title(): string | undefined {
    return lastOf(this.#parts, 'title', isText)
  }

  get description(): string | undefined {
    return lastOf(this.#parts, 'description', isText)
  }

  get #allowed(): readonly Json[] | undefined {
    if (this.#values === null) this.#values = allowedValues(this.#parts, this.#source)
    return this.#values
  }
}

/** Values that every `enum` and `const` of the parts allows. */
function allowedValues(parts: readonly JsonObject[], source: ConstraintSource): readonly Json[] | undefined {
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
