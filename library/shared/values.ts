import type { WorldContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'

export type { Json } from '../../src/protocol/json.ts'

export type Fields = JsonObject
/** A record. */
export type Kept = Fields & { readonly id: string }

/** An object of JSON, or an empty one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The objects of a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** These fields of a record, null where it has none. @param names with spaces between */
export const only = (record: Readonly<Record<string, Json | undefined>>, names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, record[name] ?? null]))

/** A record without these fields. @param names with spaces between */
export const without = (record: Fields, names: string): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.split(' ').includes(name)))

/** The fields of a body that it has. @param names with spaces between */
export const sent = (body: Fields, names: string): Fields =>
  Object.fromEntries(names.split(' ').flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))

/** The fields of a body that are not null. */
export const filled = (body: Fields, names: string): Fields =>
  Object.fromEntries(Object.entries(sent(body, names)).filter(([, value]) => value !== null))

/** What a record shows: not what it keeps for itself (`kept_…`), nor when it goes on. */
export const withoutKept = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !/^kept_|^advances_at$/.test(name)))

/** A secret of a webhook, as Svix and its like write them. */
export const newSecret = ({ id }: Pick<WorldContext, 'id'>): string =>
  `whsec_${Buffer.from(`${id()}${id()}`).subarray(0, 32).toString('base64')}`

/** `codeExecution` is `code_execution`. */
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The first fault of a list's items. */
export function firstFault<T, F>(items: Iterable<T>, faultOf: (item: T, at: number) => F | undefined): F | undefined {
  let at = 0
  for (const item of items) {
    const fault = faultOf(item, at++)
    if (fault !== undefined) return fault
  }
  return undefined
}
