import { append, LANGUAGES } from './blocks.ts'
import type { Fields, Kept, Notion, Operations } from './notion.ts'
import { fieldsOf, idsOf, listOf, parentOf } from './notion.ts'

/** Blocks of one line: their type, what stands before the text, and how it is read. */
const LINES: readonly (readonly [type: string, mark: string, pattern: RegExp])[] = [
  ['heading_4', '#### ', /^#### (.*)$/],
  ['heading_3', '### ', /^### (.*)$/],
  ['heading_2', '## ', /^## (.*)$/],
  ['heading_1', '# ', /^# (.*)$/],
  ['bulleted_list_item', '- ', /^[-*] (.*)$/],
  ['numbered_list_item', '1. ', /^\d+\. (.*)$/],
  ['quote', '> ', /^> (.*)$/],
  ['paragraph', '', /^(.*)$/],
]
/** Usual short names of languages. No page of Notion's says what others become: they are plain text here. */
const SHORT: Readonly<Record<string, string>> = {
  js: 'javascript',
  py: 'python',
  sh: 'shell',
  ts: 'typescript',
  yml: 'yaml',
}
/** Around a text with an annotation, the innermost first. */
const AROUND = [
  ['code', '`'],
  ['strikethrough', '~~'],
  ['italic', '*'],
  ['bold', '**'],
] as const
const INLINE =
  /\*\*(?<bold>.+?)\*\*|\*(?<italic>.+?)\*|~~(?<strikethrough>.+?)~~|`(?<code>.+?)`|\[(?<name>.+?)\]\((?<url>.+?)\)/

function toMarks(texts: unknown): string {
  return listOf(texts)
    .map(({ plain_text, annotations, href }) => {
      const marked = AROUND.reduce(
        (text, [name, mark]) => (fieldsOf(annotations)[name] === true ? `${mark}${text}${mark}` : text),
        String(plain_text),
      )
      return href == null ? marked : `[${marked}](${href})`
    })
    .join('')
}

/** The texts of a line. */
export function toTexts(line: string, annotations: Fields = {}): Fields[] {
  if (line === '') return []
  const found = INLINE.exec(line)
  if (found === null) return [{ text: { content: line }, annotations }]
  const { name, url, ...styles } = found.groups ?? {}
  const [style, inner = ''] = Object.entries(styles).find(([, text]) => text !== undefined) ?? []
  const middle =
    style === undefined
      ? [{ text: { content: String(name), link: { url: String(url) } }, annotations }]
      : toTexts(inner, { ...annotations, [style]: true })
  const [before, after] = [line.slice(0, found.index), line.slice(found.index + found[0].length)]
  return [...toTexts(before, annotations), ...middle, ...toTexts(after, annotations)]
}

/** The blocks of a Markdown text. Lines that begin with a tab are below the line before. */
export function toBlocks(markdown: string): Fields[] {
  const blocks: Fields[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = /^```(.*)$/.exec(line)
    if (fence !== null) {
      const end = lines.indexOf('```', at + 1)
      const text = lines.slice(at + 1, end < 0 ? undefined : end).join('\n')
      const word = String(fence[1]).trim().toLowerCase()
      const language = SHORT[word] ?? (LANGUAGES.has(word) ? word : 'plain text')
      blocks.push({ code: { rich_text: [{ text: { content: text } }], language } })
      at = end < 0 ? lines.length : end
    } else if (line.startsWith('\t') && blocks.length > 0) {
      const start = at
      while (lines[at + 1]?.startsWith('\t')) at += 1
      const below = lines.slice(start, at + 1).map((one) => one.slice(1))
      const [[type = '', content = {}] = []] = Object.entries(blocks.at(-1) ?? {})
      blocks.splice(-1, 1, { [type]: { ...fieldsOf(content), children: toBlocks(below.join('\n')) } })
    } else if (line === '---') blocks.push({ divider: {} })
    else if (line.trim() !== '') blocks.push(toBlock(line))
  }
  return blocks
}

/** The first heading of a Markdown text, which is the title of a page that has none, and the other lines. */
export function splitHeading(markdown: unknown): { heading?: Fields[]; text: unknown } {
  const text = String(markdown ?? '')
  // Lines of code are no headings.
  const found = [...text.matchAll(/^```[\s\S]*?^```$|^# (.*)\n*/gm)].find(([, title]) => title !== undefined)
  if (found === undefined) return { text: markdown }
  const [line, title = ''] = found
  return { heading: toTexts(title), text: text.slice(0, found.index) + text.slice(found.index + line.length) }
}

function toBlock(line: string): Fields {
  const todo = /^- \[([ x])\] (.*)$/.exec(line)
  if (todo !== null) return { to_do: { rich_text: toTexts(String(todo[2])), checked: todo[1] === 'x' } }
  const found = LINES.find(([, , pattern]) => pattern.test(line))
  return found ? { [found[0]]: { rich_text: toTexts(line.replace(found[2], '$1')) } } : {}
}

/** The lines of what is below a page or block, and the ids of blocks that Markdown has no words for. */
function linesOf(notion: Notion, { children_ids }: Fields, strange: string[]): string[] {
  return idsOf(children_ids).flatMap((id) => {
    const block = notion.records.blocks.get(id)
    if (block === undefined || block.in_trash === true) return []
    const { rich_text, checked, language } = fieldsOf(block.content)
    const type = String(block.type)
    const text = toMarks(rich_text)
    const below = linesOf(notion, block, strange).map((line) => `\t${line}`)
    if (type === 'to_do') return [`- [${checked === true ? 'x' : ' '}] ${text}`, ...below]
    if (type === 'code') return [`\`\`\`${language}`, ...text.split('\n'), '```']
    if (type === 'divider') return ['---']
    const [, mark] = LINES.find(([name]) => name === type) ?? []
    if (mark !== undefined) return [`${mark}${text}`, ...below]
    strange.push(block.id)
    return [`<unknown type="${type}"/>`]
  })
}

function show(notion: Notion, page: Kept): Fields {
  const unknown_block_ids: string[] = []
  const markdown = linesOf(notion, page, unknown_block_ids).join('\n')
  return { object: 'page_markdown', id: page.id, markdown, truncated: false, unknown_block_ids }
}

/** The text after the change of a request. */
function changedText(notion: Notion, text: string): string {
  const { type } = notion.body
  const { content, after, position, content_range, content_updates, new_str } = fieldsOf(notion.body[String(type)])
  const find = (part: string): number => {
    const [start = '', end = ''] = part.split('...')
    const at = text.indexOf(start)
    const until = text.indexOf(end, at + start.length)
    return at < 0 || until < 0 ? notion.invalid(`Could not find content that matches ${part}.`) : until + end.length
  }
  switch (type) {
    case 'insert_content': {
      const at = after === undefined ? (fieldsOf(position).type === 'start' ? 0 : text.length) : find(String(after))
      return [text.slice(0, at), String(content), text.slice(at)].filter(Boolean).join('\n')
    }
    case 'replace_content_range': {
      const start = text.indexOf(String(content_range).split('...')[0] ?? '')
      return text.slice(0, Math.max(start, 0)) + content + text.slice(find(String(content_range)))
    }
    case 'update_content':
      return listOf(content_updates).reduce((changed, { old_str, new_str, replace_all_matches }) => {
        if (!changed.includes(String(old_str))) notion.invalid(`Could not find content that matches ${old_str}.`)
        return replace_all_matches === true
          ? changed.replaceAll(String(old_str), String(new_str))
          : changed.replace(String(old_str), String(new_str))
      }, text)
    case 'replace_content':
      return String(new_str)
    default:
      return notion.invalid('body failed validation: body.type should name a change of the content.')
  }
}

export const markdown: Operations = {
  'GET /v1/pages/{page_id}/markdown': (notion) => show(notion, notion.find('pages')),
  'PATCH /v1/pages/{page_id}/markdown': (notion) => {
    const page = notion.find('pages')
    const text = changedText(notion, String(show(notion, page).markdown))
    const emptied = notion.records.pages.update(page.id, { children_ids: [], last_edited_time: notion.time })
    const ids = append(notion, emptied, toBlocks(text), { type: 'page_id', page_id: page.id })
    const updated_blocks = ids.map((id) => ({ id, type: 'block' }))
    notion.happen('page.content_updated', page.id, { parent: parentOf(fieldsOf(page.parent)), updated_blocks })
    return show(notion, notion.find('pages'))
  },
}
