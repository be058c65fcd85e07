import { fieldsOf } from '../openai/context.ts'
import { BOT, born, type Context, type Fields, find, invalid, type Kept, lifeOf, toPage } from './context.ts'

/** Most bytes of an upload. */
const MOST = 5 * 2 ** 20
const HOUR_MS = 3_600_000

function show(context: Context, upload: Kept): Fields {
  const { now, origin } = context
  const isExpired = upload.status === 'pending' && String(upload.expiry_time) < now.toISOString()
  const { id, filename, content_type, content_length, expiry_time, status, mode, number_of_parts, parts } = upload
  return {
    object: 'file_upload',
    id,
    ...lifeOf(context, upload),
    created_by: { id: BOT.id, type: 'bot' },
    filename,
    content_type,
    content_length,
    expiry_time,
    status: isExpired ? 'expired' : status,
    ...(status === 'pending' && { upload_url: `${origin}/v1/file_uploads/${id}/send` }),
    ...(status === 'pending' && mode === 'multi_part' && { complete_url: `${origin}/v1/file_uploads/${id}/complete` }),
    ...(mode === 'multi_part' && {
      number_of_parts: { total: number_of_parts, sent: Object.keys(fieldsOf(parts)).length },
    }),
  } as Fields
}

export const files = {
  'POST /v1/file_uploads': (context: Context) => {
    const { mode = 'single_part', filename = null, content_type = null, number_of_parts = null } = context.body
    if (mode === 'external_url')
      return invalid(context, 'Uploads with the mode external_url are not fetched here. Send the file itself.')
    if (mode === 'multi_part' && !(Number(number_of_parts) >= 1 && filename !== null))
      return invalid(context, 'body failed validation: body.number_of_parts and body.filename should be defined.')
    const expiry_time = new Date(context.now.getTime() + HOUR_MS).toISOString()
    const facts = { mode, filename, content_type, content_length: null, number_of_parts, parts: {}, expiry_time }
    return show(context, context.records.file_uploads.create({ ...born(context), ...facts, status: 'pending' }))
  },
  'GET /v1/file_uploads': (context: Context) =>
    toPage(context, 'file_upload', [...context.records.file_uploads], (upload) => show(context, upload)),
  'GET /v1/file_uploads/{file_upload_id}': (context: Context) =>
    show(context, find(context, 'file_uploads', context.path.file_upload_id)),
  'POST /v1/file_uploads/{file_upload_id}/send': (context: Context) => {
    const upload = find(context, 'file_uploads', context.path.file_upload_id)
    const { status } = show(context, upload)
    const [file] = context.files
    if (status !== 'pending') return invalid(context, `The file upload is ${status}, and takes no file.`)
    if (file === undefined) return invalid(context, 'body failed validation: body.file should be defined.')
    if (file.size > MOST) return invalid(context, `The file is larger than the limit of ${MOST} bytes.`)
    if (file.base64 === null) return invalid(context, 'This simulation keeps files of up to 8 MB.')
    const { mode, number_of_parts } = upload
    const part = Number(context.body.part_number ?? 1)
    if (mode === 'multi_part' && !(part >= 1 && part <= Number(number_of_parts)))
      return invalid(context, `body failed validation: body.part_number should be from 1 to ${number_of_parts}.`)
    const parts = { ...fieldsOf(upload.parts), [part]: file.base64 }
    if (mode === 'multi_part') return show(context, context.records.file_uploads.update(upload.id, { parts }))
    const { filename = file.name, content_type = file.type } = present(upload)
    return finish(context, upload, { filename, content_type, parts })
  },
  'POST /v1/file_uploads/{file_upload_id}/complete': (context: Context) => {
    const upload = find(context, 'file_uploads', context.path.file_upload_id)
    const sent = Object.keys(fieldsOf(upload.parts)).length
    if (upload.mode !== 'multi_part' || show(context, upload).status !== 'pending')
      return invalid(context, 'Only a pending upload of several parts is completed.')
    if (sent < Number(upload.number_of_parts))
      return invalid(context, `The upload has ${sent} of ${upload.number_of_parts} parts. Send the others first.`)
    return finish(context, upload, {})
  },
  'GET /files/{file_upload_id}/{filename}': (context: Context) => {
    const upload = find(context, 'file_uploads', context.path.file_upload_id)
    const type = String(upload.content_type ?? 'application/octet-stream')
    return context.respond({ headers: { 'Content-Type': type }, body: bytesOf(upload.parts) })
  },
}

/** The fields that are not null. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields

/** The parts of an upload, by their numbers. */
const bytesOf = (parts: unknown): Buffer =>
  Buffer.concat(Object.values(fieldsOf(parts)).map((part) => Buffer.from(String(part), 'base64')))

function finish(context: Context, upload: Kept, facts: Fields): Fields {
  const content_length = bytesOf(facts.parts ?? upload.parts).length
  const change = { ...facts, content_length, status: 'uploaded', expiry_time: null }
  return show(context, context.records.file_uploads.update(upload.id, change))
}
