import { createRequire } from 'node:module'
import type * as FastXml from 'fast-xml-parser'
import { grouped } from '../../../protocol/grouped.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { Refusal } from '../refusal.ts'
import { coerce } from './coerce.ts'

/** Deepest nesting of elements. */
const MAX_DEPTH = 100
/** Most elements and attributes of a body, like the fields of a form: it is parsed in one step. */
const MOST_PARTS = 10_000
const PART = /<[^/!?]|=\s*["']/g
const OPTIONS = { ignoreAttributes: false, attributeNamePrefix: '@', textNodeName: '#text' } as const

/** Loads the library at the first use of XML: most descriptions have none. */
const load = createRequire(import.meta.url)
const fastXml = (): typeof FastXml => load('fast-xml-parser') as typeof FastXml

/** Converts an XML body to JSON by the schema (OpenAPI, XML Object). Refuses malformed XML with 400. */
export function readXml(text: string, schema: Schema | undefined): Json {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw malformed('no DOCTYPE', 'one')
  let parts = 0
  for (const _ of text.matchAll(PART))
    if (++parts > MOST_PARTS) throw malformed(`at most ${grouped(MOST_PARTS)} elements and attributes as`, 'more')
  const { XMLValidator } = fastXml()
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw malformed('well-formed', `"${verdict.err.msg}" in line ${verdict.err.line}`)
  const tree = treeOf(text)
  const [root] = Object.entries(Object(tree) as Record<string, Json>).filter(([name]) => !name.startsWith('?'))
  return root === undefined ? {} : coerce(toJson(root[1], schema, 0), schema)
}

function treeOf(text: string): unknown {
  const { XMLParser } = fastXml()
  const parser = new XMLParser({ ...OPTIONS, parseTagValue: false, parseAttributeValue: false, removeNSPrefix: true })
  try {
    return parser.parse(text)
  } catch (error) {
    throw malformed('readable', `"${(error as Error).message}"`)
  }
}

const malformed = (wanted: string, got: string): Refusal =>
  new Refusal(400, 'invalid_request', `Expected the body to be XML with ${wanted} content, got ${got}.`)

function toJson(node: Json, schema: Schema | undefined, depth: number): Json {
  if (depth > MAX_DEPTH) throw malformed(`at most ${MAX_DEPTH} levels of`, 'more')
  if (schema?.types.includes('array')) return itemsIn(node, schema, depth)
  if (!isJsonObject(node)) return Array.isArray(node) ? node.map((item) => toJson(item, schema, depth + 1)) : node
  const names = Object.keys(node)
  const isText = names.every((name) => name === '#text' || name.startsWith('@'))
  if (isText && (schema?.fields.size ?? 0) === 0) return node['#text'] ?? ''
  const byElement = new Map([...(schema?.fields ?? [])].map(([name, field]) => [elementFor(name, field), name]))
  return Object.fromEntries(
    Object.entries(node).map(([element, value]) => {
      const plain = element.replace(/^@/, '')
      const name = byElement.get(plain) ?? plain
      return [name, toJson(value, schema?.fields.get(name), depth + 1)]
    }),
  )
}

/** The items of a list: repeated elements, or those inside one wrapping element. */
function itemsIn(node: Json, { items, raw }: Schema, depth: number): Json {
  const isWrapped = isJsonObject(node) && (xmlOf(raw).wrapped === true || Object.keys(node).length === 1)
  const inner = isWrapped && !hasFields(items, node) ? (Object.values(node)[0] ?? []) : node === '' ? [] : node
  return (Array.isArray(inner) ? inner : [inner]).map((item) => toJson(item, items, depth + 1))
}

const hasFields = (items: Schema | undefined, node: JsonObject): boolean =>
  Object.keys(node).some((name) => items?.fields.has(name.replace(/^@/, '')))

/** Converts JSON to XML: one element for each field, named by the schema. */
export function writeXml(value: Json, schema: Schema | undefined): string {
  const { XMLBuilder } = fastXml()
  const builder = new XMLBuilder({ ...OPTIONS, suppressBooleanAttributes: false })
  const root = elementOf(schema?.name?.replace(/\W+/g, '_') ?? (Array.isArray(value) ? 'items' : 'root'), schema)
  const tree = Array.isArray(value) ? { [itemName(schema, 'item')]: toTree(value, schema) } : toTree(value, schema)
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ [root]: tree })}`
}

function toTree(value: Json, schema: Schema | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => toTree(item, schema?.items))
  if (!isJsonObject(value)) return value === null ? '' : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
      const field = schema?.fields.get(name)
      const element = elementOf(name, field)
      const tree = toTree(inner, field)
      if (xmlOf(field?.raw).attribute === true) return [[`@${element}`, tree]]
      if (!Array.isArray(inner)) return [[element, tree]]
      const item = itemName(field, name)
      return xmlOf(field?.raw).wrapped === true ? [[element, { [item]: tree }]] : [[item, tree]]
    }),
  )
}

const xmlOf = (raw: JsonObject | undefined): JsonObject => (isJsonObject(raw?.xml) ? raw.xml : {})

function elementOf(name: string, schema: Schema | undefined): string {
  const own = xmlOf(schema?.raw).name
  return typeof own === 'string' && own !== '' ? own : name
}

/** The element of a field: an unwrapped list has one for each item. */
function elementFor(name: string, field: Schema): string {
  const isPlainList = field.types.includes('array') && xmlOf(field.raw).wrapped !== true
  return isPlainList ? itemName(field, name) : elementOf(name, field)
}

/** The element of each item of a list. */
const itemName = (list: Schema | undefined, name: string): string => {
  const own = elementOf('', list?.items)
  return own !== '' ? own : name === 'item' ? (list?.items?.name ?? name) : name
}
