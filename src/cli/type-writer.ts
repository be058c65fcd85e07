import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import type { Schema } from '../schema/schema.ts'
import type { ComponentSchemas } from '../service/openapi/schemas/component-schemas.ts'

/** Deeper unnamed schemas are written as `unknown`. */
const MOST_DEPTH = 12

/**
 * Writes schemas as TypeScript types. Those of components are written once, as members of `components['schemas']`, and
 * referenced everywhere: also with more fields, or as one alternative of a discriminator.
 */
export class TypeWriter {
  readonly #components: ComponentSchemas
  /** Schemas by the names of their types. */
  readonly #named = new Map<string, Schema>()
  readonly #texts = new Map<string, string>()
  /** Type names of schemas that were derived from components. */
  readonly #made = new Map<Schema, string>()
  readonly #madeByText = new Map<string, string>()

  constructor(components: ComponentSchemas) {
    this.#components = components
  }

  /** The type of a value that fits `schema`, on one line. */
  typeOf(schema: Schema | undefined, depth = 0): string {
    if (schema === undefined || depth > MOST_DEPTH) return 'unknown'
    const type = this.#reference(schema) ?? this.#composed(schema, depth) ?? this.#withoutNull(schema, depth)
    return schema.nullable && type !== 'unknown' ? `${type} | null` : type
  }

  /** Members of `components['schemas']`, by name; complete after every other type has been written. */
  components(): [name: string, type: string][] {
    for (let written = -1; written < this.#texts.size; ) {
      written = this.#texts.size
      for (const [name, schema] of [...this.#named]) {
        if (!this.#texts.has(name)) this.#texts.set(name, this.#withoutNull(schema, 0))
      }
    }
    return [...this.#texts].sort(([left], [right]) => (left < right ? -1 : 1))
  }

  #reference(schema: Schema): string | undefined {
    if (!isStructured(schema)) return undefined
    const component = this.#components.find(schema.raw)
    if (component) return this.#refer(component.name, component.schema)
    return schema.name === undefined || this.#basesOf(schema.raw) ? undefined : this.#referMade(schema, schema.name)
  }

  #refer(name: string, schema: Schema): string {
    if (!this.#named.has(name)) this.#named.set(name, schema)
    return `components['schemas'][${quote(name)}]`
  }

  /** A schema with the name of a component but another content gets its own type: `Task_2`. */
  #referMade(schema: Schema, name: string): string {
    const known = this.#made.get(schema) ?? this.#madeByText.get(`${name} ${JSON.stringify(schema.raw)}`)
    if (known !== undefined) return this.#refer(known, schema)
    let free = name
    for (let number = 2; this.#named.has(free); number++) free = `${name}_${number}`
    this.#made.set(schema, free)
    this.#madeByText.set(`${name} ${JSON.stringify(schema.raw)}`, free)
    return this.#refer(free, schema)
  }

  /** A component with more fields, or with narrower fields: `components['schemas']['Cat'] & { kind: "cat" }`. */
  #composed(schema: Schema, depth: number): string | undefined {
    const found = this.#basesOf(schema.raw)
    if (!found) return undefined
    const types = [...found.bases, ...found.rest].map((part) => {
      const type = this.#reference(part) ?? this.#withoutNull(part, depth + 1)
      return type.includes(' | ') ? `(${type})` : type
    })
    return [...new Set(types)].join(' & ')
  }

  /** The components of an `allOf`, and its additions; undefined where it has other parts. */
  #basesOf(raw: JsonObject): { bases: Schema[]; rest: Schema[] } | undefined {
    if (!Array.isArray(raw.allOf)) return undefined
    const { allOf: _, ...own } = raw
    const bases: Schema[] = []
    const rest: Schema[] = []
    for (const part of [...raw.allOf, own]) {
      if (!isJsonObject(part)) return undefined
      const component = this.#components.find(part)
      const inner = component ? undefined : this.#basesOf(part)
      if (component) bases.push(component.schema)
      else if (inner) {
        bases.push(...inner.bases)
        rest.push(...inner.rest)
      } else if (!saysNothing(part)) {
        const schema = onlyAdds(part) ? this.#components.read(part) : undefined
        if (!schema) return undefined
        rest.push(schema)
      }
    }
    return bases.length > 0 ? { bases, rest } : undefined
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

/** Keywords that do not change a type. */
const UNTYPED = new Set(
  'nullable title description summary example examples default deprecated readOnly writeOnly externalDocs xml discriminator minLength maxLength pattern format'.split(
    ' ',
  ),
)

const saysNothing = (part: JsonObject): boolean =>
  Object.entries(part).every(
    ([key, value]) => UNTYPED.has(key) || key.startsWith('x-') || (key === 'type' && value === 'object'),
  )

/** Whether a part of an `allOf` only adds fields, and requires no other fields. */
function onlyAdds(part: JsonObject): boolean {
  const { properties, required = [], ...others } = part
  if (!isJsonObject(properties) || !saysNothing(others)) return false
  return (
    Array.isArray(required) && required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))
  )
}
