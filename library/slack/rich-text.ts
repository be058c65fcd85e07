import type { JsonObject } from '../../src/protocol/json.ts'
import { listOf } from '../shared/values.ts'

/** A reference, an address, an emoji, a style. */
const MARK = /<([^>]+)>|(https?:\/\/[^\s<>|*~`]+)|:([a-z+-][\w+-]*):|(?<!\w)([*_~`])(?=\S)([^\n]*?\S)\4(?!\w)/g
const STYLES: Readonly<Record<string, string>> = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' }

const plain = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** What stands between angle brackets: a mention, or a link. */
function referenceOf(inside: string): JsonObject {
  const [target = '', label] = inside.split('|')
  const id = target.slice(1)
  if (target.startsWith('@')) return { type: 'user', user_id: id }
  if (target.startsWith('#')) return { type: 'channel', channel_id: id }
  if (target.startsWith('!subteam^')) return { type: 'usergroup', usergroup_id: target.slice('!subteam^'.length) }
  if (/^!(here|channel|everyone)$/.test(target)) return { type: 'broadcast', range: id }
  if (target.startsWith('!')) return { type: 'text', text: label ?? target }
  return { type: 'link', url: plain(target), ...(label !== undefined && { text: plain(label) }) }
}

/** The parts of a text in mrkdwn: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function elementsOf(text: string, style: JsonObject = {}): JsonObject[] {
  const styled = Object.keys(style).length > 0 ? { style } : {}
  const found: JsonObject[] = []
  const add = (words: string) => words !== '' && found.push({ type: 'text', text: plain(words), ...styled })
  let at = 0
  for (const match of text.matchAll(MARK)) {
    const [whole, inside, url, emoji, mark = '', words = ''] = match
    add(text.slice(at, match.index))
    at = match.index + whole.length
    if (inside !== undefined) found.push({ ...referenceOf(inside), ...styled })
    else if (url !== undefined) found.push({ type: 'link', url: plain(url), ...styled })
    else if (emoji !== undefined) found.push({ type: 'emoji', name: emoji, ...styled })
    else if (mark === '`') found.push({ type: 'text', text: plain(words), style: { ...style, code: true } })
    else found.push(...elementsOf(words, { ...style, [STYLES[mark] ?? '']: true }))
  }
  add(text.slice(at))
  return found
}

/** Sections, code and quotes of a text. */
function sectionsOf(text: string): JsonObject[] {
  const parts = text.split(/```\n?([\s\S]*?)\n?```\n?/)
  return parts.flatMap((part, at): JsonObject[] => {
    if (at % 2 === 1)
      return [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: plain(part) }], border: 0 }]
    const groups = part.split(/((?:^&gt; ?.*(?:\n|$))+)/m).filter((group) => group !== '')
    return groups.map((group) => {
      const isQuote = group.startsWith('&gt;')
      const words = isQuote ? group.replace(/^&gt; ?/gm, '').trimEnd() : group
      return { type: isQuote ? 'rich_text_quote' : 'rich_text_section', elements: elementsOf(words) }
    })
  })
}

/** Messages that somebody wrote. */
const WRITTEN = new Set([null, undefined, '', 'bot_message', 'thread_broadcast', 'me_message'])

/** The blocks of a message: those that were sent, or the one that Slack makes of the text. */
export function blocksOf({ id, blocks, text, subtype, attachments }: JsonObject): JsonObject[] | null {
  if (listOf(blocks).length > 0) return listOf(blocks)
  const isWritten = typeof text === 'string' && text !== '' && WRITTEN.has(subtype as string)
  if (!isWritten || listOf(attachments).length > 0) return null
  const block_id = String(id).replaceAll(/\D/g, '').slice(-5)
  return [{ type: 'rich_text', block_id, elements: sectionsOf(text) }]
}
