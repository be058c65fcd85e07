import { toChunks } from '../openai/vector-stores.ts'
import { type Fields, fieldsOf, type Kept, listOf } from '../shared/values.ts'
import {
  type Context,
  contentsOf,
  type Fault,
  invalid,
  partsOf,
  read,
  refuseWith,
  removing,
  toPage,
  type Work,
} from './context.ts'
import { addDocument, startOf, textOfFile } from './files.ts'
import { textOf } from './talk.ts'

/** Dimensions of a chunk's vector, and how many chunks an answer gets by itself. */
const SIZE = 256
const USUAL_CHUNKS = 5

/** A chunk that a search has found. */
interface Found {
  readonly title: string
  readonly text: string
  readonly store: string
}

const gone = (name: unknown): Fault => ({
  status: 403,
  message: `You do not have permission to access the FileSearchStore ${name} or it may not exist.`,
})

function findStore(context: Context): Kept {
  const { records, path } = context
  return records.file_search_stores.get(path.id) ?? refuseWith(context, gone(path.id))
}

function findDocument(context: Context): Kept {
  const { records, path } = context
  const found = records.documents.find({ id: path.document, store: findStore(context).id })
  return found ?? refuseWith(context, { status: 404, message: `Document ${path.document} does not exist.` })
}

function shownStore({ records }: Pick<Work, 'records'>, { id, ...store }: Kept): Fields {
  const documents = records.documents.where({ store: id })
  const bytes = documents.reduce((sum, { sizeBytes }) => sum + Number(sizeBytes), 0)
  return { ...store, activeDocumentsCount: String(documents.length), sizeBytes: String(bytes) }
}

const shown = ({ id: _, store: _s, kept_text: _t, ...document }: Fields): Fields => document

/** The tool of a request that searches files, with its stores. */
function searchOf(body: Fields): { tool: Fields; stores: string[] } | undefined {
  const tool = listOf(body.tools).flatMap((one) => read(one, 'fileSearch') ?? [])[0]
  if (tool === undefined) return undefined
  const names = read(tool, 'fileSearchStoreNames')
  return { tool: fieldsOf(tool), stores: (Array.isArray(names) ? names : []).map(String) }
}

const idOfStore = (name: string): string => name.replace('fileSearchStores/', '')

/** Why a search is refused: each store is there, and its filter is one that is simulated. */
export function searchFault({ records }: Pick<Work, 'records'>, body: Fields): Fault | undefined {
  const { tool = {}, stores = [] } = searchOf(body) ?? {}
  const unknown = stores.find((name) => records.file_search_stores.get(idOfStore(name)) === undefined)
  if (unknown !== undefined) return gone(idOfStore(unknown))
  const filter = read(tool, 'metadataFilter')
  if (filter === undefined || conditionsOf(filter) !== undefined) return undefined
  return invalid(`The simulation filters by conditions such as author = "Ada" AND year = 2026, not by ${filter}.`)
}

