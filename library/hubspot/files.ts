import { parseJson } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Form,
  fieldsOf,
  type HubspotRequest,
  type Json,
  type Kept,
  type Operations,
} from './hubspot.ts'

const ACCESSES = /^(PRIVATE|PUBLIC_INDEXABLE|PUBLIC_NOT_INDEXABLE|HIDDEN_(INDEXABLE|NOT_INDEXABLE|PRIVATE))$/
/** Ends of names by types. */
const TYPES: Readonly<Record<string, RegExp>> = {
  IMG: /^(png|jpe?g|gif|webp|svg|bmp)$/,
  MOVIE: /^(mp4|mov|webm|avi)$/,
  AUDIO: /^(mp3|wav|ogg|m4a)$/,
  DOCUMENT: /^(pdf|txt|csv|docx?|xlsx?|pptx?|json|html|zip)$/,
}
const PAGE = { usual: 100, most: 100 }
const HOUR_S = 3_600

const FILE: Form = {
  name: 'text',
  access: 'text',
  isUsableInContent: 'flag',
  parentFolderId: 'text',
  parentFolderPath: 'text',
}
const FOLDER: Form = { name: 'text', parentFolderId: 'text', parentPath: 'text' }

/** The file of the path. */
const fileOf = (hubspot: HubspotRequest): Kept => hubspot.find('files', hubspot.path.fileId)

/** A folder of an id or of a path such as `/docs/2026`, which is made where it is missing; undefined for the root. */
function folderOf(
  hubspot: HubspotRequest,
  { id, path }: { id?: Json | undefined; path?: Json | undefined },
): Kept | undefined {
  if (id !== undefined && id !== null) return hubspot.find('folders', id)
  const names = String(path ?? '')
    .split('/')
    .filter(Boolean)
  return names.reduce<Kept | undefined>((above, name) => {
    const found = hubspot.records.folders.find({ name, parentFolderId: above?.id ?? null })
    return found ?? createFolder(hubspot, name, above)
  }, undefined)
}

function createFolder({ records, iso: time }: HubspotRequest, name: string, above: Kept | undefined): Kept {
  const path = `${above?.path ?? ''}/${name}`
  return records.folders.create({ name, path, parentFolderId: above?.id ?? null, createdAt: time, updatedAt: time })
}

function show({ of: { origin } }: HubspotRequest, { content: _, ...file }: Kept): Fields {
  const url = `${origin}/hubfs/1/${file.id}/${encodeURIComponent(`${file.name}.${file.extension}`)}`
  return { ...file, url, defaultHostingUrl: url }
}

/** A page of what a search finds, the oldest first, in the order that `sort` names. */
function search(
  hubspot: HubspotRequest,
  collection: 'files' | 'folders',
  fields: readonly string[],
  toShown: (one: Kept) => Fields,
): Fields {
  const { createdAtGte = '', createdAtLte = '~', ...query } = hubspot.query
  const isFound = ({ createdAt, ...one }: Kept): boolean =>
    fields.every((name) => query[name] === undefined || String(one[name]) === String(query[name])) &&
    String(createdAt) >= String(createdAtGte) &&
    String(createdAt) <= String(createdAtLte)
  const found = hubspot.records[collection].where(isFound).toReversed()
  const [, sign, field = ''] = /^(-?)(.*)$/.exec(String([query.sort ?? ''].flat()[0])) ?? []
  if (field !== '')
    found.sort((a, b) => String(a[field]).localeCompare(String(b[field]), 'en', { numeric: true }) * (sign ? -1 : 1))
  return hubspot.list(found, PAGE, toShown)
}

/** The content that a request sends, with what follows from it. */
function contentOf(hubspot: HubspotRequest): Fields {
  const [file] = hubspot.of.files
  if (file === undefined) return hubspot.invalid('No file was provided')
  if (file.base64 === null) return hubspot.invalid('This simulation keeps files of up to 8 MB')
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const type = Object.keys(TYPES).find((name) => TYPES[name]?.test(extension)) ?? 'OTHER'
  const encoding = file.type ?? 'application/octet-stream'
  return { content: file.base64, size: file.size, extension, type, encoding }
}

const optionsOf = ({ body: { options } }: HubspotRequest): Fields =>
  fieldsOf(typeof options === 'string' ? parseJson(options) : options)

const folder = (hubspot: HubspotRequest): Kept => {
  const { folderId } = hubspot.path
  if (/^\d+$/.test(String(folderId))) return hubspot.find('folders', folderId)
  const path = `/${decodeURIComponent(String(folderId)).replace(/^\/+/, '')}`
  return hubspot.records.folders.find({ path }) ?? hubspot.missing()
}

/** Files and folders in a folder, at any depth. */
const below = (
  { records }: HubspotRequest,
  folder: Kept,
  act: (collection: 'files' | 'folders', one: Kept) => unknown,
): void => {
  for (const collection of ['files', 'folders'] as const)
    for (const one of records[collection].where(({ path }) => String(path).startsWith(`${folder.path}/`)))
      act(collection, one)
}

const remove = (hubspot: HubspotRequest): void => hubspot.records.files.remove(fileOf(hubspot))

