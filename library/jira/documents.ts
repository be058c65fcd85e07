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

/** A document as HTML: paragraphs of plain words; null for another value. */
export const htmlOf = (value: unknown): string | null =>
  isDocument(value)
    ? textOf(value)
        .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
        .replace(/^.*$/gm, (line) => `<p>${line}</p>`)
    : null

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
