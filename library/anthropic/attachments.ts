import { kindOf, PAGE_SIZE, pagesOf, type Size, sizeOf, USUAL_SIZE } from '../shared/documents.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import type { Fields, Work } from './context.ts'

type Files = Pick<Work, 'records'>

/** The blocks of a content, with those inside results of tools. */
export const blocksOf = (content: unknown): Fields[] =>
  listOf(content).flatMap((block) => (block.type === 'tool_result' ? [block, ...blocksOf(block.content)] : [block]))

/** The bytes of a picture or document; undefined of one elsewhere, which a simulation does not load. */
export function bytesOf({ records }: Files, source: Fields): Buffer | undefined {
  const data = source.type === 'file' ? records.files.get(String(source.file_id))?.content : source.data
  if (typeof data !== 'string') return undefined
  return Buffer.from(data, source.type === 'text' ? 'utf8' : 'base64')
}

/** Pixels of a token, and the longest side and most tokens of a picture. */
const PIXELS = 750
const LONGEST = 1_568
const MOST = 1_600
/** Fewest tokens of a page. */
const PAGE = 1_500

function countPicture({ width, height }: Size): number {
  const scale = Math.min(1, LONGEST / Math.max(width, height))
  return Math.min(MOST, Math.ceil((width * scale * height * scale) / PIXELS))
}

/** Tokens of the pictures and documents of a content. */
export function countAttachments(work: Files & Pick<Work, 'tokens'>, content: unknown): number {
  const counts = blocksOf(content).map(({ type, source: given }) => {
    const source = fieldsOf(given)
    if (type === 'image') {
      const bytes = bytesOf(work, source)
      return countPicture(bytes === undefined ? USUAL_SIZE : sizeOf(bytes))
    }
    if (type !== 'document') return 0
    const bytes = bytesOf(work, source)
    if (source.type === 'content') return work.tokens(JSON.stringify(source.content))
    if (bytes === undefined) return PAGE
    if (kindOf(bytes) !== 'application/pdf') return work.tokens(bytes.toString())
    const pages = pagesOf(bytes).map((text) => Math.max(PAGE, countPicture(PAGE_SIZE) + work.tokens(text)))
    return pages.reduce((sum, count) => sum + count, 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** Why a picture of a message is refused. */
export function pictureFault(messages: readonly Fields[]): string | undefined {
  for (const [at, { content }] of messages.entries())
    for (const [place, { type, source }] of blocksOf(content).entries()) {
      const { type: kind, media_type, data } = fieldsOf(source)
      const bytes = Buffer.from(String(data), 'base64')
      if (type === 'document' && kind === 'base64' && kindOf(bytes) !== 'application/pdf')
        return `messages.${at}.content.${place}.pdf.source.base64.data: The PDF specified was not valid.`
      if (type !== 'image' || kind !== 'base64') continue
      const path = `messages.${at}.content.${place}.image.source.base64`
      if (!PICTURES.includes(String(media_type)))
        return `${path}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
      const found = kindOf(bytes)
      if (found === undefined) return `${path}: Could not process image`
      if (found !== media_type)
        return `${path}: The image was specified using the ${media_type} media type, but the image appears to be a ${found} image`
    }
  return undefined
}
