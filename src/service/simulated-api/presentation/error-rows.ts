import type { ErrorRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { ApiResponse } from '../exchange.ts'
import type { Fault } from '../refusal.ts'

export interface ErrorFacts {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The faulty field, dotted, if any. */
  readonly field?: string | undefined
  /** The faults that `message` sums up: a list of errors has one entry for each. */
  readonly faults?: readonly Fault[]
  /** Values for the body of an entry's error. */
  readonly facts?: JsonObject
}

/** An error in the entry's form; undefined without a row for it. */
export function writeByRow(rows: readonly ErrorRow[], error: ErrorFacts): ApiResponse | undefined {
  const { facts = {}, message, field } = error
  const own = error.code === GENERAL ? undefined : rowOf(rows, error.code, facts)
  const names = [String(error.status), ROW_OF_STATUS[error.status] ?? GENERAL, GENERAL]
  const row = names.reduce((found, name) => found ?? rowOf(rows, name, facts), own)
  if (row === undefined) return undefined
  const indexed = String(facts.field ?? field).replace(/\.(\d+)/g, '[$1]')
  const known: JsonObject = {
    message,
    statusText: String(own?.status ?? error.status),
    ...(field !== undefined && { field, param: inBrackets(field), indexed }),
    ...facts,
    ...(row.expected && matchOf(row.expected, String(facts.expected))),
  }
  if (own === undefined) Object.assign(known, { status: error.status }, error.code !== GENERAL && { code: error.code })
  const body = withCommon(rows, fill(row.body, known) ?? null, known)
  return toResponse(own?.status ?? error.status, row.headers ?? {}, body)
}

/** The row for response rules without a code, and for codes without a row. */
const GENERAL = 'injected_error'

/** Rows for errors whose code has no row. */
const ROW_OF_STATUS: Readonly<Record<number, string>> = { 401: 'unauthorized', 429: 'rate_limited' }

const rowOf = (rows: readonly ErrorRow[], wanted: string, facts: JsonObject): ErrorRow | undefined =>
  rows.find(
    ({ code, fault, expected }) =>
      code === wanted &&
      (fault === undefined || fault === facts.fault) &&
      (expected === undefined || matchOf(expected, String(facts.expected)) !== undefined),
  )

/** The groups of a match, by their numbers; undefined without a match. */
const matchOf = (wanted: string, given: string): Readonly<Record<string, string>> | undefined => {
  const match = /^\/.*\/$/.test(wanted) ? new RegExp(wanted.slice(1, -1)).exec(given) : null
  return wanted === given || match !== null ? Object.fromEntries([...(match ?? [])].entries()) : undefined
}

/** Adds the fields of the rows `every` to a body. A field whose facts are not all known is left to the next one. */
function withCommon(rows: readonly ErrorRow[], body: Json, facts: JsonObject): Json {
  return rows
    .filter(({ code }) => code === 'every')
    .reduce((whole, { body: every }) => merged(every, whole, facts), body)
}

function merged(template: Json, body: Json, facts: JsonObject): Json {
  if (!isJsonObject(template) || !isJsonObject(body)) return body
  const slug = typeof body.code === 'string' ? { slug: body.code.replaceAll('_', '-') } : {}
  const own: JsonObject = { ...facts, ...slug }
  const fields = Object.entries(template).flatMap(([name, value]): [string, Json][] => {
    if (Object.hasOwn(body, name)) return [[name, merged(value, body[name] ?? null, own)]]
    const isKnown = [...JSON.stringify(value).matchAll(FACT)].every(([, fact = '']) => Object.hasOwn(own, fact))
    return isKnown ? [[name, fill(value, own) ?? null]] : []
  })
  return { ...body, ...Object.fromEntries(fields) }
}

const FACT = /\{([\w-]+)\}/g

function toResponse(status: number, headers: Readonly<Record<string, string>>, body: Json): ApiResponse {
  const isText = typeof body === 'string' && headers['Content-Type']?.startsWith('text/') === true
  const text = isText ? body : JSON.stringify(body)
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: text }
}

/** The template with facts filled in. A field that consists of one unknown fact is omitted. */
function fill(template: Json, facts: JsonObject): Json | undefined {
  if (Array.isArray(template)) return template.flatMap((item) => fill(item, facts) ?? [])
  if (isJsonObject(template)) {
    const fields = Object.entries(template).map(([name, value]) => [fillText(name, facts), fill(value, facts)] as const)
    return Object.fromEntries(fields.filter((entry): entry is [string, Json] => entry[1] !== undefined))
  }
  if (typeof template !== 'string') return template
  const only = /^\{([\w-]+)\}$/.exec(template)?.[1]
  return only === undefined ? fillText(template, facts) : facts[only]
}

function fillText(template: string, facts: JsonObject): string {
  return template.replace(FACT, (_, name: string) => {
    const value = facts[name]
    return value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  })
}

/** `items[0][price]` of `items.0.price`. */
const inBrackets = (field: string): string => {
  const [first = '', ...rest] = field.split('.')
  return first + rest.map((name) => `[${name}]`).join('')
}
