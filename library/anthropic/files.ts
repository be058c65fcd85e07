import { fieldsOf, listOf } from '../openai/context.ts'
import { blocksOf } from './attachments.ts'
import { type Context, type Fields, type Kept, toPage, type Work } from './context.ts'

const shown = ({ content: _, ...file }: Kept): Fields & { id: string } => file

function findFile({ records, path, refuse }: Context): Kept {
  const id = String(path.file_id)
  return records.files.get(id) ?? refuse(404, { code: 'not_found', message: `File not found: ${id}` })
}

/** The first file of a request's documents and pictures that is not there. */
export const missingFile = ({ records }: Pick<Work, 'records'>, { messages }: Fields): string | undefined =>
  listOf(messages)
    .flatMap(({ content }) => blocksOf(content))
    .flatMap(({ source, file_id = fieldsOf(source).file_id }) => (typeof file_id === 'string' ? [file_id] : []))
    .find((id) => records.files.get(id) === undefined)

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const FORBIDDEN = /[<>:"|?*\\/\u0000-\u001f]/

export const files = {
  'POST /v1/files': ({ files: [file], now, records, refuse }: Context) => {
    if (file === undefined) return refuse(400, { message: 'file: Field required' })
    const { name: filename, size: size_bytes, type } = file
    if (filename.length === 0 || filename.length > 255 || FORBIDDEN.test(filename))
      refuse(400, {
        message: 'file: Filenames have 1 to 255 characters, without < > : " | ? * \\ / and control characters',
      })
    const mime_type = type ?? 'application/octet-stream'
    const facts = { type: 'file', filename, mime_type, size_bytes, created_at: now.toISOString(), downloadable: false }
    const content = file.base64
    return shown(records.files.create({ ...facts, content }))
  },
  'GET /v1/files': (context: Context) => toPage(context, [...context.records.files].map(shown)),
  'GET /v1/files/{file_id}': (context: Context) => shown(findFile(context)),
  'DELETE /v1/files/{file_id}': (context: Context) => {
    const { id } = findFile(context)
    context.records.files.remove(id)
    return { id, type: 'file_deleted' }
  },
  'GET /v1/files/{file_id}/content': (context: Context) => {
    const { id } = findFile(context)
    return context.refuse(400, { message: `File ${id} is not downloadable: only files that a tool has made are.` })
  },
}
