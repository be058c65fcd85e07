import { kindOf, pagesOf, type Size, sizeOf } from '../shared/documents.ts'
import type { Fields } from '../shared/values.ts'
import { contentsOf, partsOf, read, type Work } from './context.ts'

/** Tokens of pictures and files, by their modality. */
export type MediaCount = Readonly<Record<string, number>>

/** Tokens of a tile of a picture, and of a page. Models from 3 on count pictures as a whole. */
const TILE = 258
const WHOLE = { IMAGE: 1_120, DOCUMENT: 560 }
/** At a low resolution. */
const LOW = { tile: 64, whole: 280 }
/** Tokens of a second. A sound has 16,000 bytes of it, and a video lasts ten, as the files of this API say. */
const AUDIO_S = 32
const SOUND_BYTES = 16_000
const VIDEO = 10 * 263

/** Tiles that cover a picture: a small one is one, others are cut by two thirds of their shorter side. */
function tilesOf({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 1
  const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)))
  return Math.ceil(width / side) * Math.ceil(height / side)
}

/** Tokens of the pictures, documents, sounds and videos of requests. */
export function countMedia(
  work: Pick<Work, 'records' | 'tokens'>,
  model: string,
  requests: readonly Fields[],
): MediaCount {
  const isWhole = /^gemini-(?:[3-9]|\d\d)/.test(model)
  const isLow = requests.some(
    (one) => read(read(one, 'generationConfig'), 'mediaResolution') === 'MEDIA_RESOLUTION_LOW',
  )
  const counts: Record<string, number> = {}
  for (const part of requests.flatMap(contentsOf).flatMap(partsOf)) {
    const { type, bytes } = mediumOf(work, part)
    const add = (modality: string, count: number): void => {
      counts[modality] = (counts[modality] ?? 0) + count
    }
    if (type.startsWith('image/'))
      add('IMAGE', isWhole ? (isLow ? LOW.whole : WHOLE.IMAGE) : isLow ? LOW.tile : TILE * tilesOf(sizeOf(bytes)))
    if (type === 'application/pdf') add('DOCUMENT', pagesOf(bytes).length * (isWhole ? WHOLE.DOCUMENT : TILE))
    if (type.startsWith('audio/')) add('AUDIO', Math.ceil(bytes.length / SOUND_BYTES) * AUDIO_S)
    if (type.startsWith('video/')) add('VIDEO', VIDEO)
    if (/^text\/|^application\/(?:json|xml)\b/.test(type)) add('TEXT', work.tokens(bytes.toString()))
  }
  return counts
}

/** Whether a picture of a request is none. */
export const hasBrokenPicture = (request: Fields): boolean =>
  contentsOf(request)
    .flatMap(partsOf)
    .some((part) => {
      const inline = read(part, 'inlineData')
      const isPicture = /^image\/(?:png|jpeg|webp)$/.test(String(read(inline, 'mimeType')))
      return isPicture && kindOf(Buffer.from(String(read(inline, 'data')), 'base64')) === undefined
    })

/** The type and the bytes of a part: empty of one that is not kept. */
function mediumOf({ records }: Pick<Work, 'records'>, part: Fields): { type: string; bytes: Buffer } {
  const inline = read(part, 'inlineData')
  const file = read(part, 'fileData')
  const [, id = ''] = /\/files\/([^/?:]+)$/.exec(String(read(file, 'fileUri'))) ?? []
  const data = read(inline, 'data') ?? records.files.get(id)?.kept_content
  return {
    type: String(read(inline ?? file, 'mimeType') ?? records.files.get(id)?.mimeType ?? ''),
    bytes: Buffer.from(typeof data === 'string' ? data : '', 'base64'),
  }
}
