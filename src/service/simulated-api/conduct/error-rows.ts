import type { ErrorRow } from '../../../protocol/conduct.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { ApiResponse } from '../exchange.ts'
import type { ErrorFacts } from '../presentation/error-facts.ts'

/** An error in the words of an entry; undefined where no row is about it. */
export function writeByRow(rows: readonly ErrorRow[], error: ErrorFacts): ApiResponse | undefined {
  if (error.body !== undefined) return toResponse(error.status, {}, error.body)
  const { facts = {} } = error
  const row = rows.find(
    ({ code, fault, expected }) =>
      code === error.code &&
      (fault === undefined || fault === facts.fault) &&
      (expected === undefined || expected === facts.expected),
  )
  if (row === undefined) return undefined
  const { message, field } = error
  const known: JsonObject = { message, ...(field !== undefined && { field, param: inBrackets(field) }), ...facts }
  return toResponse(row.status ?? error.status, row.headers ?? {}, fill(row.body, known) ?? null)
}

function toResponse(status: number, headers: Readonly<Record<string, string>>, body: Json): ApiResponse {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** The template with facts in their places. A field that is one fact alone is left out where that is not known. */
function fill(template: Json, facts: JsonObject): Json | undefined {
  if (Array.isArray(template)) return template.flatMap((item) => fill(item, facts) ?? [])
  if (isJsonObject(template)) {
    const fields = Object.entries(template).map(([name, value]) => [fillText(name, facts), fill(value, facts)] as const)
    return Object.fromEntries(fields.filter((entry): entry is [string, Json] => entry[1] !== undefined))
  }
  if (typeof template !== 'string') return template
  const only = /^\{(\w+)\}$/.exec(template)?.[1]
  return only === undefined ? fillText(template, facts) : facts[only]
}

function fillText(template: string, facts: JsonObject): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
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
