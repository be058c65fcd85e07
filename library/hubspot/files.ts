import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Kept } from '../shared/values.ts'

type Context = OperationContext<AnyOperation, Record<'files' | 'folders', Kept>>

const ACCESSES = /^(PRIVATE|PUBLIC_INDEXABLE|PUBLIC_NOT_INDEXABLE|HIDDEN_(INDEXABLE|NOT_INDEXABLE|PRIVATE))$/
/** Ends of names by types. */
const TYPES: Readonly<Record<string, RegExp>> = {
  IMG: /^(png|jpe?g|gif|webp|svg|bmp)$/,
  MOVIE: /^(mp4|mov|webm|avi)$/,
  AUDIO: /^(mp3|wav|ogg|m4a)$/,
  DOCUMENT: /^(pdf|txt|csv|docx?|xlsx?|pptx?|json|html|zip)$/,
}
/** Files of a page at most, and without a `limit`. */
const MOST = 100
const HOUR_S = 3_600

const refuse = (context: Context, message: string): never => context.refuse(400, { code: 'invalid', message })

const missing = (context: Context, message: string): never => context.refuse(404, { code: 'missing', message })

const find = (context: Context, collection: 'files' | 'folders', id: unknown): Kept =>
  context.records[collection].get(String(id)) ?? missing(context, `No ${collection.slice(0, -1)} exists with id: ${id}`)

/** The file of the path. */
const fileOf = (context: Context): Kept => find(context, 'files', context.path.fileId)

/** A folder of an id or of a path such as `/docs/2026`, which is made where it is missing; undefined for the root. */
function folderOf(context: Context, { id, path }: { id?: unknown; path?: unknown }): Kept | undefined {
  if (id !== undefined && id !== null) return find(context, 'folders', id)
  const names = String(path ?? '')
    .split('/')
    .filter(Boolean)
  return names.reduce<Kept | undefined>((above, name) => {
    const found = context.records.folders.find({ name, parentFolderId: above?.id ?? null })
    return found ?? createFolder(context, name, above)
  }, undefined)
}

function createFolder({ records, now }: Context, name: string, above: Kept | undefined): Kept {
  const time = now.toISOString()
  const path = `${above?.path ?? ''}/${name}`
  return records.folders.create({ name, path, parentFolderId: above?.id ?? null, createdAt: time, updatedAt: time })
}

function show({ origin }: Context, { content: _, ...file }: Kept): Fields {
  const url = `${origin}/hubfs/1/${file.id}/${encodeURIComponent(`${file.name}.${file.extension}`)}`
  return { ...file, url, defaultHostingUrl: url }
}

/** A page of what a search finds, the oldest first, in the order that `sort` names. */
function search(
  context: Context,
  collection: 'files' | 'folders',
  fields: readonly string[],
  toShown: (one: Kept) => Fields,
) {
  const { createdAtGte = '', createdAtLte = '~', after = 0, limit = MOST, ...query } = context.query
  const isFound = ({ createdAt, ...one }: Kept): boolean =>
    fields.every((name) => query[name] === undefined || String(one[name]) === String(query[name])) &&
    String(createdAt) >= String(createdAtGte) &&
    String(createdAt) <= String(createdAtLte)
  const found = context.records[collection].where(isFound).toReversed()
  const [, sign, field = ''] = /^(-?)(.*)$/.exec(String([query.sort ?? ''].flat()[0])) ?? []
  if (field !== '')
    found.sort((a, b) => String(a[field]).localeCompare(String(b[field]), 'en', { numeric: true }) * (sign ? -1 : 1))
  const to = Number(after) + Math.min(Number(limit), MOST)
  const paging = to < found.length && { paging: { next: { after: String(to) } } }
  return { results: found.slice(Number(after), to).map(toShown), ...paging }
}

/** The content that a request sends, with what follows from it. */
function contentOf(context: Context): Fields {
  const [file] = context.files
  if (file === undefined) return refuse(context, 'No file was provided')
  if (file.base64 === null) return refuse(context, 'This simulation keeps files of up to 8 MB')
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const type = Object.keys(TYPES).find((name) => TYPES[name]?.test(extension)) ?? 'OTHER'
  const encoding = file.type ?? 'application/octet-stream'
  return { content: file.base64, size: file.size, extension, type, encoding }
}

const optionsOf = ({ body }: Context): Fields => {
  const { options } = body
  return typeof options === 'string' ? fieldsOf(JSON.parse(options)) : fieldsOf(options)
}

const folder = (context: Context): Kept => {
  const { folderId } = context.path
  if (/^\d+$/.test(String(folderId))) return find(context, 'folders', folderId)
  const path = `/${decodeURIComponent(String(folderId)).replace(/^\/+/, '')}`
  return context.records.folders.find({ path }) ?? missing(context, `No folder exists with path: ${path}`)
}

/** Files and folders in a folder, at any depth. */
const below = (
  { records }: Context,
  folder: Kept,
  act: (collection: 'files' | 'folders', one: Kept) => unknown,
): void => {
  for (const collection of ['files', 'folders'] as const)
    for (const one of records[collection].where(({ path }) => String(path).startsWith(`${folder.path}/`)))
      act(collection, one)
}

