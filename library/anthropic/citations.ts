import { fieldsOf, listOf } from '../openai/context.ts'
import type { Fields } from './context.ts'

/** A text in blocks: each sentence that a document of the request has is one, and cites it, if the request wants that. */
export function citedBlocks(text: string, { messages }: Fields): Fields[] {
  const documents = listOf(messages).flatMap(({ content }) => listOf(content).filter(({ type }) => type === 'document'))
  if (text === '' || !documents.some(isCited)) return [{ type: 'text', text, citations: null }]
  const blocks: Fields[] = []
  for (const sentence of text.split(/(?<=[.!?]\s)/)) {
    const citations = documents.flatMap((document, at) =>
      isCited(document) ? citing(sentence.trim(), document, at) : [],
    )
    const last = blocks.at(-1)
    if (citations.length === 0 && last?.citations === null)
      blocks.splice(-1, 1, { ...last, text: `${last.text}${sentence}` })
    else blocks.push({ type: 'text', text: sentence, citations: citations.length === 0 ? null : citations })
  }
  return blocks
}

const isCited = ({ citations }: Fields): boolean => fieldsOf(citations).enabled === true

/** Where a document has a sentence: at a character of a text, or in a block of contents. Others are not read. */
function citing(sentence: string, { source, title = null }: Fields, document_index: number): Fields[] {
  const { type, data, content } = fieldsOf(source)
  const shared = { document_index, document_title: title, file_id: null }
  const start = type === 'text' ? String(data).indexOf(sentence) : -1
  if (start !== -1) {
    const end_char_index = start + sentence.length
    return [{ type: 'char_location', cited_text: sentence, ...shared, start_char_index: start, end_char_index }]
  }
  return listOf(content).flatMap(({ text }, at) =>
    String(text).includes(sentence)
      ? [
          {
            type: 'content_block_location',
            cited_text: text ?? '',
            ...shared,
            start_block_index: at,
            end_block_index: at + 1,
          },
        ]
      : [],
  )
}
