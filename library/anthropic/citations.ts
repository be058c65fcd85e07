import { kindOf, pagesOf } from '../shared/documents.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { blocksOf, bytesOf } from './attachments.ts'
import type { Fields, Work } from './context.ts'

type Files = Pick<Work, 'records'>

/** A text in blocks: each sentence that a document or a search result of the request has is one, and cites it, if the request wants that. */
export function citedBlocks(work: Files, text: string, { messages }: Fields): Fields[] {
  const all = listOf(messages).flatMap(({ content }) => blocksOf(content))
  const sources = ['document', 'search_result'].flatMap((kind) =>
    all.filter(({ type }) => type === kind).map((source, at) => ({ source, at })),
  )
  if (text === '' || !sources.some(({ source }) => isCited(source))) return [{ type: 'text', text, citations: null }]
  const blocks: Fields[] = []
  for (const sentence of text.split(/(?<=[.!?]\s)/)) {
    const citations = sources.flatMap(({ source, at }) =>
      isCited(source) ? citing(work, sentence.trim(), source, at) : [],
    )
    const last = blocks.at(-1)
    if (citations.length === 0 && last?.citations === null)
      blocks.splice(-1, 1, { ...last, text: `${last.text}${sentence}` })
    else blocks.push({ type: 'text', text: sentence, citations: citations.length === 0 ? null : citations })
  }
  return blocks
}

const isCited = ({ citations }: Fields): boolean => fieldsOf(citations).enabled === true

/** Where a source has a sentence: at a character of a text, on a page of a PDF, or in a block of contents. */
function citing(work: Files, sentence: string, block: Fields, at: number): Fields[] {
  const { source, title = null } = block
  if (block.type === 'search_result')
    return inBlocks(sentence, block.content, 'search_result_location', {
      ...{ search_result_index: at, source: source ?? '', title },
    })
  const { type, content, file_id = null } = fieldsOf(source)
  const shared = { document_index: at, document_title: title, file_id }
  if (type === 'content') return inBlocks(sentence, content, 'content_block_location', shared)
  const bytes = bytesOf(work, fieldsOf(source))
  if (bytes === undefined) return []
  if (kindOf(bytes) === 'application/pdf')
    return pagesOf(bytes).flatMap((page, at) => {
      const span = { start_page_number: at + 1, end_page_number: at + 2 }
      return page.includes(sentence) ? [{ type: 'page_location', cited_text: sentence, ...shared, ...span }] : []
    })
  const start = bytes.toString().indexOf(sentence)
  if (start === -1) return []
  const end_char_index = start + sentence.length
  return [{ type: 'char_location', cited_text: sentence, ...shared, start_char_index: start, end_char_index }]
}

const inBlocks = (sentence: string, content: unknown, type: string, shared: Fields): Fields[] =>
  listOf(content).flatMap(({ text }, at) =>
    String(text).includes(sentence)
      ? [{ type, cited_text: text ?? '', ...shared, start_block_index: at, end_block_index: at + 1 }]
      : [],
  )