/** The file manager. */
export const files = {
  'POST /files/v3/files': (context: Context) => {
    const { folderId, folderPath, fileName } = context.body
    const content = contentOf(context)
    const { access, overwrite = false, duplicateValidationStrategy: strategy = 'NONE' } = optionsOf(context)
    if (!ACCESSES.test(String(access)))
      return refuse(context, 'options must have `access`, such as PRIVATE or PUBLIC_INDEXABLE')
    if (folderId === undefined && folderPath === undefined)
      return refuse(context, 'One of folderId and folderPath is required')
    const above = folderOf(context, { id: folderId, path: folderPath })
    const name = String(fileName ?? context.files[0]?.name).replace(new RegExp(`\\.${content.extension}$`, 'i'), '')
    const path = `${above?.path ?? ''}/${name}.${content.extension}`
    const same = context.records.files.find({ path })
    const time = context.now.toISOString()
    if (same !== undefined && overwrite === true)
      return show(context, context.records.files.update(same, { ...content, access: access ?? null, updatedAt: time }))
    if (same !== undefined && strategy === 'REJECT')
      return refuse(context, `A file with the path ${path} exists already`)
    if (same !== undefined && strategy === 'RETURN_EXISTING') return show(context, same)
    const facts = { name, path, parentFolderId: above?.id ?? null, access: access ?? null }
    return show(context, context.records.files.create({ ...content, ...facts, createdAt: time, updatedAt: time }))
  },
  'GET /files/v3/files/search': (context: Context) =>
    search(context, 'files', ['name', 'extension', 'path', 'type', 'parentFolderId'], (file) => show(context, file)),
  'GET /files/v3/files/{fileId}': (context: Context) => show(context, fileOf(context)),
  'PATCH /files/v3/files/{fileId}': (context: Context) => {
    const file = fileOf(context)
    const { name = file.name, access = file.access, isUsableInContent = file.isUsableInContent } = context.body
    const { parentFolderId = file.parentFolderId, parentFolderPath } = context.body
    const place = parentFolderPath === undefined ? { id: parentFolderId } : { path: parentFolderPath }
    const above = folderOf(context, place)
    const path = `${above?.path ?? ''}/${name}.${file.extension}`
    const facts = { name, access, isUsableInContent, path, parentFolderId: above?.id ?? null }
    return show(context, context.records.files.update(file, { ...facts, updatedAt: context.now.toISOString() }))
  },
  'PUT /files/v3/files/{fileId}': (context: Context) => {
    const file = fileOf(context)
    const { access = file.access } = optionsOf(context)
    const facts = { ...contentOf(context), access, updatedAt: context.now.toISOString() }
    return show(context, context.records.files.update(file, facts))
  },
  'DELETE /files/v3/files/{fileId}': (context: Context) => {
    context.records.files.remove(fileOf(context))
    return context.respond({ status: 204 })
  },
  'GET /files/v3/files/{fileId}/signed-url': (context: Context) => {
    const { url, ...file } = show(context, fileOf(context))
    const { name, extension, type, size } = file
    const seconds = Number(context.query.expirationSeconds ?? HOUR_S)
    const expiresAt = new Date(context.now.getTime() + seconds * 1_000).toISOString()
    return { expiresAt, name, extension, type, size, url: `${url}?expires=${Date.parse(expiresAt)}` }
  },
  'GET /hubfs/1/{fileId}/{filename}': (context: Context) => {
    const { content, encoding, access } = fileOf(context)
    const { expires } = context.query
    if (expires === undefined && String(access).endsWith('PRIVATE'))
      return context.respond({ status: 404, body: 'A private file has a signed URL.' })
    if (expires !== undefined && Number(expires) <= context.now.getTime())
      return context.respond({ status: 403, body: 'The signed URL has expired.' })
    const headers = { 'Content-Type': String(encoding) }
    return context.respond({ headers, body: Buffer.from(String(content), 'base64') })
  },
  'POST /files/v3/folders': (context: Context) => {
    const { name, parentFolderId, parentPath } = context.body
    if (typeof name !== 'string' || name === '') return refuse(context, 'name is required')
    const above = folderOf(context, { id: parentFolderId, path: parentPath })
    if (context.records.folders.some({ name, parentFolderId: above?.id ?? null }))
      return context.refuse(409, { code: 'conflict', message: `A folder with the name ${name} exists already` })
    return createFolder(context, name, above)
  },
  'GET /files/v3/folders/search': (context: Context) =>
    search(context, 'folders', ['name', 'path', 'parentFolderId'], (one) => one),
  'GET /files/v3/folders/{folderId}': folder,
  'PATCH /files/v3/folders/{folderId}': (context: Context) => {
    const one = folder(context)
    const { name = one.name, parentFolderId = one.parentFolderId } = context.body
    const above = folderOf(context, { id: parentFolderId })
    const path = `${above?.path ?? ''}/${name}`
    below(context, one, (collection, inner) => {
      context.records[collection].update(inner, { path: String(inner.path).replace(String(one.path), path) })
    })
    const facts = { name, path, parentFolderId: above?.id ?? null, updatedAt: context.now.toISOString() }
    return context.records.folders.update(one, facts)
  },
  'DELETE /files/v3/folders/{folderId}': (context: Context) => {
    const one = folder(context)
    below(context, one, (collection, inner) => context.records[collection].remove(inner))
    context.records.folders.remove(one)
    return context.respond({ status: 204 })
  },
}
