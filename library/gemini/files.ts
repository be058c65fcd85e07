import { createHash } from 'node:crypto'
import { after } from '../shared/times.ts'
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

/** Seconds that a file is kept, and that a video is processed. */
const KEPT_S = 48 * 3_600
const PROCESSING_S = 10

type At = Pick<Work, 'now'>

const isLive = ({ now }: At, { expirationTime }: Fields): boolean => String(expirationTime) > now.toISOString()

/** A file as the API shows it: a video is processed first. */
function shown({ now }: At, { id: _, kept_content: _c, ...file }: Fields): Fields {
  if (!String(file.mimeType).startsWith('video/')) return { ...file, state: 'ACTIVE' }
  const ready = after(new Date(String(file.createTime)), PROCESSING_S)
  if (ready > now.toISOString()) return { ...file, state: 'PROCESSING' }
  return { ...file, state: 'ACTIVE', updateTime: ready, videoMetadata: { videoDuration: '10s' } }
}

const gone = (id: unknown): Fault => ({
  status: 403,
  message: `You do not have permission to access the File ${id} or it may not exist.`,
})

function findFile(context: Context): Kept {
  const file = context.records.files.get(context.path.id)
  return file !== undefined && isLive(context, file) ? file : refuseWith(context, gone(context.path.id))
}

interface NewFile {
  readonly id?: string | undefined
  readonly displayName?: unknown
  readonly mimeType: string
  /** In base64; null of one that is too large to keep. */
  readonly content: string | null
  readonly size: number
  readonly source?: 'GENERATED'
}

/** @param origin of the file's address */
export function createFile({ records, now, id }: Work, origin: string, file: NewFile): Kept {
  const key = file.id ?? id().slice(0, 12).toLowerCase()
  const bytes = Buffer.from(file.content ?? '', 'base64')
  return records.files.create({
    id: key,
    name: `files/${key}`,
    ...(typeof file.displayName === 'string' && { displayName: file.displayName }),
    mimeType: file.mimeType,
    sizeBytes: String(file.size),
    createTime: now.toISOString(),
    updateTime: now.toISOString(),
    expirationTime: after(now, KEPT_S),
    sha256Hash: Buffer.from(createHash('sha256').update(bytes).digest('hex')).toString('base64'),
    uri: `${origin}/v1beta/files/${key}`,
    ...(file.source === 'GENERATED' && { downloadUri: `${origin}/v1beta/files/${key}:download?alt=media` }),
    source: file.source ?? 'UPLOADED',
    kept_content: file.content,
  })
}

/** The text of a live file; undefined without one. @param name `files/abc` */
export function textOfFile(work: Work, name: unknown): string | undefined {
  const file = work.records.files.get(String(name).replace('files/', ''))
  if (file === undefined || !isLive(work, file) || typeof file.kept_content !== 'string') return undefined
  return Buffer.from(file.kept_content, 'base64').toString()
}

/** Why a request with addresses of files is refused: each is there, and processed. */
export function fileFault(work: Work, request: Fields): Fault | undefined {
  for (const part of contentsOf(request).flatMap(partsOf)) {
    const uri = read(read(part, 'fileData'), 'fileUri')
    const id = /\/files\/([^/?:]+)$/.exec(String(uri))?.[1]
    if (id === undefined) continue
    const file = work.records.files.get(id)
    if (file === undefined || !isLive(work, file)) return gone(id)
    if (shown(work, file).state === 'PROCESSING') {
      const message = `The File ${id} is not in an ACTIVE state and usage is not allowed.`
      return { status: 400, message, rpc: 'FAILED_PRECONDITION' }
    }
  }
  return undefined
}

/** An upload in one request: a part with the facts of the file, and one with its content. */
function uploadAtOnce(context: Context): object {
  const {
    files: [sent],
    headers,
    origin,
  } = context
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(headers['content-type'] ?? '') ?? []
  const [, facts, content] = Buffer.from(sent?.base64 ?? '', 'base64')
    .toString('latin1')
    .split(`--${quoted ?? bare}`)
  const [, json = ''] = facts?.split('\r\n\r\n') ?? []
  const at = content?.indexOf('\r\n\r\n') ?? -1
  if (content === undefined || at === -1)
    return refuseWith(
      context,
      invalid('An upload in one request has two parts: the facts of the file as JSON, and its content.'),
    )
  const file = fieldsOf(fieldsOf(JSON.parse(Buffer.from(json, 'latin1').toString())).file)
  const [, type = 'application/octet-stream'] = /^content-type:\s*(.+?)\s*$/im.exec(content.slice(0, at)) ?? []
  const bytes = Buffer.from(content.slice(at + 4).replace(/\r\n$/, ''), 'latin1')
  const made = createFile(context, origin, {
    displayName: read(file, 'displayName'),
    mimeType: type,
    content: bytes.toString('base64'),
    size: bytes.length,
  })
  return { file: shown(context, made) }
}

/** A file for a store. */
interface NewDocument {
  readonly displayName: unknown
  readonly mimeType: string
  readonly text: string
  readonly metadata: unknown
}