/** The file manager. */
export const files: Operations = {
  'POST /files/v3/files': (hubspot) => {
    const { folderId, folderPath, fileName } = hubspot.sent({ folderId: 'text', folderPath: 'text', fileName: 'text' })
    const content = contentOf(hubspot)
    const { access, overwrite = false, duplicateValidationStrategy: strategy = 'NONE' } = optionsOf(hubspot)
    if (!ACCESSES.test(String(access)))
      return hubspot.invalid('options must have `access`, such as PRIVATE or PUBLIC_INDEXABLE')
    if (folderId === undefined && folderPath === undefined)
      return hubspot.invalid('One of folderId and folderPath is required')
    const above = folderOf(hubspot, { id: folderId, path: folderPath })
    const name = String(fileName ?? hubspot.of.files[0]?.name).replace(new RegExp(`\\.${content.extension}$`, 'i'), '')
    const path = `${above?.path ?? ''}/${name}.${content.extension}`
    const same = hubspot.records.files.find({ path })
    const time = hubspot.iso
    if (same !== undefined && overwrite === true)
      return show(hubspot, hubspot.records.files.update(same, { ...content, access: access ?? null, updatedAt: time }))
    if (same !== undefined && strategy === 'REJECT')
      return hubspot.invalid(`A file with the path ${path} exists already`)
    if (same !== undefined && strategy === 'RETURN_EXISTING') return show(hubspot, same)
    const facts = { name, path, parentFolderId: above?.id ?? null, access: access ?? null }
    return show(hubspot, hubspot.records.files.create({ ...content, ...facts, createdAt: time, updatedAt: time }))
  },
  'GET /files/v3/files/search': (hubspot) =>
    search(hubspot, 'files', ['name', 'extension', 'path', 'type', 'parentFolderId'], (file) => show(hubspot, file)),
  'GET /files/v3/files/{fileId}': (hubspot) => show(hubspot, fileOf(hubspot)),
  'PATCH /files/v3/files/{fileId}': (hubspot) => {
    const file = fileOf(hubspot)
    const { parentFolderPath, ...given } = hubspot.sent(FILE)
    const { name = '', access, isUsableInContent, parentFolderId } = { ...file, ...given }
    const place = parentFolderPath === undefined ? { id: parentFolderId } : { path: parentFolderPath }
    const above = folderOf(hubspot, place)
    const path = `${above?.path ?? ''}/${name}.${file.extension}`
    const facts = { name, access, isUsableInContent, path, parentFolderId: above?.id ?? null }
    return show(hubspot, hubspot.records.files.update(file, { ...facts, updatedAt: hubspot.iso }))
  },
  'PUT /files/v3/files/{fileId}': (hubspot) => {
    const file = fileOf(hubspot)
    const { access = file.access } = optionsOf(hubspot)
    const facts = { ...contentOf(hubspot), access, updatedAt: hubspot.iso }
    return show(hubspot, hubspot.records.files.update(file, facts))
  },
  'DELETE /files/v3/files/{fileId}': remove,
  'DELETE /files/v3/files/{fileId}/gdpr-delete': remove,
  'GET /files/v3/files/{fileId}/signed-url': (hubspot) => {
    const { url, ...file } = show(hubspot, fileOf(hubspot))
    const { name, extension, type, size } = file
    const seconds = Number(hubspot.query.expirationSeconds ?? HOUR_S)
    const expiresAt = new Date(hubspot.ms + seconds * 1_000).toISOString()
    return { expiresAt, name, extension, type, size, url: `${url}?expires=${Date.parse(expiresAt)}` }
  },
  'GET /hubfs/1/{fileId}/{filename}': (hubspot) => {
    const { content, encoding, access } = fileOf(hubspot)
    const { expires } = hubspot.query
    if (expires === undefined && String(access).endsWith('PRIVATE'))
      return hubspot.of.respond({ status: 404, body: 'A private file has a signed URL.' })
    if (expires !== undefined && Number(expires) <= hubspot.ms)
      return hubspot.of.respond({ status: 403, body: 'The signed URL has expired.' })
    const headers = { 'Content-Type': String(encoding) }
    return hubspot.of.respond({ headers, body: Buffer.from(String(content), 'base64') })
  },
  'POST /files/v3/folders': (hubspot) => {
    hubspot.need('name')
    const { parentFolderId, parentPath, ...given } = hubspot.sent(FOLDER)
    const name = String(given.name)
    const above = folderOf(hubspot, { id: parentFolderId, path: parentPath })
    if (hubspot.records.folders.some({ name, parentFolderId: above?.id ?? null }))
      hubspot.conflict(`A folder with the name ${name} exists already`)
    return createFolder(hubspot, name, above)
  },
  'GET /files/v3/folders/search': (hubspot) =>
    search(hubspot, 'folders', ['name', 'path', 'parentFolderId'], (one) => one),
  'GET /files/v3/folders/{folderId}': folder,
  'PATCH /files/v3/folders/{folderId}': (hubspot) => {
    const one = folder(hubspot)
    const { name = '', parentFolderId } = { ...one, ...hubspot.sent(FOLDER) }
    const above = folderOf(hubspot, { id: parentFolderId })
    const path = `${above?.path ?? ''}/${name}`
    below(hubspot, one, (collection, inner) => {
      hubspot.records[collection].update(inner, { path: String(inner.path).replace(String(one.path), path) })
    })
    const facts = { name, path, parentFolderId: above?.id ?? null, updatedAt: hubspot.iso }
    return hubspot.records.folders.update(one, facts)
  },
  'DELETE /files/v3/folders/{folderId}': (hubspot) => {
    const one = folder(hubspot)
    below(hubspot, one, (collection, inner) => hubspot.records[collection].remove(inner))
    hubspot.records.folders.remove(one)
  },
}
