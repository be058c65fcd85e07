import { bytesOfUrl, kindOf, PAGE_SIZE, pagesOf, type Size, sizeOf, USUAL_SIZE } from '../shared/documents.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import type { Work } from './context.ts'
import type { Fault } from './faults.ts'

/** Models that count patches of 32 pixels, and how many tokens each is. */
const PATCHES: readonly (readonly [RegExp, number])[] = [
  [/^gpt-(?:5|4\.1)[^-]*-mini/, 1.62],
  [/^gpt-(?:5|4\.1)[^-]*-nano/, 2.46],
  [/^o4-mini/, 1.72],
]
const MOST_PATCHES = 1_536

/** Tokens of a picture, and of each of its tiles of 512 pixels. */
const TILES: readonly (readonly [RegExp, readonly [base: number, tile: number]])[] = [
  [/^gpt-5/, [70, 140]],
  [/^gpt-4o-mini/, [2_833, 5_667]],
  [/^o[13]/, [75, 150]],
  [/^(?:computer-use|gpt-image)/, [65, 129]],
  [/./, [85, 170]],
]

/** Tokens of a picture: of the patches that cover it, or of its tiles after it is made small. */
export function countPicture(model: string, { width, height }: Size, detail: unknown): number {
  const [, perPatch] = PATCHES.find(([pattern]) => pattern.test(model)) ?? []
  if (perPatch !== undefined)
    return Math.ceil(Math.min(MOST_PATCHES, Math.ceil(width / 32) * Math.ceil(height / 32)) * perPatch)
  const [, [base, tile]] = TILES.find(([pattern]) => pattern.test(model)) as (typeof TILES)[number]
  if (detail === 'low') return base
  const fit = Math.min(1, 2_048 / Math.max(width, height))
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit))
  return base + tile * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
}

/** A picture or a file of a request. */
interface Attachment {
  readonly isPicture: boolean
  readonly url?: unknown
  readonly data?: unknown
  readonly fileId?: unknown
  readonly detail?: unknown
}

/** The pictures and files of a content: of a message of a chat, of an item of a response. */
const attachmentsOf = (content: unknown): Attachment[] =>
  listOf(content).flatMap((part): Attachment[] => {
    const { type, image_url, file_id: fileId, detail } = part
    if (type === 'image_url') return [{ isPicture: true, ...fieldsOf(image_url) }]
    if (type === 'input_image' || type === 'computer_screenshot')
      return [{ isPicture: true, url: image_url, fileId, detail }]
    const file = type === 'file' ? fieldsOf(part.file) : type === 'input_file' ? part : undefined
    return file === undefined
      ? []
      : [{ isPicture: false, url: file.file_url, data: file.file_data, fileId: file.file_id }]
  })

/** The bytes of an attachment; undefined of one elsewhere, which a simulation does not load. */
function bytesOf({ records }: Pick<Work, 'records'>, { url, data, fileId }: Attachment): Buffer | undefined {
  if (typeof fileId !== 'string')
    return bytesOfUrl(url) ?? (typeof data === 'string' ? (bytesOfUrl(data) ?? Buffer.from(data, 'base64')) : undefined)
  const content = records.files.get(fileId)?.content
  return typeof content === 'string' ? Buffer.from(content, 'base64') : undefined
}

/** Tokens of the pictures and files of a content: those of a PDF are its texts and its pages as pictures. */
export function countAttachments(work: Pick<Work, 'records' | 'tokens'>, model: string, content: unknown): number {
  const counts = attachmentsOf(content).map((one) => {
    const bytes = bytesOf(work, one)
    if (one.isPicture) return countPicture(model, bytes === undefined ? USUAL_SIZE : sizeOf(bytes), one.detail)
    if (bytes === undefined) return countPicture(model, PAGE_SIZE, 'high')
    if (kindOf(bytes) !== 'application/pdf') return work.tokens(bytes.toString())
    return pagesOf(bytes).reduce((sum, text) => sum + work.tokens(text) + countPicture(model, PAGE_SIZE, 'high'), 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Tokens of the sounds of a message: ten a second of a WAV, whose base64 has 6,400 letters in a tenth of it. */
export const countSounds = (content: unknown): number =>
  listOf(content).reduce(
    (sum, part) => sum + Math.ceil(String(fieldsOf(part.input_audio).data ?? '').length / 6_400),
    0,
  )

/** Why the pictures and files of a content are refused. */
export function faultOfAttachments(
  { records }: Pick<Work, 'records'>,
  content: unknown,
): Pick<Fault, 'code' | 'message'> | undefined {
  for (const { isPicture, url, fileId } of attachmentsOf(content)) {
    if (typeof fileId === 'string' && records.files.get(fileId) === undefined)
      return { message: `Files [${fileId}] were not found.` }
    if (!isPicture || typeof url !== 'string') continue
    const bytes = bytesOfUrl(url)
    const wrong = `Invalid image URL: "${url.slice(0, 60)}". Expected an http(s) URL, or a data URL with base64.`
    if (bytes === undefined && !/^https?:\/\//.test(url)) return { code: 'invalid_value', message: wrong }
    const formats = "['png', 'jpeg', 'gif', 'webp']"
    const message = `You uploaded an unsupported image. Please make sure your image has of one the following formats: ${formats}.`
    if (bytes !== undefined && kindOf(bytes)?.startsWith('image/') !== true)
      return { code: 'invalid_image_format', message }
  }
  return undefined
}
