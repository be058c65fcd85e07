import { nestPairs } from '../../../protocol/form.ts'
import { getOwn, type Json, type JsonObject, jsonOr, setOwn } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Parameter } from '../../openapi/model.ts'
import { coerce } from '../body/coerce.ts'
import { parsePairs } from '../body/form.ts'

const DELIMITERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    form: ',',
    simple: ',',
    spaceDelimited: ' ',
    pipeDelimited: '|',
    tabDelimited: '\t',
  }),
)

/** The query of a request, parsed by the operation's parameters. */
export interface Query {
  /** By declared name; undeclared parameters by the name before the first bracket. */
  readonly values: Readonly<Record<string, Json>>
  /** Names and texts as sent. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Whether each name occurs once, and without brackets. */
  readonly isFlat: boolean
}

const EMPTY_QUERY: Query = { values: {}, pairs: [], isFlat: true }

/** A parameter that depends only on the value of its own name. */
interface FlatParameter {
  readonly parameter: Parameter
  readonly isText: boolean
}

/** Parses the queries of one operation: declared parameters by style and schema, others as nested texts. */
export class QueryReader {
  readonly #parameters: readonly Parameter[]
  #flat: ReadonlyMap<string, FlatParameter | undefined> | undefined
  #names: { readonly own: ReadonlySet<string>; readonly byLowerCase: ReadonlyMap<string, string> } | undefined

  constructor(parameters: readonly Parameter[]) {
    this.#parameters = parameters
  }

  read(text: string): Query {
    if (text === '') return EMPTY_QUERY
    const pairs = this.#inDeclaredCase(parsePairs(text))
    this.#flat ??= findFlat(this.#parameters)
    return readFlat(this.#flat, pairs) ?? readNested(this.#parameters, pairs)
  }

  /** The declared names. */
  get names(): readonly string[] {
    this.#names ??= namesOf(this.#parameters)
    return [...this.#names.own]
  }

  /** The names in a query that are not declared, without those in brackets. */
  undeclaredIn({ pairs }: Query): string[] {
    this.#names ??= namesOf(this.#parameters)
    const { own } = this.#names
    return pairs.map(([name]) => name).filter((name) => !own.has(name) && !name.includes('[') && !own.has(`${name}[]`))
  }

  /** `?count=` of a declared `Count`. */
  #inDeclaredCase(pairs: Query['pairs']): Query['pairs'] {
    this.#names ??= namesOf(this.#parameters)
    const { own, byLowerCase } = this.#names
    if (pairs.every(([name]) => own.has(name) || !byLowerCase.has(name.toLowerCase()))) return pairs
    return pairs.map(([name, value]) => [own.has(name) ? name : (byLowerCase.get(name.toLowerCase()) ?? name), value])
  }
}

function namesOf(parameters: readonly Parameter[]) {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return { own: new Set(names), byLowerCase: new Map(names.map((name) => [name.toLowerCase(), name])) }
}

/** By name; undefined where other names matter too. Empty where fields of any name may form a parameter. */
function findFlat(parameters: readonly Parameter[]): ReadonlyMap<string, FlatParameter | undefined> {
  const flat = new Map<string, FlatParameter | undefined>()
  for (const parameter of parameters) {
    if (takesFields(parameter)) return NO_FLAT
    const base = withoutBrackets(parameter.name)
    const isAlone = base === parameter.name && !flat.has(base)
    flat.set(base, isAlone ? { parameter, isText: takesAnyText(parameter) } : undefined)
  }
  return flat
}

const NO_FLAT: ReadonlyMap<string, undefined> = new Map()

/** The fast path for most queries; undefined where the slow one is needed. */
function readFlat(flat: ReadonlyMap<string, FlatParameter | undefined>, pairs: Query['pairs']): Query | undefined {
  if (flat === NO_FLAT) return undefined
  const values: Record<string, Json> = {}
  for (const [name, text] of pairs) {
    // This excludes inherited names too.
    if (values[name] !== undefined || name === 'prototype' || name.includes('[')) return undefined
    const own = flat.get(name)
    if (own === undefined) {
      if (flat.has(name)) return undefined
      values[name] = text
    } else if (own.isText) values[name] = text
    else if (isLeftOut(own.parameter, [text])) return undefined
    else values[name] = fromTexts(own.parameter, [text])
  }
  return { values, pairs, isFlat: true }
}

function readNested(parameters: readonly Parameter[], pairs: Query['pairs']): Query {
  const nested = nestPairs(pairs)
  const values: Record<string, Json> = { ...nested }
  for (const parameter of parameters) {
    const value = readParameter(parameter, pairs, nested)
    if (value !== undefined) setOwn(values, parameter.name, value)
    else if (getOwn(values, parameter.name) === '') delete values[parameter.name]
  }
  return { values, pairs, isFlat: false }
}

/** The query's values of a parameter, with or without `[]`. */
export function textsOf({ name }: Parameter, pairs: Query['pairs']): readonly string[] {
  const base = withoutBrackets(name)
  let texts: string[] | undefined
  for (const [key, value] of pairs) {
    if (key !== name && key !== base && !(key.endsWith('[]') && withoutBrackets(key) === base)) continue
    if (texts === undefined) texts = [value]
    else texts.push(value)
  }
  return texts ?? NO_TEXTS
}

const NO_TEXTS: readonly string[] = []

const withoutBrackets = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name)

