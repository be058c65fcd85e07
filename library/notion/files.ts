import { BOT, born, type Context, type Fields, find, invalid, type Kept, lifeOf, toPage } from './context.ts'

/** Most bytes of an upload. */
const MOST = 5 * 2 ** 20
const HOUR_MS = 3_600_000

function show({ now, origin }: Context, upload: Kept): Fields {
  const isExpired = upload.status === 'pending' && String(upload.expiry_time) < now.toISOString()
  const { id, filename, content_type, content_length, expiry_time, status } = upload
  return {
    object: 'file_upload',
    id,
    ...lifeOf(upload),
    created_by: { id: BOT.id, type: 'bot' },
    filename,
    content_type,
    content_length,
    expiry_time,
    status: isExpired ? 'expired' : status,
    ...(status === 'pending' && { upload_url: `${origin}/v1/file_uploads/${id}/send` }),
  } as Fields
}

export const files = {
  'POST /v1/file_uploads': (context: Context) => {
    const { mode = 'single_part', filename = null, content_type = null } = context.body
    if (mode !== 'single_part')
      return invalid(context, `Uploads with the mode ${mode} are not taken here. Send the file in a single part.`)
    const expiry_time = new Date(context.now.getTime() + HOUR_MS).toISOString()
    const facts = { filename, content_type, content_length: null, expiry_time, status: 'pending' }
    return show(context, context.records.file_uploads.create({ ...born(context), ...facts }))
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
    const { filename, content_type } = upload
    const facts = {
      filename: filename ?? file.name,
      content_type: content_type ?? file.type,
      content_length: file.size,
    }
    return show(
      context,
      context.records.file_uploads.update(upload.id, { ...facts, status: 'uploaded', expiry_time: null }),
    )
  },
}
