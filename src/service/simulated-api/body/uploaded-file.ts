import { splitMultipart } from '../../../protocol/form.ts'
import { isJsonType, toEssence } from '../../../protocol/media-type.ts'
import type { UploadedFile } from '../../world/change.ts'
import type { ApiRequest } from '../exchange.ts'

/** Largest upload whose bytes are kept; for a larger one the answer is a small file of its type. */
export const KEPT_UPLOAD_BYTES = 1_000_000

/** What the record of an uploaded file knows of it: the name that its client gave, and how many bytes it has. */
export function factsOfFile({
  headers,
  body,
}: ApiRequest): { readonly name: string; readonly bytes: number } | undefined {
  const contentType = headers['content-type']
  if (contentType === undefined || !toEssence(contentType).startsWith('multipart/')) return undefined
  const part = splitMultipart(body, contentType)?.find(({ file }) => file !== undefined)
  return part?.file === undefined || part.file === '' ? undefined : { name: part.file, bytes: part.latin1.length }
}

/** The file that a request carries: its body, or the first part of a form that is a file. */
export function uploadedFile({ headers, body }: ApiRequest): UploadedFile | undefined {
  const contentType = headers['content-type']
  if (contentType === undefined || body.length === 0 || body.length > KEPT_UPLOAD_BYTES) return undefined
  const mediaType = toEssence(contentType)
  if (isJsonType(mediaType) || /urlencoded|\bxml\b/.test(mediaType)) return undefined
  if (!mediaType.startsWith('multipart/')) return { mediaType, base64: Buffer.from(body).toString('base64') }
  const part = splitMultipart(body, contentType)?.find(({ file }) => file !== undefined)
  if (part === undefined) return undefined
  const base64 = Buffer.from(part.latin1, 'latin1').toString('base64')
  return { mediaType: part.mediaType ?? 'application/octet-stream', base64 }
}
