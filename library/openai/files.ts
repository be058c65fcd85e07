import { createHash } from 'node:crypto'
import { toUnix } from '../shared/times.ts'

import { type Fields, fieldsOf, type Json, type Kept, withoutKept } from '../shared/values.ts'
import { type Context, find, missing, type Work } from './context.ts'
import { oldestFirst, toPage } from './lists.ts'

/** Seconds that an upload waits for its parts. */
const UPLOAD_S = 3_600

/** A file as the API shows it: without its content. */
export const shownFile = ({ content: _, type: _t, ...file }: Fields): Fields => file

interface NewFile {
  readonly filename: string
  readonly purpose: string
  /** In base64. */
  readonly content: string
  readonly type?: string | null
  readonly expiresAfter?: number | undefined
}

export function createFile({ records, now }: Pick<Work, 'now' | 'records'>, file: NewFile): Kept {
  const { filename, purpose, content, type = null, expiresAfter } = file
  const created_at = toUnix(now)
  return records.files.create({
    object: 'file',
    bytes: Buffer.from(content, 'base64').length,
    created_at,
    filename,
    purpose,
    status: 'processed',
    expires_at: expiresAfter === undefined ? null : created_at + expiresAfter,
    content,
    type,
  })
}

const secondsOf = (expiry: Json | undefined): number | undefined => Number(fieldsOf(expiry).seconds) || undefined

/** The text of a file; undefined without one. */
export function textOfFile({ records }: Pick<Work, 'records'>, id: unknown): string | undefined {
  const content = records.files.get(String(id))?.content
  return typeof content === 'string' ? Buffer.from(content, 'base64').toString() : undefined
}

/** The file that a request carries. */
export function sentFile(
  { files: [file], refuse }: Context,
  field: string,
): Pick<NewFile, 'content' | 'filename' | 'type'> {
  if (file === undefined) return refuse(400, { message: `'${field}' is a required property`, field })
  if (file.base64 === null)
    return refuse(413, { code: 'too_large', message: 'This simulation keeps files of up to 8 MB.', field })
  return { filename: file.name, content: file.base64, type: file.type }
}

/** The file that the path names. An expired one is gone. */
function findFile(context: Context): Kept {
  const file = context.records.files.get(String(context.path.file_id))
  const isExpired = typeof file?.expires_at === 'number' && file.expires_at <= toUnix(context.now)
  return file === undefined || isExpired ? context.refuse(...missing('files', context.path.file_id)) : file
}

export const files = {
  'POST /files': (context: Context) => {
    const { purpose, expires_after } = context.body
    const sent = sentFile(context, 'file')
    if (sent.content === '') context.refuse(400, { message: 'File is empty.' })
    const api = { batch: 'Batch', 'fine-tune': 'Fine-Tuning' }[String(purpose)]
    if (api !== undefined && !sent.filename.endsWith('.jsonl'))
      context.refuse(400, { message: `Invalid file format for ${api} API. Must be .jsonl` })
    return shownFile(createFile(context, { ...sent, purpose: String(purpose), expiresAfter: secondsOf(expires_after) }))
  },
  'GET /files': (context: Context) => {
    const { purpose } = context.query
    const all = oldestFirst(context.records.files).filter((file) => purpose === undefined || file.purpose === purpose)
    return toPage(context, all.map(shownFile), 10_000)
  },
  'GET /files/{file_id}': (context: Context) => shownFile(findFile(context)),
  'DELETE /files/{file_id}': (context: Context) => {
    const { id } = findFile(context)
    context.records.files.remove(id)
    for (const attached of context.records.vector_store_files.where({ file_id: id }))
      context.records.vector_store_files.remove(attached.id)
    return { id, object: 'file', deleted: true }
  },
  'GET /files/{file_id}/content': (context: Context) => {
    const { content, type, purpose } = findFile(context)
    if (purpose === 'assistants' || purpose === 'user_data')
      context.refuse(400, { message: `Not allowed to download files of purpose: ${purpose}` })
    const headers = { 'Content-Type': typeof type === 'string' ? type : 'application/octet-stream' }
    return context.respond({ headers, body: Buffer.from(String(content), 'base64') })
  },
  'POST /uploads': ({ body, now, records }: Context) => {
    const created_at = toUnix(now)
    const { bytes, filename, mime_type, purpose } = body
    const given = { bytes, filename, mime_type, purpose }
    const upload = { object: 'upload', ...given, created_at, expires_at: created_at + UPLOAD_S, status: 'pending' }
    return withoutKept(records.uploads.create({ ...upload, file: null, kept_expiry: body.expires_after ?? null }))
  },
  'POST /uploads/{upload_id}/parts': (context: Context) => {
    const { id } = openUpload(context)
    const { content } = sentFile(context, 'data')
    const made = context.records.upload_parts.create({ upload_id: id, content })
    return { id: made.id, object: 'upload.part', created_at: toUnix(context.now), upload_id: id }
  },
  'POST /uploads/{upload_id}/complete': (context: Context) => {
    const { id, filename, purpose, mime_type, bytes, kept_expiry } = openUpload(context)
    const parts = (context.body.part_ids as string[]).map((part) => context.records.upload_parts.get(part)?.content)
    const content = Buffer.concat(parts.map((part) => Buffer.from(String(part ?? ''), 'base64')))
    if (content.length !== bytes)
      context.refuse(400, { message: `The parts have ${content.length} bytes, and the upload is of ${bytes}.` })
    const { md5 } = context.body
    if (md5 !== undefined && md5 !== createHash('md5').update(content).digest('hex'))
      context.refuse(400, { message: 'The checksum of the parts differs from `md5`.', field: 'md5' })
    const given = { filename: String(filename), purpose: String(purpose), type: String(mime_type) }
    const expiresAfter = secondsOf(kept_expiry)
    const file = shownFile(createFile(context, { ...given, expiresAfter, content: content.toString('base64') }))
    return withoutKept(context.records.uploads.update(id, { status: 'completed', file }))
  },
  'POST /uploads/{upload_id}/cancel': (context: Context) =>
    withoutKept(context.records.uploads.update(openUpload(context).id, { status: 'cancelled' })),
}

function openUpload(context: Context): Kept {
  const upload = find(context, 'uploads', 'upload_id')
  if (upload.status !== 'pending' || Number(upload.expires_at) <= toUnix(context.now))
    context.refuse(400, { message: `Upload ${upload.id} is not pending.` })
  return upload
}
