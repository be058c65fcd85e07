import { splitMultipart } from '../../../protocol/form.ts'
import type { SentFile } from '../../../protocol/handler.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { takesBytes } from '../body/read-body.ts'
import { KEPT_UPLOAD_BYTES } from '../body/uploaded-file.ts'
import type { ApiCall } from '../calls/call.ts'

/** Facts of a request for expressions. */
export function requestOf({ body: { value = {} }, params, query, request, key }: ApiCall): JsonObject {
  const { origin, headers } = request
  return { body: value, path: { ...params }, query: { ...query.values }, header: { ...headers }, key, origin }
}

/** The files of a form, or the body itself: `field`, `name`, `type`, `size`, and `base64` for small ones. */
export function filesOf({ operation, body: { mediaType }, request: { body, headers } }: ApiCall): SentFile[] {
  // The parts of `multipart/related` have no names: its handler reads them.
  const isWhole = mediaType === 'application/octet-stream' || mediaType === 'multipart/related'
  if (isWhole || (body.length > 0 && takesBytes(operation))) return [toFile('', '', mediaType, body)]
  if (!mediaType.startsWith('multipart/')) return []
  return (splitMultipart(body, headers['content-type'] ?? '') ?? []).flatMap(({ name, file, mediaType, latin1 }) =>
    file === undefined ? [] : [toFile(name, file, mediaType ?? null, Buffer.from(latin1, 'latin1'))],
  )
}

function toFile(field: string, name: string, type: string | null, bytes: Uint8Array): SentFile {
  const size = bytes.length
  return { field, name, type, size, base64: size > KEPT_UPLOAD_BYTES ? null : Buffer.from(bytes).toString('base64') }
}
