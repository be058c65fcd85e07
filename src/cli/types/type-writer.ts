import type { Json } from '../../protocol/json.ts'
import type { Schema } from '../../service/openapi/schema.ts'

/** Nesting beyond which an unnamed schema is written as `unknown`. */
const MOST_DEPTH = 12

/** Writes schemas as TypeScript types; those with a name of their own once, as members of `components['schemas']`. */
export class TypeWriter {
  readonly #named = new Map<string, Schema>()
  readonly #texts = new Map<string, string>()

  /** The type of a value that fits `schema`, on one line. */
  typeOf(schema: Schema | undefined, depth = 0): string {
    if (schema === undefined || depth > MOST_DEPTH) return 'unknown'
    return this.#reference(schema) ?? this.#inline(schema, depth)
  }

  /** Members of `components['schemas']`, by name; complete once every other type has been written. */
  components(): [name: string, type: string][] {
    for (let written = -1; written < this.#texts.size; ) {
      written = this.#texts.size
      for (const [name, schema] of [...this.#named]) {
        if (!this.#texts.has(name)) this.#texts.set(name, this.#inline(schema, 0))
      }
    }
    return [...this.#texts].sort(([left], [right]) => (left < right ? -1 : 1))
  }

  /** A schema is referred to by its name when it is the first of that name, or the same but for null. */
  #reference(schema: Schema): string | undefined {
    const { name } = schema
    if (name === undefined || !isStructured(schema)) return undefined
    const known = this.#named.get(name)
    if (known === undefined) this.#named.set(name, schema)
    else if (known !== schema && JSON.stringify(known.raw) !== JSON.stringify(schema.raw)) return undefined
    return `components['schemas'][${quote(name)}]`
  }

  #inline(schema: Schema, depth: number): string {
    const type = this.#withoutNull(schema, depth)
    return schema.nullable && type !== 'unknown' ? `${type} | null` : type
  }

  #withoutNull(schema: Schema, depth: number): string {
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ') || 'never'
    if (schema.variants !== undefined) return unionOf(schema.variants.map((variant) => this.typeOf(variant, depth + 1)))
    const types = schema.types.map((type) => this.#ofType(schema, type, depth))
    return types.length === 0 ? 'unknown' : unionOf(types)
  }

  #ofType(schema: Schema, type: Schema['types'][number], depth: number): string {
    switch (type) {
      case 'integer':
        return 'number'
      case 'array':
        return `(${this.typeOf(schema.items, depth + 1)})[]`
      case 'object':
        return this.#object(schema, depth)
      default:
        return type
    }
  }

  #object(schema: Schema, depth: number): string {
    const members = [...schema.properties].map(([name, value]) => {
      const readOnly = value.readOnly ? 'readonly ' : ''
      return `${readOnly}${quote(name)}${schema.required.has(name) ? '' : '?'}: ${this.typeOf(value, depth + 1)}`
    })
    const { additionalProperties: rest } = schema
    if (members.length > 0) return `{ ${members.join('; ')} }`
    return `{ [name: string]: ${typeof rest === 'object' ? this.typeOf(rest, depth + 1) : 'unknown'} }`
  }
}

/** A text as a TypeScript string literal. */
export const quote = (text: string): string => JSON.stringify(text)

const isStructured = ({ types, variants, enum: values }: Schema): boolean =>
  types.includes('object') || variants !== undefined || values !== undefined

const literal = (value: Json): string =>
  typeof value === 'object' && value !== null ? 'object' : JSON.stringify(value)

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')
