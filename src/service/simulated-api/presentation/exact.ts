import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { type Checker, checkerOf } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/** A declared field, with its checks for every record. */
interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  /** Whether answers omit it. */
  readonly isHidden: boolean
  readonly check: Checker
}

/** A list, with the bounds of its length. */
interface List {
  /** Undefined where items depend on others or on their place: such lists take the slower path. */
  readonly items: Schema | undefined
  readonly least: number
  readonly most: number
}

const MAX_DEPTH = 60

/** Finds objects that already are as an answer shows them. Caches the checks of one description's schemas. */
export class ExactObjects {
  readonly #fields = new Map<Schema, readonly Field[]>()
  readonly #lists = new Map<Schema, List>()

  /**
   * Whether an object is already as an answer shows it: only declared fields, in the declared order, with fitting
   * values. This is true for most kept records, which then need no copy.
   */
  has(value: JsonObject, schema: Schema, depth: number): boolean {
    if (schema.variants !== undefined || depth > MAX_DEPTH) return false
    const fields = this.#fieldsOf(schema)
    let at = 0
    for (const name in value) {
      while (at < fields.length && fields[at]?.name !== name) if (fields[at++]?.isRequired) return false
      const field = fields[at++]
      if (field === undefined || field.isHidden || !this.#isExactValue(value[name] as Json, field, depth)) return false
    }
    while (at < fields.length) if (fields[at++]?.isRequired) return false
    return true
  }

  #isExactValue(value: Json, { schema, check }: Field, depth: number): boolean {
    if (typeof value !== 'object' || value === null) return check(value) === undefined
    if (Array.isArray(value)) return this.#isExactArray(value, schema, depth + 1)
    return isOfType(schema, 'object') && this.has(value, schema, depth + 1)
  }

  #isExactArray(values: readonly Json[], schema: Schema, depth: number): boolean {
    const list = this.#lists.get(schema) ?? findList(schema)
    this.#lists.set(schema, list)
    const { items, least, most } = list
    if (items === undefined || values.length < least || values.length > most) return false
    if (values.length === 0) return true
    const check = checkerOf(items, { direction: 'response' })
    for (const value of values) if (!this.#isExactItem(value, items, check, depth)) return false
    return true
  }

  #isExactItem(value: Json, schema: Schema, check: Checker, depth: number): boolean {
    if (Array.isArray(value)) return false
    if (isJsonObject(value)) return isOfType(schema, 'object') && this.has(value, schema, depth)
    return check(value) === undefined
  }

  #fieldsOf(schema: Schema): readonly Field[] {
    const known = this.#fields.get(schema)
    if (known) return known
    const fields = findFields(schema)
    this.#fields.set(schema, fields)
    return fields
  }
}

const isOfType = ({ types }: Schema, type: 'object' | 'array'): boolean => types.length === 0 || types.includes(type)

function findList(schema: Schema): List {
  const { items, variants, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems, raw } = schema
  const isTuple = 'prefixItems' in raw || Array.isArray(raw.items)
  const isPlain = !isTuple && variants === undefined && isOfType(schema, 'array')
  return { items: isPlain ? items : undefined, least: minItems, most: uniqueItems ? Math.min(1, maxItems) : maxItems }
}

function findFields(schema: Schema): readonly Field[] {
  const { properties, required } = schema
  const fields = [...properties].map(([name, field]): Field => {
    const isHidden = field.writeOnly
    const isRequired = required.has(name) && !isHidden
    return { name, schema: field, isRequired, isHidden, check: checkerOf(field, { direction: 'response' }) }
  })
  const undeclared = [...required].filter((name) => !properties.has(name))
  const missing = undeclared.map((name): Field => {
    return { name, schema, isRequired: true, isHidden: true, check: checkerOf(schema, { direction: 'response' }) }
  })
  return [...fields, ...missing]
}
