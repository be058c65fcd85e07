import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import { contradictionIn } from './contradiction.ts'
import { toRegExp } from './to-reg-exp.ts'

/** Checks values against the schemas of one description as written, with Ajv: independent of our own reading of them. */
export class SchemaChecker {
  readonly #document: JsonObject
  readonly #isOld: boolean
  readonly #ajv: Ajv
  /** Where each raw schema went among the definitions handed to Ajv. */
  readonly #names = new Map<unknown, string>()
  readonly #compiled = new Map<JsonObject, ValidateFunction | string>()
  #pending: [string, JsonObject][] = []

  constructor(document: JsonObject) {
    this.#document = document
    this.#isOld = document.swagger !== undefined || /^3\.0/.test(String(document.openapi))
    const options = {
      strict: false,
      allErrors: false,
      logger: false,
      code: { regExp: toRegExp },
      validateFormats: true,
      verbose: true,
      // 19.99 is a multiple of 0.01.
      multipleOfPrecision: 9,
    } as const
    this.#ajv = (this.#isOld ? new Ajv(options) : new Ajv2020(options)) as Ajv
    addFormats.default(this.#ajv)
  }

  /** Undefined when `value` fits the schema, else why not. Throws {@link Uncompilable} for a schema that Ajv refuses. */
  check(raw: JsonObject, value: unknown): string | undefined {
    const validate = this.#validator(raw)
    if (typeof validate === 'string') throw new Uncompilable(validate)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    const schema = error?.parentSchema as JsonObject | undefined
    const contradiction = schema && (this.#requiresItself(schema) ? 'it requires itself' : contradictionIn(schema))
    if (contradiction !== undefined) throw new Uncompilable(`nothing fits: ${contradiction}`)
    return `${error?.instancePath || '/'} ${error?.message} ${JSON.stringify(error?.params)}`
  }

  /** Whether a value of the schema must have another one inside, without end. */
  #requiresItself(schema: JsonObject): boolean {
    const required = Array.isArray(schema.required) ? schema.required : []
    return required.some((name) => {
      const field = propertiesOf(schema)[String(name)]
      const ref = isJsonObject(field) ? field.$ref : undefined
      return typeof ref === 'string' && this.#ajv.getSchema(ref)?.schema === schema
    })
  }

  #validator(raw: JsonObject): ValidateFunction | string {
    const known = this.#compiled.get(raw)
    if (known) return known
    let compiled: ValidateFunction | string
    try {
      const reference = this.#refer(raw)
      this.#define()
      compiled = this.#ajv.compile({ $ref: reference })
    } catch (error) {
      compiled = (error as Error).message
    }
    this.#compiled.set(raw, compiled)
    return compiled
  }

