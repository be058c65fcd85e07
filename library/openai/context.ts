import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

export type Fields = JsonObject
/** A record. */
export type Kept = Fields & { readonly id: string }

/** The collections of the description. */
export type Collections = Record<
  | 'approvals'
  | 'batches'
  | 'container_files'
  | 'containers'
  | 'fine_tuning_jobs'
  | 'chat_completions'
  | 'conversation_items'
  | 'conversations'
  | 'file_batches'
  | 'files'
  | 'prompt_caches'
  | 'responses'
  | 'upload_parts'
  | 'uploads'
  | 'vector_store_files'
  | 'vector_stores'
  | 'webhook_endpoints',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections>
/** What a handler of a due record gets. */
export type Due = DueContext<Collections>
/** What both get. */
export type Work = WorldContext<Collections>

export type { Json } from '../../src/protocol/json.ts'

/** The record that the path names. Answers 404 without one. */
export function find({ records, path, refuse }: Context, collection: keyof Collections, name: string): Kept {
  const id = String(path[name])
  return records[collection].get(id) ?? refuse(404, missing(collection, id))
}

/** What a 404 says, by the collection. */
export function missing(collection: keyof Collections, id: unknown) {
  const code = 'not_found'
  if (collection === 'files') return { code, message: `No such File object: ${id}`, field: 'id' }
  const noun = nounOf(collection)
  const message = ['conversation', 'response'].includes(noun)
    ? `${noun.charAt(0).toUpperCase()}${noun.slice(1)} with id '${id}' not found.`
    : `No such ${noun}: ${id}`
  return { code, message }
}

/** `vector_stores` is `vector store`. */
const nounOf = (collection: string): string => collection.replace(/(?:(?<=batch)e)?s$/, '').replaceAll('_', ' ')

/** An object of JSON, or an empty one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** What a record shows: not what it keeps for itself (`kept_…`), nor when it goes on. */
export const withoutKept = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !/^kept_|^advances_at$/.test(name)))

/** A secret of a webhook, as Svix and its like write them. */
export const newSecret = ({ id }: Pick<Work, 'id'>): string =>
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

/** The objects of a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
