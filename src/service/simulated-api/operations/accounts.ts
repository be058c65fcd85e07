import { isJsonObject, type Json, type JsonObject, jsonOr } from '../../../protocol/json.ts'
import { isSecret } from '../../../protocol/same-secret.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { ACCOUNTS, type AccountStep, NAME, PASSWORD, REFRESH_TOKEN } from '../compiled/account-steps.ts'
import { Refusal } from '../refusal.ts'
import { withToken } from './token.ts'

const USER_ID = /^(user|account)_?id$/i

/** An account: the name with which it logs in, and what its registration showed of the user. */
interface Account {
  readonly name: string
  readonly user: JsonObject
}

/** Whose token a secret is, as a login gave it; undefined for any other text. */
export function accountWith({ api, world, signer }: Setting, secret: string | null): Account | undefined {
  if (api.accountSteps.size === 0 || secret === null) return undefined
  const [encoded = '', code, ...more] = secret.split('.')
  const name = Buffer.from(encoded, 'base64url').toString()
  if (more.length > 0 || !isSecret(signer.codeFor(`token of ${name}`))(code)) return undefined
  const { user } = world.collection(ACCOUNTS).get(name) ?? {}
  return isJsonObject(user) ? { name, user } : undefined
}

/** The fields of an account's user that a document of the caller has; undefined for another document. */
export function userIn(account: Account | undefined, schema: Schema | undefined): JsonObject | undefined {
  const names = new Set(schema?.fields.keys())
  if (account === undefined || ![...names].some((name) => NAME.test(name))) return undefined
  return Object.fromEntries(Object.entries(account.user).filter(([name]) => names.has(name)))
}

/** Does a step: refuses a name that is taken or a wrong password as declared, and gives a token that works like a key. */
export function withAccount(setting: Setting, call: ApiCall, step: AccountStep, answer: () => Answered): Answered {
  const { world, signer } = setting
  const refuse = (statuses: readonly number[], message: string): void => {
    const status = statuses.find((one) => call.operation.responses.has(`${one}`))
    if (status !== undefined) throw new Refusal(status, status === 409 ? 'conflict' : 'unauthorised', message)
  }
  if (step === 'refresh') {
    const sent = fieldIn(call.body.value, REFRESH_TOKEN)
    const own = typeof sent === 'string' && accountWith(setting, sent) !== undefined ? sent : call.key
    if (own === null) refuse([401], 'Expected the token of a login or the key of this simulation, got another text.')
    return own === null ? answer() : withToken(answer(), own)
  }
  const sent = objectsIn(call.body.value).find((part) => fieldIn(part, NAME) && fieldIn(part, PASSWORD))
  if (sent === undefined) return answer()
  const name = String(fieldIn(sent, NAME)).toLowerCase()
  const given = String(fieldIn(sent, PASSWORD))
  const password = signer.codeFor(`password ${given}`)
  const known = world.collection(ACCOUNTS).get(name)
  const token = call.key ?? `${Buffer.from(name).toString('base64url')}.${signer.codeFor(`token of ${name}`)}`
  if (step === 'register') {
    if (known) refuse([409, 422, 400], `Failed to register "${name}": it is registered already.`)
    const answered = answer()
    const { status, body } = answered.response
    if (status >= 400) return answered
    const shown = objectsIn(typeof body === 'string' ? jsonOr(body, {}) : {}).find((part) => fieldIn(part, NAME))
    const kept = Object.entries({ ...sent, ...shown }).filter(([field]) => !/password|token/i.test(field))
    const record = { id: name, password, user: Object.fromEntries(kept) }
    const made = { type: 'created', collection: ACCOUNTS, key: name, record, scope: {} } as const
    return withToken({ ...answered, changes: [...answered.changes, made] }, token)
  }
  // The simulation's key is everybody's password.
  if (call.key !== given && known?.password !== password) {
    const next = 'Expected the password of a registered one, or the key of this simulation as the password.'
    refuse([401, 403, 400, 422, 404], `Failed to log "${name}" in: name or password is wrong. ${next}`)
    return answer()
  }
  const answered = answer()
  const { body } = answered.response
  const { user } = known ?? {}
  const isShown = typeof body === 'string' && body.startsWith('{') && isJsonObject(user)
  const shown = isShown ? JSON.stringify(withUser(JSON.parse(body) as Json, user)) : body
  return withToken({ ...answered, response: { ...answered.response, body: shown } }, token)
}

/** A body, and the objects in it. */
const objectsIn = (body: Json | undefined): JsonObject[] =>
  isJsonObject(body) ? [body, ...Object.values(body).filter(isJsonObject)] : []

const fieldIn = (object: Json | undefined, name: RegExp): Json | undefined =>
  Object.entries(isJsonObject(object) ? object : {}).find(([field]) => name.test(field))?.[1]

/** The answer to a login, about this user. */
function withUser(value: Json, user: JsonObject): Json {
  if (!isJsonObject(value)) return value
  const isUser = fieldIn(value, NAME) !== undefined
  const entries = Object.entries(value).map(([name, own]): [string, Json] => {
    const id = USER_ID.test(name) ? user.id : undefined
    if (id !== undefined) return [name, typeof own === 'string' ? String(id) : id]
    return [name, isUser && user[name] !== undefined ? user[name] : withUser(own, user)]
  })
  return Object.fromEntries(entries)
}
