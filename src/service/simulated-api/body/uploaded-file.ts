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
export function factsOfFile(request: ApiRequest, schema: Schema | undefined): FileFacts | undefined {
  const file = fileIn(request, schema)
  return file?.name === '' ? undefined : file
}

/** The file that a request carries; undefined for a large one. */
export function uploadedFile(request: ApiRequest, schema: Schema | undefined): UploadedFile | undefined {
  const file = request.body.length > KEPT_UPLOAD_BYTES ? undefined : fileIn(request, schema)
  return file && { mediaType: file.mediaType ?? 'application/octet-stream', base64: file.base64() }
}

/** A body without the fields of a record, or the first part of a form that is a file. */
function fileIn({ headers, body }: ApiRequest, schema: Schema | undefined) {
  const contentType = headers['content-type']
  const mediaType = contentType === undefined ? '' : toEssence(contentType)
  const isOfFields = isJsonType(mediaType) || /urlencoded|\bxml\b/.test(mediaType)
  if (contentType === undefined || body.length === 0 || isOfFields) return undefined
  if (!mediaType.startsWith('multipart/'))
    return { name: undefined, bytes: body.length, mediaType, base64: () => Buffer.from(body).toString('base64') }
  const part = splitMultipart(body, contentType)?.find((one) => isFile(one, schema))
  if (part === undefined) return undefined
  const { file: name, latin1, mediaType: own } = part
  return { name, bytes: latin1.length, mediaType: own, base64: () => Buffer.from(latin1, 'latin1').toString('base64') }
}