  /** Hands Ajv everything that the schemas so far refer to. */
  #define(): void {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      const [name, raw] = next
      this.#ajv.addSchema(this.#schema(raw) as object, name)
    }
  }

  #refer(raw: JsonObject): string {
    const known = this.#names.get(raw)
    if (known !== undefined) return known
    const name = `schema:s${this.#names.size}`
    this.#names.set(raw, name)
    this.#pending.push([name, raw])
    return name
  }

  #schema(written: unknown): Json {
    if (!isJsonObject(written)) return written === false ? { not: {} } : {}
    const raw = this.#closedOverAll(written)
    if (this.#excludesItself(raw)) throw new Error('nothing fits: enums that exclude each other')
    const converted: JsonObject = {}
    for (const [key, value] of Object.entries(raw)) this.#keyword(converted, raw, key, value)
    this.#discriminate(converted, raw)
    if (converted.oneOf !== undefined && this.#areOpen(raw.oneOf)) {
      converted.allOf = [...(Array.isArray(converted.allOf) ? converted.allOf : []), { anyOf: converted.oneOf }]
      delete converted.oneOf
    }
    // OpenAPI 3.0 and 2.0: what stands beside a reference does not count, but for `nullable`.
    const isNullable = raw.nullable === true || raw['x-nullable'] === true
    if (typeof raw.$ref === 'string' && this.#isOld) {
      return isNullable
        ? { anyOf: [{ $ref: converted.$ref as string }, { type: 'null' }] }
        : { $ref: converted.$ref as string }
    }
    return isNullable && this.#isOld ? withNull(converted) : converted
  }

  #keyword(converted: JsonObject, raw: JsonObject, key: string, value: Json): void {
    if (key.startsWith('x-') || SKIPPED.has(key)) return
    if (key === '$ref') converted.$ref = this.#reference(String(value))
    else if (MAPS.has(key) && isJsonObject(value)) {
      converted[key] = Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#schema(schema)]))
    } else if (LISTS.has(key) && Array.isArray(value)) converted[key] = value.map((schema) => this.#schema(schema))
    else if (SINGLE.has(key)) {
      converted[key] =
        typeof value === 'boolean'
          ? value
          : Array.isArray(value)
            ? value.map((item) => this.#schema(item))
            : this.#schema(value)
    } else if (key === 'required') {
      if (Array.isArray(value))
        converted.required = [
          ...new Set(value.filter((name) => !isWriteOnly(raw, String(name)) && !isForbidden(raw, String(name)))),
        ]
    } else if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
      const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
      if (typeof value === 'number') converted[key] = value
      else if (value === true && typeof raw[bound] === 'number') converted[key] = raw[bound]
    } else if (key === 'type') {
      if (value === 'file') converted.type = 'string'
      else converted.type = value
    } else if (key === 'enum') {
      if (Array.isArray(value) && value.length > 0)
        converted.enum = [...new Map(value.map((item) => [JSON.stringify(item), item])).values()]
    } else converted[key] = value
  }

  /**
   * OpenAPI, Discriminator Object: the property's value names the schema that applies. Only values that it does not name
   * are tried against all alternatives.
   */
  #discriminate(converted: JsonObject, raw: JsonObject): void {
    const property = isJsonObject(raw.discriminator) ? raw.discriminator.propertyName : undefined
    const rule = Array.isArray(raw.oneOf) ? 'oneOf' : 'anyOf'
    const alternatives = raw[rule]
    if (typeof property !== 'string' || !Array.isArray(alternatives)) return
    const refs = alternatives.flatMap((schema) =>
      isJsonObject(schema) && typeof schema.$ref === 'string' ? [schema.$ref] : [],
    )
    const mapping =
      isJsonObject(raw.discriminator) && isJsonObject(raw.discriminator.mapping) ? raw.discriminator.mapping : {}
    const named = Object.entries(mapping).map(([value, ref]): [string, string] => [
      value,
      String(ref).includes('#') ? String(ref) : `#/components/schemas/${ref}`,
    ])
    const cases = (
      named.length > 0 ? named : refs.map((ref): [string, string] => [ref.split('/').at(-1) ?? '', ref])
    ).filter(([, ref]) => refs.includes(ref))
    const has = (values: string[]): JsonObject => ({
      required: [property],
      properties: { [property]: { enum: values } },
    })
    const whole = { [rule]: converted[rule] as Json }
    delete converted[rule]
    converted.allOf = [
      ...(Array.isArray(converted.allOf) ? converted.allOf : []),
      ...cases.map(([value, ref]) => conditional(has([value]), { $ref: this.#reference(ref) })),
      ...(cases.length > 0 ? [conditional({ not: has(cases.map(([value]) => value)) }, whole)] : [whole]),
    ]
  }

  /**
   * `allOf` of schemas that each forbid what the others describe: read as closed over what all of them describe, since nothing
   * with a field would fit otherwise. An alternative is closed over what it describes itself, and what stands `around` its choice.
   */
  #closedOverAll(raw: JsonObject, around: readonly string[] = []): JsonObject {
    if (!Array.isArray(raw.allOf) && around.length === 0) return raw
    const parts = this.#partsOf(raw, 0)
    const names = [...new Set([...around, ...parts.flatMap((part) => this.#namesIn(part, 0))])]
    const isForbidding = (part: JsonObject) =>
      part.additionalProperties === false && names.some((name) => !Object.hasOwn(propertiesOf(part), name))
    if (!parts.some(isForbidding)) return raw
    const own = [...around, ...parts.flatMap((part) => Object.keys(propertiesOf(part)))]
    const opened = parts.map(({ additionalProperties: _, allOf: __, ...part }) => this.#openChoices(part, own))
    return { allOf: opened, propertyNames: { enum: names } }
  }

  #openChoices(part: JsonObject, around: readonly string[]): JsonObject {
    const choices = (['oneOf', 'anyOf'] as const).filter((rule) => Array.isArray(part[rule]))
    const open = (written: Json) => (isJsonObject(written) ? this.#closedOverAll(written, around) : written)
    const opened = choices.map((rule) => [rule, (part[rule] as readonly Json[]).map(open)])
    return { ...part, ...Object.fromEntries(opened) }
  }

  /** `allOf` of enums without a common value. */
  #excludesItself(raw: JsonObject): boolean {
    if (!Array.isArray(raw.allOf)) return false
    const [first, ...others] = this.#partsOf(raw, 0).flatMap((part) => (Array.isArray(part.enum) ? [part.enum] : []))
    return (
      first !== undefined && others.length > 0 && !first.some((value) => others.every((all) => all.includes(value)))
    )
  }

  /** Names that a schema or any of its alternatives describes. */
  #namesIn(part: JsonObject, depth: number): string[] {
    const others = [part.oneOf, part.anyOf].flatMap((all) => (Array.isArray(all) ? all : []))
    const inner = depth > MOST_PARTS_DEEP ? [] : others.flatMap((other) => this.#partsOf(other, 0))
    return [...Object.keys(propertiesOf(part)), ...inner.flatMap((other) => this.#namesIn(other, depth + 1))]
  }

  /** A schema and those that it is composed of, references followed. */
  #partsOf(written: unknown, depth: number): JsonObject[] {
    const ref = isJsonObject(written as Json) ? (written as JsonObject).$ref : undefined
    const raw = typeof ref === 'string' ? this.#target(ref) : written
    if (!isJsonObject(raw as Json) || depth > MOST_PARTS_DEEP) return []
    const { allOf } = raw as JsonObject
    const inner = Array.isArray(allOf) ? allOf.flatMap((part) => this.#partsOf(part, depth + 1)) : []
    return [raw as JsonObject, ...inner]
  }

  /** Whether alternatives are objects that may have further fields: a value that several of them meet is no fault. */
  #areOpen(alternatives: Json | undefined): boolean {
    if (!Array.isArray(alternatives)) return false
    const written = alternatives.map((alternative) =>
      isJsonObject(alternative) && typeof alternative.$ref === 'string' ? this.#target(alternative.$ref) : alternative,
    )
    // That a value may be null as well closes no object.
    const others = written.filter((schema) => !isJsonObject(schema as Json) || (schema as JsonObject).type !== 'null')
    return others.every((schema) => {
      if (!isJsonObject(schema as Json)) return false
      const { type, properties, allOf, additionalProperties } = schema as JsonObject
      if (additionalProperties === false) return false
      return type === 'object' || isJsonObject(properties) || Array.isArray(allOf)
    })
  }

  #reference(ref: string): string {
    const target = this.#target(ref)
    return isJsonObject(target) ? this.#refer(target) : `schema:missing-${ref}`
  }

  #target(ref: string): unknown {
    let target: unknown = this.#document
    for (const token of ref.replace(/^#\/?/, '').split('/')) {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
      target = typeof target === 'object' && target !== null ? (target as Record<string, unknown>)[name] : undefined
    }
    return target
  }
}

/** A schema that Ajv refuses (a bad regular expression, a reference that leads nowhere) or that no value fits. Not counted. */
export class Uncompilable extends Error {}

const MOST_PARTS_DEEP = 8

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {})

const SKIPPED = new Set([
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
  'example',
  'examples',
  'description',
  'title',
  'default',
  '$schema',
  '$id',
  'id',
  'deprecated',
  'readOnly',
  'writeOnly',
  'summary',
  '$recursiveAnchor',
  '$recursiveRef',
])
const MAPS = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas'])
const LISTS = new Set(['allOf', 'oneOf', 'anyOf', 'prefixItems'])
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
])

function withNull(schema: JsonObject): JsonObject {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return {
    ...schema,
    type: [...new Set([...types, 'null'])],
    ...(Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}),
  }
}

/** `if` the value fits the one schema, it must fit the other: written as a choice. */
const conditional = (condition: JsonObject, consequence: JsonObject): JsonObject => ({
  anyOf: [{ not: condition }, consequence],
})

/** A name that is required, not declared, and so forbidden: no value would fit. */
function isForbidden({ additionalProperties, properties, patternProperties }: JsonObject, name: string): boolean {
  if (additionalProperties !== false || patternProperties !== undefined) return false
  return isJsonObject(properties) && !Object.hasOwn(properties, name)
}

/** Write-only properties are required of requests, not of answers. */
function isWriteOnly(raw: JsonObject, name: string): boolean {
  const property = isJsonObject(raw.properties) ? raw.properties[name] : undefined
  return isJsonObject(property) && property.writeOnly === true
}
