import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { asShown, derived, FIELD_TYPES, rolledUp, stageMetadata } from './derived.ts'
import { marketing } from './marketing.ts'
import { queried } from './queries.ts'

const ACCESSES = [
  'PRIVATE',
  'PUBLIC_INDEXABLE',
  'PUBLIC_NOT_INDEXABLE',
  'HIDDEN_INDEXABLE',
  'HIDDEN_NOT_INDEXABLE',
  'HIDDEN_PRIVATE',
]
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp']
const TYPES: Readonly<Record<string, readonly string[]>> = {
  IMG: IMAGES,
  MOVIE: ['mp4', 'mov', 'webm', 'avi'],
  AUDIO: ['mp3', 'wav', 'ogg', 'm4a'],
  DOCUMENT: ['pdf', 'txt', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'json', 'html', 'zip'],
}
/** Files of a page at most, and without a `limit`. */
const MOST = 100
const HOUR_S = 3_600

type Kept = JsonObject & { readonly id: string }
type Context = OperationContext<AnyOperation, Record<'files' | 'folders', Kept>>

const refuse = (context: Context, message: string): never => context.refuse(400, { code: 'invalid', message })

function find(context: Context, collection: 'files' | 'folders', id: unknown): Kept {
  const found = context.records[collection].get(String(id))
  return (
    found ?? context.refuse(404, { code: 'missing', message: `No ${collection.slice(0, -1)} exists with id: ${id}` })
  )
}

/** A folder of an id or of a path such as `/docs/2026`, which is made where it is missing; undefined for the root. */
function folderOf(context: Context, { id, path }: { id?: unknown; path?: unknown }): Kept | undefined {
  if (id !== undefined && id !== null) return find(context, 'folders', id)
  let above: Kept | undefined
  for (const name of String(path ?? '')
    .split('/')
    .filter(Boolean)) {
    const parentFolderId = above?.id ?? null
    above = context.records.folders.find({ name, parentFolderId }) ?? createFolder(context, name, above)
  }
  return above
}

function createFolder({ records, now }: Context, name: string, above: Kept | undefined): Kept {
  const time = now.toISOString()
  const path = `${above?.path ?? ''}/${name}`
  return records.folders.create({ name, path, parentFolderId: above?.id ?? null, createdAt: time, updatedAt: time })
}

function show({ origin }: Context, { content: _, ...file }: Kept): JsonObject {
  const url = `${origin}/hubfs/1/${file.id}/${encodeURIComponent(`${file.name}.${file.extension}`)}`
  return { ...file, url, defaultHostingUrl: url }
}

/** A page of what a search finds, the oldest first, in the order that `sort` names. */
function search(
  context: Context,
  collection: 'files' | 'folders',
  fields: readonly string[],
  toShown: (one: Kept) => JsonObject,
) {
  const { query } = context
  const found = [...context.records[collection]]
    .filter((one) => fields.every((name) => query[name] === undefined || String(one[name]) === String(query[name])))
    .filter(
      ({ createdAt }) =>
        String(createdAt) >= String(query.createdAtGte ?? '') && String(createdAt) <= String(query.createdAtLte ?? '~'),
    )
    .toReversed()
  const [sort] = [query.sort].flat().map(String)
  const field = sort?.replace(/^-/, '')
  if (query.sort !== undefined && field !== undefined)
    found.sort(
      (one, other) =>
        String(one[field]).localeCompare(String(other[field]), 'en', { numeric: true }) *
        (sort?.startsWith('-') ? -1 : 1),
    )
  const from = Number(query.after ?? 0)
  const to = from + Math.min(Number(query.limit ?? MOST), MOST)
  return {
    results: found.slice(from, to).map(toShown),
    ...(to < found.length && { paging: { next: { after: String(to) } } }),
  }
}

/** The content that a request sends, with what follows from it. */
function contentOf(context: Context): JsonObject {
  const [file] = context.files
  if (file === undefined) return refuse(context, 'No file was provided')
  if (file.base64 === null) return refuse(context, 'This simulation keeps files of up to 8 MB')
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const type = Object.keys(TYPES).find((name) => TYPES[name]?.includes(extension)) ?? 'OTHER'
  const encoding = file.type ?? 'application/octet-stream'
  return { content: file.base64, size: file.size, extension, type, encoding }
}

