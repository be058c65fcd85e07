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
    user: userOf(request),
    origin: request.origin,
    target: request.path,
  }
}

/** The name before the colon of `Authorization: Basic`; null where there is none. */
function userOf({ headers }: ApiCall['request']): string | null {
  const [, encoded] = /^basic\s+(\S+)/i.exec(headers.authorization ?? '') ?? []
  return encoded === undefined ? null : (Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '')
}
