import { fieldsOf, listOf } from '../openai/context.ts'
import { type Context, type Fields, find, type Json, unfit } from './context.ts'

/** Most characters of one text. */
const MOST = 2_000

const PLAIN = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }

/** Texts of a request as they are shown. @param path of the list in the body */
export function toRichText(context: Context, value: unknown, path: string): Fields[] {
  if (!Array.isArray(value)) return unfit(context, path, 'an array', value)
  if (value.length > 100) return unfit(context, `${path}.length`, '≤ `100`', value.length)
  return listOf(value).map((item, at) => toItem(context, item, `${path}[${at}]`))
}

function toItem(context: Context, item: Fields, path: string): Fields {
  const { mention, equation } = item
  const annotations = { ...PLAIN, ...fieldsOf(item.annotations) }
  if (mention !== undefined) {
    const { user, page, database, date } = fieldsOf(mention)
    const [type, value] = Object.entries({ user, page, database, date }).find(([, of]) => of !== undefined) ?? []
    if (type === undefined) return unfit(context, `${path}.mention`, 'a mention', mention)
    const { id, start } = fieldsOf(value)
    const plain_text = type === 'date' ? String(start) : nameOf(context, type, id)
    return { type: 'mention', mention: { type, [type]: value }, annotations, plain_text, href: null } as Fields
  }
  if (equation !== undefined) {
    const { expression } = fieldsOf(equation)
    return { type: 'equation', equation, annotations, plain_text: String(expression), href: null }
  }
  const { content, link = null } = fieldsOf(item.text)
  if (typeof content !== 'string') return unfit(context, `${path}.text`, 'defined', item.text)
  if (content.length > MOST) return unfit(context, `${path}.text.content.length`, `≤ \`${MOST}\``, content.length)
  const href = (fieldsOf(link).url as Json | undefined) ?? null
  return { type: 'text', text: { content, link }, annotations, plain_text: content, href }
}

/** A person with an at sign, a page and a database by their titles. */
function nameOf(context: Context, type: string, id: unknown): Json {
  if (type === 'user') return `@${find(context, 'users', id).name}`
  const record = find(context, type === 'page' ? 'pages' : 'databases', id)
  const title = type === 'page' ? listOf(record.values).find((value) => value.id === 'title')?.value : record.title
  return plainOf(title) || 'Untitled'
}

/** The characters of a list of texts. */
export const plainOf = (texts: unknown): string =>
  listOf(texts)
    .map(({ plain_text }) => plain_text)
    .join('')

/** An icon, a cover or another file of a request as it is shown: an upload becomes a file. */
export function toFile(context: Context, value: unknown): Json {
  const { file_upload, type: _, ...file } = fieldsOf(value)
  if (value == null) return null
  if (file_upload === undefined) return { type: Object.keys(file).find((name) => TYPES.has(name)) ?? null, ...file }
  const upload = find(context, 'file_uploads', fieldsOf(file_upload).id)
  if (upload.status !== 'uploaded')
    return context.refuse(400, { message: `File upload ${upload.id} is not uploaded: its status is ${upload.status}.` })
  const name = encodeURIComponent(String(upload.filename))
  const expiry_time = new Date(context.now.getTime() + 3_600_000).toISOString()
  return { ...file, type: 'file', file: { url: `${context.origin}/files/${upload.id}/${name}`, expiry_time } }
}

const TYPES = new Set(['emoji', 'external', 'file', 'custom_emoji', 'icon'])
