import { splitMultipart } from '../../../protocol/form.ts'
import { isJsonType, toEssence } from '../../../protocol/media-type.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { UploadedFile } from '../../world/change.ts'
import type { ApiRequest } from '../exchange.ts'
import { isFile } from './form.ts'

/** Largest upload whose bytes are kept; for a larger one the answer is a small file of its type. */
export const KEPT_UPLOAD_BYTES = 8_000_000

/** What the record of an uploaded file knows of it. */
interface FileFacts {
  /** As its client gave it; undefined for a body that is the file. */
  readonly name: string | undefined
  readonly bytes: number
  readonly mediaType: string | undefined
}

/** The facts of the file that a request carries, of any size. */
export function factsOfFile({ headers, body }: ApiRequest, schema: Schema | undefined): FileFacts | undefined {
  const contentType = headers['content-type']
  const mediaType = contentType === undefined ? '' : toEssence(contentType)
  if (contentType === undefined || body.length === 0 || isOfFields(mediaType)) return undefined
  if (!mediaType.startsWith('multipart/')) return { name: undefined, bytes: body.length, mediaType }
  const part = splitMultipart(body, contentType)?.find((one) => isFile(one, schema))
  if (part?.file === undefined || part.file === '') return undefined
  return { name: part.file, bytes: part.latin1.length, mediaType: part.mediaType }
}

/** Whether a body has the fields of a record, and is no file. */
const isOfFields = (mediaType: string): boolean => isJsonType(mediaType) || /urlencoded|\bxml\b/.test(mediaType)

/** The file that a request carries: its body, or the first part of a form that is a file. */
export function uploadedFile({ headers, body }: ApiRequest, schema: Schema | undefined): UploadedFile | undefined {
  const contentType = headers['content-type']
  if (contentType === undefined || body.length === 0 || body.length > KEPT_UPLOAD_BYTES) return undefined
  const mediaType = toEssence(contentType)
  if (isOfFields(mediaType)) return undefined
  if (!mediaType.startsWith('multipart/')) return { mediaType, base64: Buffer.from(body).toString('base64') }
  const part = splitMultipart(body, contentType)?.find((one) => isFile(one, schema))
  if (part === undefined) return undefined
  const base64 = Buffer.from(part.latin1, 'latin1').toString('base64')
  return { mediaType: part.mediaType ?? 'application/octet-stream', base64 }
}