/** The conditions of a filter; undefined of one with other operators. */
function conditionsOf(filter: unknown): [key: string, value: string][] | undefined {
  const parts = String(filter).split(/\s+AND\s+/)
  const found = parts.map((part) => /^\s*([\w.]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*$/.exec(part))
  if (found.includes(null)) return undefined
  return found.map((one) => [one?.[1] ?? '', one?.[2] ?? one?.[3] ?? one?.[4] ?? ''])
}

/** The chunks that are nearest to the last question; undefined without the tool, or for the results of functions. */
export function searchFiles({ records, embeddings }: Work, body: Fields): Found[] | undefined {
  const asked = searchOf(body)
  const last = contentsOf(body).at(-1) ?? {}
  if (asked === undefined || partsOf(last).some((part) => read(part, 'functionResponse'))) return undefined
  const filter = read(asked.tool, 'metadataFilter')
  const conditions = filter === undefined ? [] : (conditionsOf(filter) ?? [])
  const fits = ({ customMetadata }: Kept): boolean =>
    conditions.every(([key, value]) =>
      listOf(customMetadata).some((one) => one.key === key && String(one.stringValue ?? one.numericValue) === value),
    )
  const chunks = asked.stores.flatMap((store) =>
    records.documents
      .where({ store: idOfStore(store) })
      .filter(fits)
      .flatMap(({ displayName, kept_text }) =>
        toChunks(String(kept_text)).map((text): Found => ({ title: String(displayName), text, store })),
      ),
  )
  const [query = [], ...vectors] = embeddings([textOf(last), ...chunks.map(({ text }) => text)], SIZE)
  const score = (at: number): number =>
    query.reduce((sum, value, place) => sum + value * (vectors[at]?.[place] ?? 0), 0)
  const ranked = chunks
    .map((chunk, at) => ({ chunk, score: score(at) }))
    .toSorted((one, other) => other.score - one.score)
  return ranked.slice(0, Number(read(asked.tool, 'topK') ?? USUAL_CHUNKS)).map(({ chunk }) => chunk)
}

export const fileSearch = {
  'POST /fileSearchStores': (context: Context) => {
    const { body, id, now, records } = context
    const displayName = String(read(body, 'displayName') ?? '')
    const key = `${displayName.toLowerCase().replace(/[^a-z0-9]+/g, '')}-${id().toLowerCase().slice(0, 12)}`.replace(
      /^-/,
      '',
    )
    const time = now.toISOString()
    return shownStore(
      context,
      records.file_search_stores.create({
        id: key,
        name: `fileSearchStores/${key}`,
        displayName,
        createTime: time,
        updateTime: time,
      }),
    )
  },
  'GET /fileSearchStores': (context: Context) => {
    const stores = [...context.records.file_search_stores].map((store) => shownStore(context, store))
    return toPage(context, 'fileSearchStores', stores)
  },
  'GET /fileSearchStores/{id}': (context: Context) => shownStore(context, findStore(context)),
  'DELETE /fileSearchStores/{id}': (context: Context) => {
    const { query, records } = context
    const store = findStore(context)
    const documents = records.documents.where({ store: store.id })
    if (documents.length > 0 && String(query.force) !== 'true')
      refuseWith(context, {
        status: 400,
        message: 'Cannot delete non-empty FileSearchStore.',
        rpc: 'FAILED_PRECONDITION',
      })
    for (const { id } of documents) records.documents.remove(id)
    records.file_search_stores.remove(store.id)
    return {}
  },
  /** The first request of an upload: the others are those of any file. */
  'POST /fileSearchStores/{id}:uploadToFileSearchStore': (context: Context) => {
    const { body, headers, records, origin, respond } = context
    const { id } = findStore(context)
    const upload = records.uploads.create({
      key: null,
      store: id,
      metadata: read(body, 'customMetadata') ?? [],
      displayName: read(body, 'displayName') ?? headers['x-goog-upload-file-name'] ?? null,
      mimeType: headers['x-goog-upload-header-content-type'] ?? read(body, 'mimeType') ?? 'application/octet-stream',
      size: 0,
      content: '',
    })
    return respond({ headers: startOf(origin, upload.id), body: {} })
  },
  'POST /fileSearchStores/{id}:importFile': (context: Context) => {
    const { body, records } = context
    const store = findStore(context)
    const name = String(read(body, 'fileName'))
    const text = textOfFile(context, name)
    const file = records.files.get(name.replace('files/', ''))
    if (text === undefined || file === undefined)
      return refuseWith(context, {
        status: 403,
        message: `You do not have permission to access the File ${name.replace('files/', '')} or it may not exist.`,
      })
    const { displayName = name, mimeType } = file
    const metadata = read(body, 'customMetadata')
    return addDocument(context, store, { displayName, mimeType: String(mimeType), text, metadata }, 'operations')
  },
  'GET /fileSearchStores/{id}/documents': (context: Context) => {
    const documents = context.records.documents.where({ store: findStore(context).id })
    return toPage(context, 'documents', documents.map(shown))
  },
  'GET /fileSearchStores/{id}/documents/{document}': (context: Context) => shown(findDocument(context)),
  'DELETE /fileSearchStores/{id}/documents/{document}': removing('documents', findDocument),
  'GET /fileSearchStores/{id}/operations/{document}': (context: Context) => operationOf(context, 'operations'),
  'GET /fileSearchStores/{id}/upload/operations/{document}': (context: Context) =>
    operationOf(context, 'upload/operations'),
}

function operationOf(context: Context, kind: string): Fields {
  const { id, name } = findDocument(context)
  const parent = findStore(context).name ?? null
  return { name: `${parent}/${kind}/${id}`, done: true, response: { parent, documentName: name ?? null } }
}
