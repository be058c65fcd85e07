import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ApiCall } from '../operations/call.ts'

/** What expressions may read of a request. */
export function requestOf({ body, params, query, request, key }: ApiCall): JsonObject {
  return {
    body: Array.isArray(body.value) || isJsonObject(body.value) ? body.value : {},
    path: { ...params },
    query: { ...query.values },
    header: { ...request.headers },
    key,
    origin: request.origin,
  }
}