const optionsOf = ({ body }: Context): JsonObject => {
  const { options } = body
  return typeof options === 'string' ? fieldsOf(JSON.parse(options)) : fieldsOf(options)
}

const folder = (context: Context): Kept => {
  const { folderId } = context.path
  if (/^\d+$/.test(String(folderId))) return find(context, 'folders', folderId)
  const path = `/${decodeURIComponent(String(folderId)).replace(/^\/+/, '')}`
  return (
    context.records.folders.find({ path }) ??
    context.refuse(404, { code: 'missing', message: `No folder exists with path: ${path}` })
  )
}

/** A search shows its first 10,000 results. */
const MOST_FOUND = 10_000
const READ_ONLY = ['hs_object_id', 'hs_createdate', 'hs_lastmodifieddate', 'lastmodifieddate']

const typeOf = ({ records, path }: OperationContext): JsonObject | undefined =>
  records.object_types?.find(({ names }) => (names as string[]).includes(String(path.objectType).toLowerCase()))

/** Refuses values that no record may be given: of read-only properties, of unknown owners and pipelines. */
function checkProperties(context: OperationContext, given: readonly JsonObject[]): undefined {
  const { records, refuse } = context
  const type = typeOf(context)
  const pipeline = String(type?.pipeline ?? '')
  for (const { properties } of given)
    for (const [name, value] of Object.entries(fieldsOf(properties))) {
      const fault = (error: string, message: string): never => {
        const one = { isValid: false, message, error, name, localizedErrorMessage: message, portalId: 1 }
        return refuse(400, { code: 'invalid', message: `Property values were not valid: ${JSON.stringify([one])}` })
      }
      const isNone = value === '' || value === null
      if (READ_ONLY.includes(name))
        fault('READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`)
      if (name === 'hubspot_owner_id' && !isNone && records.owners?.get(String(value)) === undefined)
        fault('INVALID_OWNER_ID', `${value} is not a valid owner id`)
      if (name === pipeline && !isNone && !records.pipelines?.some({ objectType: type?.name, id: String(value) }))
        fault('INVALID_OPTION', `${value} was not one of the allowed options`)
    }
}

const one = (context: OperationContext) => checkProperties(context, [context.body])
const changed = (context: OperationContext) => {
  if (Object.keys(fieldsOf(context.body.properties)).length === 0)
    context.refuse(400, { code: 'invalid', message: 'No properties found to update, please provide at least one.' })
  return one(context)
}
const batch = (context: OperationContext) => {
  const inputs = listOf(context.body.inputs)
  const ids = inputs.flatMap(({ id }) => (id === undefined ? [] : [String(id)]))
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
  const message = `Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`
  if (twice.length > 0) context.refuse(400, { code: 'invalid', message })
  return checkProperties(context, inputs)
}

/** Groups of HubSpot's own properties. */
const OWN_GROUP =
  /information$|_activity$|^(?:social_media|web_analytics_history|sales_properties|dealstages|dealrevenue)$/

const property = (context: OperationContext): undefined => {
  const { body, records, refuse } = context
  const { groupName, type, fieldType } = body
  const fits = FIELD_TYPES[String(type)]?.includes(String(fieldType)) ?? true
  if (!fits) refuse(400, { code: 'invalid', message: `Property type ${type} cannot have the fieldType ${fieldType}` })
  if (groupName === undefined || OWN_GROUP.test(String(groupName))) return
  if (!records.property_groups?.some({ objectType: typeOf(context)?.name, name: groupName, archived: false }))
    refuse(400, { code: 'invalid', message: `Property group ${groupName} does not exist` })
}

export default {
  ...marketing,
  'POST /crm/v3/objects/{objectType}': one,
  'PATCH /crm/v3/objects/{objectType}/{objectId}': changed,
  'POST /crm/v3/objects/{objectType}/batch/create': batch,
  'POST /crm/v3/objects/{objectType}/batch/update': batch,
  'POST /crm/v3/objects/{objectType}/batch/upsert': batch,
  'POST /crm/v3/properties/{objectType}': property,
  'POST /crm/v3/objects/{objectType}/search': ({ body, refuse }: OperationContext) => {
    if (Number(body.after ?? 0) >= MOST_FOUND)
      refuse(400, { code: 'invalid', message: `Paging goes to the first ${MOST_FOUND} results: filter them further` })
  },
  'POST /files/v3/files': (context: Context) => {
    const { folderId, folderPath, fileName } = context.body
    const content = contentOf(context)
    const { access, overwrite = false, duplicateValidationStrategy: strategy = 'NONE' } = optionsOf(context)
    if (!ACCESSES.includes(String(access)))
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
  'GET /files/v3/files/{fileId}': (context: Context) => show(context, find(context, 'files', context.path.fileId)),
  'PATCH /files/v3/files/{fileId}': (context: Context) => {
    const file = find(context, 'files', context.path.fileId)
    const { name = file.name, access = file.access, isUsableInContent = file.isUsableInContent } = context.body
    const { parentFolderId = file.parentFolderId, parentFolderPath } = context.body
    const above = folderOf(
      context,
      parentFolderPath === undefined ? { id: parentFolderId } : { path: parentFolderPath },
    )
    const path = `${above?.path ?? ''}/${name}.${file.extension}`
    const facts = { name, access, isUsableInContent, path, parentFolderId: above?.id ?? null }
    return show(context, context.records.files.update(file, { ...facts, updatedAt: context.now.toISOString() }))
  },
  'PUT /files/v3/files/{fileId}': (context: Context) => {
    const file = find(context, 'files', context.path.fileId)
    const { access = file.access } = optionsOf(context)
    const facts = { ...contentOf(context), access, updatedAt: context.now.toISOString() }
    return show(context, context.records.files.update(file, facts))
  },
  'DELETE /files/v3/files/{fileId}': (context: Context) => {
    context.records.files.remove(find(context, 'files', context.path.fileId))
    return context.respond({ status: 204 })
  },
  'GET /files/v3/files/{fileId}/signed-url': (context: Context) => {
    const { url, ...file } = show(context, find(context, 'files', context.path.fileId))
    const { name, extension, type, size } = file
    const seconds = Number(context.query.expirationSeconds ?? HOUR_S)
    const expiresAt = new Date(context.now.getTime() + seconds * 1_000).toISOString()
    return { expiresAt, name, extension, type, size, url: `${url}?expires=${Date.parse(expiresAt)}` }
  },
  'GET /hubfs/1/{fileId}/{filename}': (context: Context) => {
    const { content, encoding, access } = find(context, 'files', context.path.fileId)
    const { expires } = context.query
    if (expires === undefined && String(access).endsWith('PRIVATE'))
      return context.respond({ status: 404, body: 'A private file has a signed URL.' })
    if (expires !== undefined && Number(expires) <= context.now.getTime())
      return context.respond({ status: 403, body: 'The signed URL has expired.' })
    return context.respond({
      headers: { 'Content-Type': String(encoding) },
      body: Buffer.from(String(content), 'base64'),
    })
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
    const moved = (of: Kept): string => String(of.path).replace(String(one.path), path)
    for (const collection of ['files', 'folders'] as const)
      for (const below of context.records[collection].where(({ path: at }) => String(at).startsWith(`${one.path}/`)))
        context.records[collection].update(below, { path: moved(below) })
    const facts = { name, path, parentFolderId: above?.id ?? null, updatedAt: context.now.toISOString() }
    return context.records.folders.update(one, facts)
  },
  'DELETE /files/v3/folders/{folderId}': (context: Context) => {
    const one = folder(context)
    for (const collection of ['files', 'folders'] as const)
      for (const below of context.records[collection].where(({ path }) => String(path).startsWith(`${one.path}/`)))
        context.records[collection].remove(below)
    context.records.folders.remove(one)
    return context.respond({ status: 204 })
  },
  $queried: queried,
  $asShown: asShown,
  $derived: derived,
  $rolledUp: rolledUp,
  $stageMetadata: stageMetadata,
  $upper: (text: unknown) => String(text).toUpperCase(),
}
