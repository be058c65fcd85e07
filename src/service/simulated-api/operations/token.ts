import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { Refusal } from '../refusal.ts'
import { asFields } from './answer.ts'

const LIFETIME_SECONDS = 3_600

/**
 * A token endpoint of the description: the token is the simulation's key that the client sent as its secret, so that it
 * works like the key. Refuses clients without one in the form of OAuth 2.0 (RFC 6749, 5.2).
 */
export function issueToken(setting: Setting, call: ApiCall): Answered {
  if (call.key === null) {
    const message =
      'Expected `client_secret`, `refresh_token`, `password` or HTTP Basic to be a key of this simulation.'
    throw new Refusal(401, 'invalid_client', message)
  }
  const sent = asFields(call.body.value)
  const token: JsonObject = {
    access_token: call.key,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    refresh_token: call.key,
    scope: typeof sent.scope === 'string' ? sent.scope : '',
  }
  const schema = call.representation.schema
  const { projector } = setting.presenter
  const shown = schema && schema.properties.size > 0 ? projector.project(token, schema, call.operation.id) : token
  return {
    response: {
      status: call.operation.success.status,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: JSON.stringify({ ...token, ...asFields(shown) }),
    },
    changes: [],
  }
}

const TOKEN_NAME =
  /^(token|jwt|access(_?token)?|refresh(_?token)?|id_?token|auth_?token|session_?token|bearer_?token|api_?key)$/i

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
