import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import type { Kept } from '../shared/values.ts'

/** The collections of the description. */
export type Collections = Record<
  | 'admin_api_keys'
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
  | 'invites'
  | 'organization_users'
  | 'project_api_keys'
  | 'projects'
  | 'service_accounts'
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
