import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { hasOwnContent, type LocalReferences } from '../references.ts'
import { MOST_MADE, MOST_MERGED, MOST_PROPERTIES, MOST_WAYS, objectsOf } from './schema-parts.ts'

/** Deepest nesting of schemas that is followed. */
const MAX_DEPTH = 500

/** Counts properties of a description's schemas, after merging the parts and alternatives. */
export class SchemaWidths {
  readonly #references: LocalReferences
  readonly #widths = new Map<JsonObject, number>()
  readonly #counts = new Uint32Array(MOST_PROPERTIES + 1)
  #counted = 0
  readonly #choices = new Map<JsonObject, number>()
  /** Number of combined alternatives, generated because their schemas have further keywords. */
  #made = 0

  constructor(references: LocalReferences) {
    this.#references = references
  }

  /** Counts a merged schema; a schema without merging is bounded by the text. */
  add(raw: JsonObject): void {
    const isMerged = raw.allOf !== undefined || raw.oneOf !== undefined || raw.anyOf !== undefined
    if (!isMerged && (raw.$ref === undefined || !hasOwnContent(raw))) return
    const width = this.#widthOf(raw, 0)
    this.#counts[width] = (this.#counts[width] as number) + 1
    this.#counted++
    if (Object.keys(raw).length > 1) this.#made += this.#alternativesOf(raw, 0)
  }

  /** Most combined alternatives generated per schema, so that all together fit in memory. */
  get mostWays(): number {
    return Math.max(1, Math.min(MOST_WAYS, Math.floor(MOST_MADE / Math.max(this.#made, 1))))
  }

  /** Most properties read per schema, so that all together fit in memory. */
  get most(): number {
    let sum = 0
    let wider = this.#counted
    for (let most = 0; most < MOST_PROPERTIES; most++) {
      wider -= this.#counts[most] as number
      if (wider === 0) break
      sum += wider
      if (sum > MOST_MERGED) return Math.max(most, LEAST_PROPERTIES)
    }
    return MOST_PROPERTIES
  }

  /** Number of alternatives in the choices of a schema and its parts. A recursive schema adds nothing. */
  #alternativesOf(raw: JsonObject, depth: number): number {
    const known = this.#choices.get(raw)
    if (known !== undefined || depth > MAX_DEPTH) return known ?? 0
    this.#choices.set(raw, 0)
    const parts = objectsOf(raw.allOf)
    if (typeof raw.$ref === 'string') parts.push(this.#references.follow(raw.$ref).value)
    let count = 0
    for (const choice of [objectsOf(raw.oneOf), objectsOf(raw.anyOf)]) if (choice.length > 1) count += choice.length
    for (const part of parts) count += this.#alternativesOf(part, depth + 1)
    const bounded = Math.min(count, MOST_MADE)
    this.#choices.set(raw, bounded)
    return bounded
  }

  /** At most {@link MOST_PROPERTIES}. A recursive schema adds nothing. */
  #widthOf(raw: JsonObject, depth: number): number {
    const known = this.#widths.get(raw)
    if (known !== undefined || depth > MAX_DEPTH) return known ?? 0
    this.#widths.set(raw, 0)
    let width = isJsonObject(raw.properties) ? Object.keys(raw.properties).length : 0
    const parts = [...objectsOf(raw.allOf), ...objectsOf(raw.oneOf), ...objectsOf(raw.anyOf)]
    if (typeof raw.$ref === 'string') parts.push(this.#references.follow(raw.$ref).value)
    for (const part of parts) {
      if (width >= MOST_PROPERTIES) break
      width += this.#widthOf(part, depth + 1)
    }
    const bounded = Math.min(width, MOST_PROPERTIES)
    this.#widths.set(raw, bounded)
    return bounded
  }
}

/** Least limit of properties, for any number of schemas. */
const LEAST_PROPERTIES = 20
