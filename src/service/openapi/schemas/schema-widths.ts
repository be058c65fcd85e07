import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { hasOwnContent, type LocalReferences } from '../references.ts'
import { MOST_MADE, MOST_MERGED, MOST_PROPERTIES, MOST_WAYS } from './schema-bounds.ts'
import { objectsOf } from './schema-parts.ts'

/** How deep schemas are followed. */
const MAX_DEPTH = 500

/** How many properties the schemas of a description have once those of their parts and alternatives are merged into them. */
export class SchemaWidths {
  readonly #references: LocalReferences
  readonly #widths = new Map<JsonObject, number>()
  /** How many schemas have this many properties. */
  readonly #counts = new Uint32Array(MOST_PROPERTIES + 1)
  #counted = 0
  readonly #choices = new Map<JsonObject, number>()
  /** Alternatives that are made up, since their schemas have keywords besides. */
  #made = 0

  constructor(references: LocalReferences) {
    this.#references = references
  }

  /** Counts a schema that merges others; what is written by itself is bounded by the text. */
  add(raw: JsonObject): void {
    const isMerged = raw.allOf !== undefined || raw.oneOf !== undefined || raw.anyOf !== undefined
    if (!isMerged && (raw.$ref === undefined || !hasOwnContent(raw))) return
    const width = this.#widthOf(raw, 0)
    this.#counts[width] = (this.#counts[width] as number) + 1
    this.#counted++
    if (Object.keys(raw).length > 1) this.#made += this.#alternativesOf(raw, 0)
  }

  /** Most alternatives of alternatives that are made up of each schema, so that all together are no more than can be held. */
  get mostWays(): number {
    return Math.max(1, Math.min(MOST_WAYS, Math.floor(MOST_MADE / Math.max(this.#made, 1))))
  }

  /** Most properties that are read of each schema, so that all together have no more than can be held. */
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

  /** Alternatives of the choices of a schema and of its parts. A schema inside itself adds nothing. */
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

  /** At most {@link MOST_PROPERTIES}. A schema inside itself adds nothing. */
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

/** However many schemas there are. */
const LEAST_PROPERTIES = 20
