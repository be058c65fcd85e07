import { isJsonObject } from '../../../protocol/json.ts'
import type { ApiCall } from '../calls/call.ts'
import { type ApiResponse, jsonOf } from '../exchange.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { isCurrent } from '../operations/item.ts'
import { hashesOf, toTag } from '../presentation/record-texts.ts'

/** A JSON answer with the headers that follow from it; without a body where the client has it. */
export function withFacts(call: ApiCall, response: ApiResponse, fromAnswer: EntryEffects['fromAnswer']): ApiResponse {
  const { status, headers, body, delivery } = response
  if (typeof body !== 'string' || delivery !== undefined || !/json/.test(String(headers['Content-Type'])))
    return response
  const isRead = call.operation.method === 'GET' && status === 200
  if (!isRead && status !== 201) return response
  const shown = jsonOf(response)
  const fieldOf = (name: string | undefined) => (isJsonObject(shown) ? String(shown[name ?? ''] ?? '') : '')
  const location = status === 201 ? fieldOf(fromAnswer.location) : ''
  if (!isRead) return location === '' ? response : { ...response, headers: { Location: location, ...headers } }
  const changedAt = Date.parse(fieldOf(fromAnswer.lastModified))
  const versions = {
    ETag: toTag(hashesOf(body)),
    ...(!Number.isNaN(changedAt) && { 'Last-Modified': new Date(changedAt).toUTCString() }),
  }
  const { 'if-none-match': tag, 'if-modified-since': since = '' } = call.request.headers
  // RFC 9110, 13.1.3: without regard to the time where there is a tag.
  const isKnown = tag === undefined ? Date.parse(since) >= changedAt : isCurrent(tag, versions.ETag)
  const { 'Content-Type': _, ...others } = headers
  if (isKnown) return { status: 304, headers: { ...others, ...versions }, body: null }
  return { ...response, headers: { ...headers, ...versions } }
}
