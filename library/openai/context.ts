import type { AnyOperation, DueContext, OperationContext, RefusalText, WorldContext } from '../../src/handlers.ts'
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

/** How ids begin that are refused by their form. */
const PREFIXES: Partial<Record<keyof Collections, string>> = {
  batches: 'batch',
  conversations: 'conv',
  file_batches: 'vsfb_',
  files: 'file',
  responses: 'resp',
  vector_stores: 'vs_',
}

/** The record that the path names. Answers 404 without one, and 400 where the id is none. */
export const find = (context: Context, collection: keyof Collections, name: string): Kept =>
  context.records[collection].get(String(context.path[name])) ??
  context.refuse(...missing(collection, context.path[name], name))

/** The refusal of an id without a record. @param field that has it, where its form is checked */
export function missing(
  collection: keyof Collections,
  id: unknown,
  field?: string,
): [status: number, why: RefusalText] {
  const prefix = field === undefined ? '' : (PREFIXES[collection] ?? '')
  if (!String(id).startsWith(prefix)) {
    const message = `Invalid '${field}': '${id}'. Expected an ID that begins with '${prefix}'.`
    return [400, { code: 'invalid_value', field, message }]
  }
  if (collection === 'files') return [404, { code: 'not_found', message: `No such File object: ${id}`, field: 'id' }]
  if (collection === 'fine_tuning_jobs')
    return [404, { code: 'fine_tune_not_found', message: `Could not find fine tune: ${id}`, field: 'fine_tune_id' }]
  const noun = nounOf(collection)
  const isNamed = ['conversation', 'container', 'response'].includes(noun)
  const named = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} with id '${id}' not found.`
  return [404, { code: 'not_found', message: isNamed ? named : `No ${noun} found with id '${id}'.` }]
}

/** `vector_stores` is `vector store`. */
const nounOf = (collection: string): string => collection.replace(/(?:(?<=batch)e)?s$/, '').replaceAll('_', ' ')