/** Adds a document at once, and answers the operation that has done it. */
export function addDocument(
  context: Context,
  store: Kept,
  file: NewDocument,
  kind: 'operations' | 'upload/operations',
) {
  const { id, now, records } = context
  const key = `${id().toLowerCase().slice(0, 12)}-${id().toLowerCase().slice(0, 12)}`
  const time = now.toISOString()
  const name = `${store.name}/documents/${key}`
  records.documents.create({
    id: key,
    store: store.id,
    name,
    displayName: String(file.displayName ?? key),
    mimeType: file.mimeType,
    sizeBytes: String(Buffer.byteLength(file.text)),
    customMetadata: listOf(file.metadata),
    state: 'STATE_ACTIVE',
    createTime: time,
    updateTime: time,
    kept_text: file.text,
  })
  return {
    name: `${store.name}/${kind}/${key}`,
    done: true,
    response: {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.UploadToFileSearchStoreResponse',
      parent: store.name,
      documentName: name,
    },
  }
}

/** What the start of an upload answers. */
export const startOf = (origin: string, id: string): Record<string, string> => ({
  'X-Goog-Upload-URL': `${origin}/upload/v1beta/resumable/${id}?upload_protocol=resumable`,
  'X-Goog-Upload-Status': 'active',
  'X-Goog-Upload-Chunk-Granularity': '262144',
})

export const files = {
  /** The first request of an upload: what the file is. */
  'POST /files': (context: Context) => {
    const { body, headers, records, origin, respond } = context
    if (/^multipart\/related/.test(headers['content-type'] ?? '')) return uploadAtOnce(context)
    if (!/\bstart\b/.test(headers['x-goog-upload-command'] ?? ''))
      refuseWith(context, invalid('Upload a file with the header X-Goog-Upload-Command: start.'))
    const file = fieldsOf(body?.file)
    const name = file.name === undefined ? undefined : String(file.name).replace('files/', '')
    if (name !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name))
      refuseWith(
        context,
        invalid(
          `* CreateFileRequest.file.name: files/${name} must have at most 40 lowercase letters, digits and dashes.`,
        ),
      )
    const old = name === undefined ? undefined : records.files.get(name)
    if (old !== undefined && isLive(context, old))
      refuseWith(context, { status: 409, message: `File files/${name} already exists.` })
    const upload = records.uploads.create({
      key: name ?? null,
      displayName: read(file, 'displayName') ?? null,
      mimeType: headers['x-goog-upload-header-content-type'] ?? read(file, 'mimeType') ?? 'application/octet-stream',
      size: 0,
      content: '',
    })
    return respond({ headers: startOf(origin, upload.id), body: {} })
  },
  /** A further request of an upload: bytes, of which the last make the file. */
  'POST /resumable/{id}': (context: Context) => {
    const {
      files: [sent],
      headers,
      records,
      path,
      respond,
      origin,
    } = context
    const upload =
      records.uploads.get(path.id) ?? refuseWith(context, { status: 404, message: 'Requested entity was not found.' })
    const command = headers['x-goog-upload-command'] ?? ''
    const received = { 'X-Goog-Upload-Status': 'active', 'X-Goog-Upload-Size-Received': String(upload.size) }
    if (command === 'query') return respond({ headers: received, body: {} })
    if (Number(headers['x-goog-upload-offset'] ?? 0) !== upload.size)
      refuseWith(context, invalid(`The upload has ${upload.size} bytes: continue there.`))
    const size = Number(upload.size) + (sent?.size ?? 0)
    const part = sent === undefined ? '' : sent.base64
    const kept = [upload.content, part].map((one) => (typeof one === 'string' ? Buffer.from(one, 'base64') : one))
    const content = kept.every((one) => Buffer.isBuffer(one)) ? Buffer.concat(kept).toString('base64') : null
    if (!command.includes('finalize')) {
      records.uploads.update(upload.id, { size, content })
      return respond({ headers: { ...received, 'X-Goog-Upload-Size-Received': String(size) }, body: {} })
    }
    records.uploads.remove(upload.id)
    const { key, displayName, mimeType, store: wanted, metadata } = upload
    const store = typeof wanted === 'string' ? records.file_search_stores.get(wanted) : undefined
    if (store !== undefined) {
      const text = Buffer.from(String(content ?? ''), 'base64').toString()
      const file = { displayName, mimeType: String(mimeType), text, metadata }
      const done = addDocument(context, store, file, 'upload/operations')
      return respond({ headers: { 'X-Goog-Upload-Status': 'final' }, body: done })
    }
    const id = typeof key === 'string' ? key : undefined
    const old = id === undefined ? undefined : records.files.get(id)
    if (old !== undefined) records.files.remove(old.id)
    const file = createFile(context, origin, { id, displayName, mimeType: String(mimeType), content, size })
    return respond({ headers: { 'X-Goog-Upload-Status': 'final' }, body: { file: shown(context, file) } })
  },
  'GET /files': (context: Context) => {
    const live = [...context.records.files].filter((file) => isLive(context, file))
    return toPage(
      context,
      'files',
      live.map((file) => shown(context, file)),
    )
  },
  'GET /files/{id}': (context: Context) => shown(context, findFile(context)),
  'DELETE /files/{id}': removing('files', findFile),
  'GET /files/{id}:download': (context: Context) => {
    const { source, kept_content, mimeType } = findFile(context)
    if (source !== 'GENERATED')
      refuseWith(context, invalid('Only files that a model or a batch has made can be downloaded.'))
    return context.respond({
      headers: { 'Content-Type': String(mimeType) },
      body: Buffer.from(String(kept_content), 'base64'),
    })
  },
}
