import { splitMultipart } from '../../../protocol/form.ts'
import type { SentFile } from '../../../protocol/handler.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { takesBytes } from '../body/read-body.ts'
import { KEPT_UPLOAD_BYTES } from '../body/uploaded-file.ts'
import type { ApiCall } from '../calls/call.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'

/** Facts of a request for expressions. */
export function requestOf(call: ApiCall, { jsonField }: EntryEffects): JsonObject {
  const { body, params, query, request, key } = call
  const value = Array.isArray(body.value) || isJsonObject(body.value) ? body.value : {}
  return {
    method: request.method,
    body: jsonField === undefined ? value : withWhole(value, jsonField),
    path: { ...params },
    query: { ...query.values },
    header: { ...request.headers },
    key,
    user: userOf(request),
    origin: request.origin,
    target: request.path,
    files: filesOf(call).map((file) => ({ ...file })),
  }
}

/** A form with one field for everything except files, as JSON. */
function withWhole(body: Json, field: string): Json {
  const whole = isJsonObject(body) ? body[field] : undefined
  return isJsonObject(whole) ? whole : body
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

/** The user name of `Authorization: Basic`; null without one. */
function userOf({ headers }: ApiCall['request']): string | null {
  const [, encoded] = /^basic\s+(\S+)/i.exec(headers.authorization ?? '') ?? []
  return encoded === undefined ? null : (Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '')
}
