import { type Fields, fieldsOf, type Json, listOf, type Notion, plainOf, urlOf } from './notion.ts'

/** Most characters of one text. */
const MOST = 2_000

export const COLORS = /^(default|gray|brown|orange|yellow|green|blue|purple|pink|red)(_background)?$/

const PLAIN = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }

/** Texts of a request as they are shown. @param path of the list in the body */
export function toRichText(notion: Notion, value: unknown, path: string): Fields[] {
  if (!Array.isArray(value)) return notion.unfit(path, 'an array', value)
  if (value.length > 100) return notion.unfit(`${path}.length`, '≤ `100`', value.length)
  return listOf(value).map((item, at) => toItem(notion, item, `${path}[${at}]`))
}

function toItem(notion: Notion, item: Fields, path: string): Fields {
  const { mention, equation } = item
  const { color = 'default' } = fieldsOf(item.annotations)
  if (!COLORS.test(String(color))) return notion.unfit(`${path}.annotations.color`, 'a color such as `"red"`', color)
  const facts = { annotations: { ...PLAIN, ...fieldsOf(item.annotations) }, href: null }
  if (mention !== undefined) {
    const [type, value] = Object.entries(fieldsOf(mention)).find(([name]) => MENTIONS.test(name)) ?? []
    if (type === undefined || value === undefined) return notion.unfit(`${path}.mention`, 'a mention', mention)
    const [plain_text, { id = '' }] = [nameOf(notion, type, fieldsOf(value)), fieldsOf(value)]
    const href = type === 'page' || type === 'database' ? urlOf({ id }) : null
    const user = type === 'user' ? notion.find('users', id) : value
    const named = type === 'date' ? { start: null, end: null, time_zone: null, ...fieldsOf(value) } : user
    return { type: 'mention', mention: { type, [type]: named }, ...facts, plain_text, href }
  }
  if (equation !== undefined)
    return { type: 'equation', equation, ...facts, plain_text: String(fieldsOf(equation).expression) }
  const { content, link = null } = fieldsOf(item.text)
  if (typeof content !== 'string') return notion.unfit(`${path}.text`, 'defined', item.text)
  if (content.length > MOST) return notion.unfit(`${path}.text.content.length`, `≤ \`${MOST}\``, content.length)
  if (link !== null && !fieldsOf(link).url) return notion.unfit(`${path}.text.link.url`, 'defined', link)
  return { type: 'text', text: { content, link }, ...facts, plain_text: content, href: fieldsOf(link).url ?? null }
}

const MENTIONS = /^(user|page|database|date)$/

/** A person with an at sign, a page and a database by their titles. */
function nameOf(notion: Notion, type: string, { id, start, end }: Fields): Json {
  if (type === 'date') return end == null ? String(start) : `${start} → ${end}`
  if (type === 'user') return `@${notion.find('users', id ?? '').name}`
  const { title, values } = notion.find(type === 'page' ? 'pages' : 'databases', id ?? '')
  return plainOf(title ?? listOf(values).find((value) => value.id === 'title')?.value) || 'Untitled'
}

/** An icon, a cover or another file of a request as it is shown: an upload becomes a file. */
export function toFile(notion: Notion, value: unknown): Json {
  const { file_upload, type: _, ...file } = fieldsOf(value)
  if (value == null) return null
  if (file_upload === undefined) {
    const kind = Object.keys(file).find((name) => TYPES.test(name))
    if (kind === undefined)
      return notion.invalid('body failed validation: a file, an icon or a cover should be defined.')
    if (kind === 'external' && !URL.canParse(String(fieldsOf(file.external).url))) notion.invalid('Invalid URL.')
    if (kind === 'emoji' && !EMOJI.test(String(file.emoji))) notion.unfit('icon.emoji', 'an emoji', file.emoji)
    return { type: kind, ...file }
  }
  const { id, status, filename } = notion.find('file_uploads', fieldsOf(file_upload).id ?? '')
  if (status !== 'uploaded') notion.invalid(`File upload ${id} is not uploaded: its status is ${status}.`)
  const url = `${notion.of.origin}/files/${id}/${encodeURIComponent(String(filename))}`
  return { ...file, type: 'file', file: { url, expiry_time: notion.inAnHour } }
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
const TYPES = /^(emoji|external|file|custom_emoji|icon)$/
