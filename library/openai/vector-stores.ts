import { toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'
import { type Context, find, type Work } from './context.ts'
import { textOfFile } from './files.ts'
import { oldestFirst, plainOperations, toPage } from './lists.ts'

/** Words of a chunk, about 800 tokens, and dimensions of its vector. */
const CHUNK_WORDS = 600
const SIZE = 256
const MOST_RESULTS = 10
/** Tokens of a chunk. */
const LEAST_CHUNK = 100
const MOST_CHUNK = 4_096
const CHUNKING = { type: 'static', static: { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 } }

/** A found chunk of a file. */
export interface Found {
  readonly file_id: string
  readonly filename: string
  readonly score: number
  readonly attributes: Json
  readonly text: string
}

/** A file, as a request names it. */
type Given = Readonly<Record<string, Json | undefined>>

const findStore = (context: Context): Kept => find(context, 'vector_stores', 'vector_store_id')

function shownStore({ expires_after, ...store }: Kept, { records, now }: Pick<Work, 'now' | 'records'>): Fields {
  const attached = records.vector_store_files.where({ vector_store_id: store.id })
  const bytes = attached.reduce((sum, file) => sum + Number(file.usage_bytes), 0)
  const isExpired = typeof store.expires_at === 'number' && store.expires_at <= toUnix(now)
  return {
    ...store,
    ...(isExpired && { status: 'expired' }),
    expires_after: expires_after ?? null,
    usage_bytes: bytes,
    file_counts: countsOf(attached.length),
  }
}

function expiryOf(after: Json | undefined, from: number): number | null {
  const { days } = fieldsOf(after)
  return typeof days === 'number' ? from + days * 86_400 : null
}

const countsOf = (completed: number): Fields => {
  const others = { in_progress: 0, failed: 0, cancelled: 0 }
  return { ...others, completed, total: completed }
}

/** A file of a store, as the API shows it: by the id of the file itself. */
const shownFile = ({ id: _, file_id = null, batch_id: _b, ...file }: Fields): Fields => ({ id: file_id, ...file })

function attach(context: Context, store: string, given: Given, batch: string | null = null): Kept {
  const { records, now, refuse } = context
  const file = records.files.get(String(given.file_id))
  if (file === undefined) refuse(404, { code: 'not_found', message: `No such file: ${given.file_id}` })
  const { attributes = {}, chunking_strategy } = given
  const chunking = fieldsOf(chunking_strategy).type === 'static' ? (chunking_strategy ?? null) : CHUNKING
  const { max_chunk_size_tokens: size = 800, chunk_overlap_tokens: overlap = 400 } = fieldsOf(fieldsOf(chunking).static)
  if (Number(size) < LEAST_CHUNK || Number(size) > MOST_CHUNK)
    refuse(400, {
      field: 'chunking_strategy.static.max_chunk_size_tokens',
      message: `max_chunk_size_tokens must be between ${LEAST_CHUNK} and ${MOST_CHUNK}, inclusive.`,
    })
  if (Number(overlap) > Number(size) / 2)
    refuse(400, {
      field: 'chunking_strategy.static.chunk_overlap_tokens',
      message: 'chunk_overlap_tokens must be less than or equal to max_chunk_size_tokens / 2.',
    })
  const facts = { object: 'vector_store.file', created_at: toUnix(now), status: 'completed', last_error: null }
  const ids = { file_id: given.file_id, vector_store_id: store, batch_id: batch }
  return records.vector_store_files.create({
    ...{ ...facts, ...ids, usage_bytes: file?.bytes ?? 0, chunking_strategy: chunking, attributes },
  })
}

function findAttached(context: Context): Kept {
  const { path, records, refuse } = context
  const { id } = findStore(context)
  const message = `No file found with id '${path.file_id}' in vector store '${id}'.`
  const found = records.vector_store_files.find({ vector_store_id: id, file_id: path.file_id })
  return found ?? refuse(404, { code: 'not_found', message })
}

export const vectorStores = {
  ...plainOperations('vector_stores', { path: '/vector_stores', name: 'vector_store_id', show: shownStore }),
  'POST /vector_stores': (context: Context) => {
    const { body, now, records } = context
    const { name = null, metadata = {}, expires_after = null, file_ids = [], chunking_strategy } = body
    const created_at = toUnix(now)
    const store = records.vector_stores.create({
      object: 'vector_store',
      created_at,
      name,
      status: 'completed',
      last_active_at: created_at,
      expires_after,
      expires_at: expiryOf(expires_after, created_at),
      metadata,
    })
    for (const file_id of file_ids as string[]) attach(context, store.id, { file_id, chunking_strategy })
    return shownStore(store, context)
  },
  'POST /vector_stores/{vector_store_id}': (context: Context) => {
    const { body, records } = context
    const { id, last_active_at } = findStore(context)
    const expiry = 'expires_after' in body && { expires_at: expiryOf(body.expires_after, Number(last_active_at)) }
    return shownStore(records.vector_stores.update(id, { ...body, ...expiry }), context)
  },
  'DELETE /vector_stores/{vector_store_id}': (context: Context) => {
    const { id } = findStore(context)
    context.records.vector_stores.remove(id)
    for (const file of context.records.vector_store_files.where({ vector_store_id: id }))
      context.records.vector_store_files.remove(file.id)
    return { id, object: 'vector_store.deleted', deleted: true }
  },
  'POST /vector_stores/{vector_store_id}/search': (context: Context) => {
    const { query, max_num_results = MOST_RESULTS, filters, ranking_options } = context.body
    const queries = [query ?? ''].flat().map(String)
    const found = search(context, [findStore(context).id], queries.join(' '), {
      most: Number(max_num_results),
      filters: fieldsOf(filters),
      threshold: Number(fieldsOf(ranking_options).score_threshold ?? 0),
    })
    const data = found.map(({ text, ...result }) => ({ ...result, content: [{ type: 'text', text }] }))
    return { object: 'vector_store.search_results.page', search_query: queries, data, has_more: false, next_page: null }
  },
  'POST /vector_stores/{vector_store_id}/files': (context: Context) =>
    shownFile(attach(context, findStore(context).id, context.body)),
  'GET /vector_stores/{vector_store_id}/files': (context: Context) => pageOf(context, {}),
  'GET /vector_stores/{vector_store_id}/files/{file_id}': (context: Context) => shownFile(findAttached(context)),
  'POST /vector_stores/{vector_store_id}/files/{file_id}': (context: Context) =>
    shownFile(
      context.records.vector_store_files.update(findAttached(context).id, { attributes: context.body.attributes }),
    ),
  'DELETE /vector_stores/{vector_store_id}/files/{file_id}': (context: Context) => {
    const { id, file_id } = findAttached(context)
    context.records.vector_store_files.remove(id)
    return { id: file_id, object: 'vector_store.file.deleted', deleted: true }
  },
  'GET /vector_stores/{vector_store_id}/files/{file_id}/content': (context: Context) => {
    const text = textOfFile(context, findAttached(context).file_id) ?? ''
    const data = [{ type: 'text', text }]
    return { object: 'vector_store.file_content.page', data, has_more: false, next_page: null }
  },
  'POST /vector_stores/{vector_store_id}/file_batches': (context: Context) => {
    const { body, now, records } = context
    const { id: store } = findStore(context)
    const { file_ids = [], files = [], attributes, chunking_strategy } = body
    const shared = (file_ids as string[]).map((file_id) => ({ file_id, attributes, chunking_strategy }))
    const all: Given[] = [...shared, ...(files as Fields[])]
    const facts = { object: 'vector_store.files_batch', created_at: toUnix(now), vector_store_id: store }
    const made = records.file_batches.create({ ...facts, status: 'completed', file_counts: countsOf(all.length) })
    for (const file of all) attach(context, store, file, made.id)
    return made
  },
  'GET /vector_stores/{vector_store_id}/file_batches/{batch_id}': (context: Context) =>
    find(context, 'file_batches', 'batch_id'),
  'POST /vector_stores/{vector_store_id}/file_batches/{batch_id}/cancel': (context: Context) =>
    find(context, 'file_batches', 'batch_id'),
  'GET /vector_stores/{vector_store_id}/file_batches/{batch_id}/files': (context: Context) =>
    pageOf(context, { batch_id: find(context, 'file_batches', 'batch_id').id }),
}

function pageOf(context: Context, wanted: Fields): object {
  const { filter } = context.query
  const all = context.records.vector_store_files.where({ vector_store_id: findStore(context).id, ...wanted })
  return toPage(
    context,
    oldestFirst(all)
      .filter((file) => filter === undefined || file.status === filter)
      .map(shownFile),
  )
}

interface SearchOptions {
  readonly most: number
  readonly filters: Fields
  readonly threshold: number
}

/** The chunks of the stores' files that are nearest to a query. */
export function search(work: Work, stores: readonly string[], query: string, options: SearchOptions): Found[] {
  const { records, embeddings } = work
  const attached = stores.flatMap((store) => oldestFirst(records.vector_store_files.where({ vector_store_id: store })))
  const chunks = attached
    .filter(({ attributes }) => passes(fieldsOf(attributes), options.filters))
    .flatMap(({ file_id, attributes = {} }) => {
      const filename = String(records.files.get(String(file_id))?.filename)
      const facts = { file_id: String(file_id), filename, attributes }
      return toChunks(textOfFile(work, file_id) ?? '').map((text) => ({ ...facts, text }))
    })
  const [wanted = [], ...vectors] = embeddings([query, ...chunks.map(({ text }) => text)], SIZE)
  return chunks
    .map((chunk, at) => ({ ...chunk, score: Math.max(0, cosine(wanted, vectors[at] ?? [])) }))
    .filter(({ score }) => score >= options.threshold)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, options.most)
}

