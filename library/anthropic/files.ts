import { after } from '../shared/times.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { blocksOf } from './attachments.ts'
import { type Context, type Fields, type Kept, refuseCoded, toPage, type Work } from './context.ts'

const shown = ({ content: _, ...file }: Kept): Fields & { id: string } => file

function findFile({ records, path, refuse }: Context): Kept {
  const id = String(path.file_id)
  return records.files.get(id) ?? refuse(404, { code: 'not_found', message: `File not found: ${id}` })
}

const isExpired = ({ now }: Pick<Work, 'now'>, { expires_at }: Fields): boolean =>
  typeof expires_at === 'string' && expires_at <= now.toISOString()

/** Refuses a request with a file that is not there, or no longer. */
export function checkFiles(context: Context, { messages }: Fields): void {
  const { records, refuse } = context
  for (const id of filesOf(messages)) {
    const file = records.files.get(id) ?? refuse(404, { code: 'not_found', message: `File not found: ${id}` })
    if (isExpired(context, file)) refuseCoded(context, 404, 'file_expired', `File ${id} has expired.`)
  }
}

/** The files of documents and pictures. */
const filesOf = (messages: unknown): string[] =>
  listOf(messages)
    .flatMap(({ content }) => blocksOf(content))
    .flatMap(({ source, file_id = fieldsOf(source).file_id }) => (typeof file_id === 'string' ? [file_id] : []))

/** The first file of a request's documents and pictures that is not there, or no longer. */
export const missingFile = (work: Pick<Work, 'now' | 'records'>, { messages }: Fields): string | undefined =>
  filesOf(messages).find((id) => {
    const file = work.records.files.get(id)
    return file === undefined || isExpired(work, file)
  })

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const FORBIDDEN = /[<>:"|?*\\/\u0000-\u001f]/

export const files = {
  'POST /v1/files': ({ body, files: [file], now, records, refuse }: Context) => {
    if (file === undefined) return refuse(400, { message: 'file: Field required' })
    const { name: filename, size: size_bytes, type } = file
    if (filename.length === 0 || filename.length > 255 || FORBIDDEN.test(filename))
      refuse(400, {
        message: 'file: Filenames have 1 to 255 characters, without < > : " | ? * \\ / and control characters',
      })
    const mime_type = type ?? 'application/octet-stream'
    const facts = { type: 'file', filename, mime_type, size_bytes, created_at: now.toISOString(), downloadable: false }
    const seconds = Number(body.expires_in_seconds)
    const expires_at = seconds > 0 ? after(now, seconds) : null
    return shown(records.files.create({ ...facts, expires_at, content: file.base64 }))
  },
  'GET /v1/files': (context: Context) => {
    const { ids } = context.query
    const all = [...context.records.files].filter(({ id }) => ids === undefined || [ids].flat().includes(id))
    return toPage(context, all.map(shown))
  },
  'GET /v1/files/{file_id}': (context: Context) => shown(findFile(context)),
  'DELETE /v1/files/{file_id}': (context: Context) => {
    const { id } = findFile(context)
    context.records.files.remove(id)
    return { id, type: 'file_deleted' }
  },
  'GET /v1/files/{file_id}/content': (context: Context) => {
    const { id } = findFile(context)
    const message = `File ${id} is not downloadable: only files that a tool has made are.`
    return refuseCoded(context, 400, 'file_not_downloadable', message)
  },
}
