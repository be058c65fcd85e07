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
    const named = this.#reference(schema)
    if (named !== undefined) return schema.nullable && !named.isNullable ? `${named.text} | null` : named.text
    return withNull(schema, this.#composed(schema, depth) ?? this.#withoutNull(schema, depth))
  }

  /** Members of `components['schemas']`, by name; complete after every other type has been written. */
  components(): [name: string, type: string][] {
    for (let written = -1; written < this.#texts.size; ) {
      written = this.#texts.size
      for (const [name, schema] of [...this.#named]) {
        if (!this.#texts.has(name)) this.#texts.set(name, withNull(schema, this.#withoutNull(schema, 0)))
      }
    }
    return [...this.#texts].sort(([left], [right]) => (left < right ? -1 : 1))
  }

  #reference(schema: Schema): Reference | undefined {
    if (!isStructured(schema)) return undefined
    const component = this.#components.find(this.#onlyAlternative(schema.raw) ?? schema.raw)
    if (component) return this.#refer(component.name, component.schema)
    const isMade = schema.name !== undefined && !schema.types.includes('array') && !this.#basesOf(schema.raw)
    return isMade ? this.#referMade(schema, schema.name) : undefined
  }

  /** The schema of a choice between it and null, which says nothing else. */
  #onlyAlternative({ anyOf, oneOf, ...others }: JsonObject): JsonObject | undefined {
    const isOneChoice = anyOf === undefined || oneOf === undefined
    return isOneChoice && saysNothing(others) ? this.#components.onlyOf(anyOf ?? oneOf) : undefined
  }

  #refer(name: string, schema: Schema): Reference {
    if (!this.#named.has(name)) this.#named.set(name, schema)
    return { text: `components['schemas'][${quote(name)}]`, isNullable: schema.nullable }
  }

  /** A schema with the name of a component but another content gets its own type: `Task_2`. */
  #referMade(schema: Schema, name: string): Reference {
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
      const type = this.#reference(part)?.text ?? this.#withoutNull(part, depth + 1)
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
        return this.#tuple(schema, depth) ?? `(${this.typeOf(schema.items, depth + 1)})[]`
      case 'object':
        return this.#object(schema, depth)
      default:
        return type
    }
  }

  /** `[(string)?, (number)?]`: items that `minItems` does not require are optional. */
  #tuple({ raw, places, rest, minItems = 0, maxItems }: Schema, depth: number): string | undefined {
    if (!Array.isArray(raw.prefixItems) || places === undefined) return undefined
    const items = places
      .slice(0, maxItems)
      .map((place, at) => `(${this.typeOf(place, depth + 1)})${at < minItems ? '' : '?'}`)
    const isOpen = maxItems === undefined || maxItems > places.length
    return `[${[...items, ...(isOpen ? [`...(${this.typeOf(rest, depth + 1)})[]`] : [])].join(', ')}]`
  }

  /** The type of any member: TypeScript wants the declared ones to fit it too. */
  #indexed({ properties, required }: Schema, rest: Schema, depth: number): string {
    const types = [...properties.values(), rest].map((value) => this.typeOf(value, depth + 1))
    const isPartial = [...properties.keys()].some((name) => !required.has(name))
    const union = unionOf([...types, ...(isPartial ? ['undefined'] : [])])
    const isKnown = [...required].every((name) => properties.has(name)) && union.length <= LONGEST_REPEATED
    return isKnown && !types.includes('unknown') ? union : 'unknown'
  }

  #object(schema: Schema, depth: number): string {
    const members = [...schema.properties].map(([name, value]) => {
      const readOnly = value.readOnly ? 'readonly ' : ''
      return `${readOnly}${quote(name)}${schema.required.has(name) ? '' : '?'}: ${this.typeOf(value, depth + 1)}`
    })
    const { additionalProperties: rest } = schema
    for (const name of schema.required) if (!schema.properties.has(name)) members.push(`${quote(name)}: unknown`)
    if (typeof rest === 'object' && members.length > 0)
      members.push(`[name: string]: ${this.#indexed(schema, rest, depth)}`)
    if (members.length > 0) return `{ ${members.join('; ')} }`
    return `{ [name: string]: ${typeof rest === 'object' ? this.typeOf(rest, depth + 1) : 'unknown'} }`
  }
}

/** A longer type of any member of an object is not repeated. */
const LONGEST_REPEATED = 200

/** The name of a type, and whether its type has null. */
interface Reference {
  readonly text: string
  readonly isNullable: boolean
}

const withNull = ({ nullable }: Schema, type: string): string =>
  nullable && type !== 'unknown' ? (type === 'never' ? 'null' : `${type} | null`) : type

/** A text as a TypeScript string literal. */
export const quote = (text: string): string => JSON.stringify(text)

const isStructured = ({ types, variants, enum: values }: Schema): boolean =>
  types.includes('object') || types.includes('array') || variants !== undefined || values !== undefined

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
