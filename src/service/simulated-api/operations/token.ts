import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Answered } from '../calls/call.ts'
import type { ApiResponse } from '../exchange.ts'

const TOKEN_NAME =
  /^(token|jwt|access(_?token)?|refresh(_?token)?|id_?token|auth_?token|session_?token|bearer_?token|api_?key)$/i

/** Whether an answer has a token. */
export const givesToken = ({ body }: ApiResponse): boolean =>
  typeof body === 'string' && [...body.matchAll(/"(\w+)":"/g)].some(([, name = '']) => TOKEN_NAME.test(name))

/** A login's answer with a valid token: the key sent as the password. */
export function withToken(done: Answered, key: string): Answered {
  const { body } = done.response
  if (typeof body !== 'string' || !body.startsWith('{')) return done
  return { ...done, response: { ...done.response, body: JSON.stringify(replaceTokens(JSON.parse(body) as Json, key)) } }
}

function replaceTokens(value: Json, key: string): Json {
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    TOKEN_NAME.test(name) && typeof item === 'string' ? key : replaceTokens(item, key),
  ])
  return Object.fromEntries(entries)
}