function readParameter(parameter: Parameter, pairs: Query['pairs'], nested: JsonObject): Json | undefined {
  const texts = textsOf(parameter, pairs)
  if (texts.length > 0) return isLeftOut(parameter, texts) ? undefined : fromTexts(parameter, texts)
  if (takesFields(parameter)) return fromFields(parameter, pairs)
  const value = getOwn(nested, withoutBrackets(parameter.name))
  return value === undefined || typeof value === 'string' ? undefined : coerce(value, parameter.schema)
}

/** `?cursor=&limit=`: many clients send parameters without a value; a text may be empty. */
function isLeftOut({ schema }: Parameter, texts: readonly string[]): boolean {
  if (schema === undefined || schema.types.length === 0 || schema.types.includes('string')) return false
  return !schema.types.includes('array') && texts.every((text) => text === '')
}

/** Exploded objects of style `form` are in the query by their fields' names. */
const takesFields = ({ schema, explode, style }: Parameter): boolean =>
  schema?.types.includes('object') === true && explode && style === 'form'

function fromFields(parameter: Parameter, pairs: Query['pairs']): Json | undefined {
  const fields = pairs.filter(([key]) => parameter.schema?.properties.has(key))
  return fields.length === 0 ? undefined : coerce(nestPairs(fields), parameter.schema)
}

/** Whether a text needs no conversion. */
export function takesAnyText({ schema }: Parameter): boolean {
  if (schema === undefined) return true
  if (schema.variants !== undefined || takesArray(schema)) return false
  const isAnyText = schema.enum?.every((item) => typeof item === 'string') ?? true
  return schema.types.length === 0 || (schema.types.includes('string') && isAnyText)
}

const takesArray = (schema: Schema | undefined): boolean =>
  schema?.types.includes('array') === true ||
  schema?.variants?.some((variant) => variant.types.includes('array')) === true

export function fromTexts(parameter: Parameter, texts: readonly string[]): Json {
  const { schema } = parameter
  const last = texts.at(-1) as string
  if (!takesArray(schema)) return coerce(texts.length > 1 && schema === undefined ? [...texts] : last, schema)
  const delimiter = DELIMITERS.get(parameter.style) ?? ','
  // `filters={"field":"a","value":1},{"field":"b"}`: the commas of JSON divide nothing.
  const written = texts.length === 1 && last.startsWith('{') ? jsonOr(`[${last}]`, last) : last
  if (Array.isArray(written) && schema?.items?.types.includes('object')) return coerce(written, schema)
  const isJoined = texts.length === 1 && last.includes(delimiter)
  if (isJoined) return coerce(last.split(delimiter), schema)
  return coerce(
    last === '' && texts.length === 1
      ? []
      : schema?.types.includes('array')
        ? [...texts]
        : texts.length > 1
          ? [...texts]
          : last,
    schema,
  )
}