export function toChunks(text: string): string[] {
  const words = text.match(/\S+\s*/g) ?? []
  const starts = Array.from({ length: Math.ceil(words.length / CHUNK_WORDS) }, (_, at) => at * CHUNK_WORDS)
  return starts.map((start) =>
    words
      .slice(start, start + CHUNK_WORDS)
      .join('')
      .trim(),
  )
}

const cosine = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

const COMPARISONS: Readonly<Record<string, (value: Json | undefined, wanted: Json) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: (value, wanted) => Number(value) > Number(wanted),
  gte: (value, wanted) => Number(value) >= Number(wanted),
  lt: (value, wanted) => Number(value) < Number(wanted),
  lte: (value, wanted) => Number(value) <= Number(wanted),
  in: (value, wanted) => [wanted].flat().includes(value ?? null),
  nin: (value, wanted) => ![wanted].flat().includes(value ?? null),
}

/** Whether attributes pass a filter: a comparison, or several joined by `and` and `or`. */
function passes(attributes: Fields, { type, key, value = null, filters }: Fields): boolean {
  const below = Array.isArray(filters) ? filters.map(fieldsOf) : []
  if (type === 'and') return below.every((filter) => passes(attributes, filter))
  if (type === 'or') return below.some((filter) => passes(attributes, filter))
  return COMPARISONS[String(type)]?.(attributes[String(key)], value) ?? true
}
