import { BOT, type Fields, fieldsOf, type Kept, type Notion, type Operations } from './notion.ts'

/** Most bytes of an upload. */
const MOST = 5 * 2 ** 20

function show(notion: Notion, upload: Kept) {
  const { now, origin } = notion.of
  const { id, filename, content_type, content_length, expiry_time, mode, number_of_parts, parts } = upload
  const isExpired = upload.status === 'pending' && String(expiry_time) < now.toISOString()
  const status = isExpired ? 'expired' : upload.status
  const address = `${origin}/v1/file_uploads/${id}`
  const sent = Object.keys(fieldsOf(parts)).length
  return {
    ...{ object: 'file_upload', id, ...notion.lifeOf(upload), created_by: { id: BOT.id, type: 'bot' } },
    ...{ filename, content_type, content_length, expiry_time, status },
    ...(upload.status === 'pending' && { upload_url: `${address}/send` }),
    ...(upload.status === 'pending' && mode === 'multi_part' && { complete_url: `${address}/complete` }),
    ...(mode === 'multi_part' && { number_of_parts: { total: number_of_parts, sent } }),
  }
}

export const files: Operations = {
  'POST /v1/file_uploads': (notion) => {
    const { mode = 'single_part', filename = null, content_type = null, number_of_parts = null } = notion.body
    if (mode === 'external_url')
      notion.invalid('Uploads with the mode external_url are not fetched here. Send the file itself.')
    if (mode === 'multi_part' && !(Number(number_of_parts) >= 1 && filename !== null))
      notion.invalid('body failed validation: body.number_of_parts and body.filename should be defined.')
    const facts = { mode, filename, content_type, content_length: null, number_of_parts, parts: {} }
    const life = { ...notion.born, expiry_time: notion.inAnHour, status: 'pending' }
    const upload = notion.records.file_uploads.create({ ...facts, ...life })
    notion.happen('file_upload.created', upload.id)
    return show(notion, upload)
  },
  'GET /v1/file_uploads': (notion) => {
    const { status } = notion.query
    const shown = [...notion.records.file_uploads].map((upload) => show(notion, upload))
    const found = shown.filter((upload) => status === undefined || upload.status === status)
    return notion.page('file_upload', found, (upload) => upload)
  },
  'GET /v1/file_uploads/{file_upload_id}': (notion) => show(notion, notion.find('file_uploads')),
  'POST /v1/file_uploads/{file_upload_id}/send': (notion) => {
    const upload = notion.find('file_uploads')
    const { status } = show(notion, upload)
    const [file] = notion.of.files
    if (status !== 'pending') notion.invalid(`The file upload is ${status}, and takes no file.`)
    if (file === undefined) return notion.invalid('body failed validation: body.file should be defined.')
    if (file.size > MOST) notion.invalid(`The file is larger than the limit of ${MOST} bytes.`)
    const { mode, number_of_parts, filename, content_type } = upload
    const part = Number(notion.body.part_number ?? 1)
    if (mode === 'multi_part' && !(part >= 1 && part <= Number(number_of_parts)))
      notion.invalid(`body failed validation: body.part_number should be from 1 to ${number_of_parts}.`)
    const parts = { ...fieldsOf(upload.parts), [part]: file.base64 }
    if (mode === 'multi_part') return show(notion, notion.records.file_uploads.update(upload, { parts }))
    return finish(notion, upload, { filename: filename ?? file.name, content_type: content_type ?? file.type, parts })
  },
  'POST /v1/file_uploads/{file_upload_id}/complete': (notion) => {
    const upload = notion.find('file_uploads')
    const sent = Object.keys(fieldsOf(upload.parts)).length
    if (upload.mode !== 'multi_part' || show(notion, upload).status !== 'pending')
      notion.invalid('Only a pending upload of several parts is completed.')
    if (sent < Number(upload.number_of_parts))
      notion.invalid(`The upload has ${sent} of ${upload.number_of_parts} parts. Send the others first.`)
    return finish(notion, upload, {})
  },
  'GET /files/{file_upload_id}/{filename}': (notion) => {
    const { content_type, parts } = notion.find('file_uploads', notion.of.path.file_upload_id)
    const headers = { 'Content-Type': String(content_type ?? 'application/octet-stream') }
    return notion.of.respond({ headers, body: bytesOf(parts) })
  },
}

/** The parts of an upload, by their numbers. */
const bytesOf = (parts: unknown): Buffer =>
  Buffer.concat(Object.values(fieldsOf(parts)).map((part) => Buffer.from(String(part), 'base64')))

function finish(notion: Notion, upload: Kept, facts: Fields) {
  const content_length = bytesOf(facts.parts ?? upload.parts).length
  const change = { ...facts, content_length, status: 'uploaded', expiry_time: null }
  notion.happen('file_upload.completed', upload.id)
  return show(notion, notion.records.file_uploads.update(upload, change))
}
