import { type Fields, fieldsOf, type Json, listOf } from '../shared/values.ts'

/** A text, in wiki markup, as a document: headings, bullets, paragraphs and bold words. */
export function toDocument(text: string): Fields {
  const content = text.split(/\r?\n/).map((line): Fields => {
    const [, level, title] = /^h([1-6])\. +(.*)$/.exec(line) ?? []
    if (title !== undefined) return { type: 'heading', attrs: { level: Number(level) }, content: toInline(title) }
    const [, item] = /^[*-] +(.*)$/.exec(line) ?? []
    const paragraph = { type: 'paragraph', content: toInline(item ?? line) }
    return item === undefined
      ? paragraph
      : { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph] }] }
  })
  return { type: 'doc', version: 1, content }
}

const toInline = (line: string): Fields[] =>
  line.split(/(\*[^*\s](?:[^*]*[^*\s])?\*)/).flatMap((part): Fields[] => {
    if (part === '') return []
    const isBold = /^\*.+\*$/.test(part)
    return [
      isBold ? { type: 'text', text: part.slice(1, -1), marks: [{ type: 'strong' }] } : { type: 'text', text: part },
    ]
  })

export const isDocument = (value: unknown): value is Fields => {
  const { type, version, content } = fieldsOf(value)
  return type === 'doc' && version === 1 && Array.isArray(content)
}

/** A document as HTML; null for another value. */
export const htmlOf = (value: unknown): string | null => (isDocument(value) ? toHtml(value) : null)

/** Elements of blocks and of marks. */
const ELEMENTS: Readonly<Record<string, string>> = {
  ...{
    paragraph: 'p',
    blockquote: 'blockquote',
    bulletList: 'ul',
    orderedList: 'ol',
    listItem: 'li',
    codeBlock: 'pre',
  },
  ...{ table: 'table', tableRow: 'tr', tableHeader: 'th', tableCell: 'td', hardBreak: 'br', rule: 'hr' },
  ...{ strong: 'b', em: 'em', code: 'tt', strike: 'del', underline: 'ins' },
}

const escaped = (text: unknown): string => String(text ?? '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** An item of a list has its words without a paragraph. */
function toHtml({ type, attrs, marks, content, text: own }: Fields, above?: Json): string {
  const { text, shortName, url, level } = fieldsOf(attrs)
  const parts = listOf(content).map((one) => toHtml(one, type))
  const wrap = (html: string, element: string | undefined): string => {
    if (element === 'br' || element === 'hr') return `<${element}/>`
    return element === undefined ? html : `<${element}>${html}</${element}>`
  }
  const inner = listOf(marks).reduce(
    (html, mark) =>
      mark.type === 'link'
        ? `<a href="${escaped(fieldsOf(mark.attrs).href)}">${html}</a>`
        : wrap(html, ELEMENTS[String(mark.type)]),
    escaped(own ?? text ?? shortName ?? url) + parts.join(''),
  )
  if (type === 'paragraph' && above === 'listItem') return inner
  return wrap(inner, type === 'heading' ? `h${level}` : ELEMENTS[String(type)])
}

const BLOCKS = new Set(['paragraph', 'heading', 'codeBlock', 'blockquote', 'listItem', 'tableRow', 'panel', 'rule'])

/** The words of a document. */
export const textOf = (node: Json | undefined): string => write(fieldsOf(node)).replace(/\n+$/, '')

/** A document in wiki markup, as version 2 shows it: what {@link toDocument} reads. */
export const wikiOf = (node: Json | undefined): string => write(fieldsOf(node), markUp).replace(/\n+$/, '')

function markUp({ type, attrs, marks }: Fields, text: string): string {
  if (type === 'heading') return `h${fieldsOf(attrs).level}. ${text}`
  if (type === 'listItem') return `* ${text}`
  return listOf(marks).some((one) => one.type === 'strong') ? `*${text}*` : text
}

function write(node: Fields, mark = (_: Fields, text: string): string => text): string {
  const { text, shortName, url } = fieldsOf(node.attrs)
  if (node.type === 'hardBreak') return '\n'
  const parts = listOf(node.content).map((one) => write(one, mark))
  const inner = mark(node, String(node.text ?? text ?? shortName ?? url ?? '') + parts.join(''))
  return BLOCKS.has(String(node.type)) && !inner.endsWith('\n') ? `${inner}\n` : inner
}
