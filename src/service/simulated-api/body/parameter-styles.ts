import { nestPairs } from '../../../protocol/form.ts'
import { getOwn, type Json, type JsonObject, jsonOr, setOwn } from '../../../protocol/json.ts'
import type { JsonType, Schema } from '../../../schema/schema.ts'
import type { Parameter } from '../../openapi/model.ts'
import { coerce } from './coerce.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/** The values of a query or a form: declared parameters by style and schema, others as nested texts. */
export function readFields(parameters: readonly Parameter[], pairs: Pairs): JsonObject {
  const nested = nestPairs(pairs)
  const values: JsonObject = { ...nested }
  for (const parameter of parameters) {
    const value = readParameter(parameter, pairs, nested)
    if (value !== undefined) setOwn(values, parameter.name, value)
    else if (getOwn(values, parameter.name) === '') delete values[parameter.name]
  }
  return values
}

/** The query's values of a parameter, with or without `[]`. */
export function textsOf({ name }: Parameter, pairs: Pairs): readonly string[] {
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

export const withoutBrackets = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name)

function readParameter(parameter: Parameter, pairs: Pairs, nested: JsonObject): Json | undefined {
  const texts = textsOf(parameter, pairs)
  if (texts.length > 0) return isLeftOut(parameter, texts) ? undefined : fromTexts(parameter, texts)
  if (takesFields(parameter)) return fromFields(parameter, pairs)
  const value = getOwn(nested, withoutBrackets(parameter.name))
  return value === undefined || typeof value === 'string' ? undefined : coerce(value, parameter.schema)
}

/** `?cursor=&limit=`: many clients send parameters without a value; a text may be empty. */
export function isLeftOut({ schema }: Parameter, texts: readonly string[]): boolean {
  if (schema === undefined || schema.types.length === 0 || schema.types.includes('string')) return false
  return !schema.types.includes('array') && texts.every((text) => text === '')
}

/** Exploded objects of style `form` are in the query by their fields' names. */
export const takesFields = ({ schema, explode, style }: Parameter): boolean =>
  schema?.types.includes('object') === true && explode && style === 'form'

function fromFields(parameter: Parameter, pairs: Pairs): Json | undefined {
  const fields = pairs.filter(([key]) => parameter.schema?.properties.has(key))
  return fields.length === 0 ? undefined : coerce(nestPairs(fields), parameter.schema)
}

/** Whether a text needs no conversion. */
export function takesAnyText({ schema, style }: Parameter): boolean {
  if (style === 'json') return false
  if (schema === undefined) return true
  if (schema.variants !== undefined || takes(schema, 'array')) return false
  const isAnyText = schema.enum?.every((item) => typeof item === 'string') ?? true
  return schema.types.length === 0 || (schema.types.includes('string') && isAnyText)
}

const takes = (schema: Schema | undefined, type: JsonType): boolean =>
  schema?.types.includes(type) === true || schema?.variants?.some((variant) => variant.types.includes(type)) === true

/** What stands between the items of a list or an object in one text. */
const DELIMITERS: Readonly<Record<Parameter['style'], string>> = {
  form: ',',
  simple: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
  deepObject: ',',
  label: '.',
  matrix: ';',
  json: ',',
}

/** The value of a parameter from its texts (OpenAPI, Style Values). */
export function fromTexts(parameter: Parameter, texts: readonly string[]): Json {
  const { schema, style } = parameter
  const last = texts.at(-1) as string
  if (style === 'json') return jsonOr(last, last)
  const isList = takes(schema, 'array')
  if (texts.length > 1) return coerce(isList || schema === undefined ? [...texts] : last, schema)
  if (isList) return coerce(listIn(parameter, last), schema)
  const isObject = takes(schema, 'object') && !last.startsWith('{')
  return coerce(isObject ? (objectIn(parameter, last) ?? last) : last, schema)
}

function listIn(parameter: Parameter, text: string): Json {
  const { schema } = parameter
  if (text === '') return []
  // `filters={"field":"a","value":1},{"field":"b"}`: the commas of JSON divide nothing.
  const written = /^[[{]/.test(text) ? jsonOr(text.startsWith('[') ? text : `[${text}]`, text) : text
  if (Array.isArray(written) && (text.startsWith('[') || schema?.items?.types.includes('object'))) return written
  const parts = partsOf(parameter, text)
  return parts.length > 1 || schema?.types.includes('array') ? parts : text
}

/** `role,admin,n,3`, or exploded `role=admin,n=3`; undefined for another text. */
function objectIn(parameter: Parameter, text: string): JsonObject | undefined {
  const parts = partsOf(parameter, text)
  if (parts.every((part) => part.includes('='))) {
    return nestPairs(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]))
  }
  if (parameter.explode || parts.length % 2 === 1) return undefined
  return nestPairs(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] as string] as const] : [])))
}

/** The items in one text, without the name that the style `matrix` repeats. */
function partsOf({ name, in: place, style, explode }: Parameter, text: string): string[] {
  const isJoined = (style === 'label' && text.includes(',')) || style === 'matrix'
  const parts = text.split(isJoined && !explode ? ',' : DELIMITERS[style])
  if (style === 'matrix') return parts.map((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : part))
  return place === 'header' ? parts.map((part) => part.trim()) : parts
}

/** A text of a path without what its style puts before it: `.5` of `label`, `;id=5` of `matrix`. */
export function withoutPrefix({ name, style }: Pick<Parameter, 'name' | 'style'>, text: string): string {
  if (style === 'label') return text.replace(/^\./, '')
  if (style !== 'matrix' || !text.startsWith(';')) return text
  return text.slice(text.startsWith(`;${name}=`) ? name.length + 2 : 1)
}

/** A text as its style writes it in a path. */
export function withPrefix({ name, style }: Pick<Parameter, 'name' | 'style'>, text: string): string {
  return style === 'label' ? `.${text}` : style === 'matrix' ? `;${name}=${text}` : text
}
