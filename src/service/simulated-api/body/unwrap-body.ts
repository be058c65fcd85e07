import { getOwn, isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Envelope } from '../../openapi/model.ts'

/** The record's part of a request body: unwrapped where the client wrapped it. */
export function unwrapBody(body: Json | undefined, envelope: Envelope | undefined): Json | undefined {
  if (body === undefined || envelope === undefined) return body
  let at: Json | undefined = body
  for (const name of envelope.path) at = isJsonObject(at) ? getOwn(at, name) : undefined
  return at === undefined ? body : at
}
