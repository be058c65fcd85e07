import { type AccountStep, CONFIRMATION, NAME, PASSWORD, REFRESH_TOKEN } from '../../../names/account-step.ts'
import { findField } from '../../../names/find-field.ts'
import { snakeCase } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, jsonOr } from '../../../protocol/json.ts'
import { isSecret } from '../../../protocol/same-secret.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Change } from '../../world/change.ts'
import { toTimestamp } from '../../world/timestamp.ts'
import type { World } from '../../world/world.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { ACCOUNTS, USERS } from '../compiled/compiled-api.ts'
import type { ApiResponse } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'
import { isPublic } from '../find-key.ts'
import { KEY_PREFIX, KNOWN_KEY } from '../key-ring.ts'
import { refusesWith } from '../presentation/error-bodies.ts'
import { TAKEN } from '../records/declared-checks.ts'
import { makeRecord } from '../records/make-record.ts'
import { Refusal } from '../refusal.ts'
import { givesToken, withToken } from './token.ts'

const CURRENT_PASSWORD = /^(current|old)_?(password|passwd|pwd)$/i
const NEW_PASSWORD = /^new_?(password|passwd|pwd)$/i
const CODES: Readonly<Record<number, string>> = { 409: 'conflict', 422: 'invalid_request' }
const USER_ID = /^(user|account)_?id$/i

/** An account: its key, which is its first name, and its user as it is now. */
interface Account {
  readonly name: string
  readonly user: JsonObject
  readonly record: JsonObject
}

/** Whose token a secret is, as a login gave it; undefined for any other text. */
export function accountWith({ api, world, signer }: Setting, secret: string | null): Account | undefined {
  if (api.accountSteps.size === 0 || secret === null) return undefined
  const [encoded = '', code, ...more] = secret.split('.')
  const name = Buffer.from(encoded, 'base64url').toString()
  if (more.length > 0 || !isSecret(signer.codeFor(`token of ${name}`))(code)) return undefined
  return accountNamed(world, name)
}

/** The account with this name, until the record of its user is deleted. */
function accountNamed(world: World, name: string): Account | undefined {
  const recordOf = (of: Json | undefined): JsonObject | undefined =>
    isJsonObject(of) ? world.collection(String(of.collection)).get(String(of.key)) : {}
  const where = [
    { field: ['names'], test: (names: Json | undefined) => Array.isArray(names) && names.includes(name) },
    { field: ['of'], test: (of: Json | undefined) => recordOf(of) !== undefined },
  ]
  const { key, record } = world.collection(ACCOUNTS).first({ scope: [], where }) ?? {}
  if (key === undefined || record === undefined) return undefined
  return { name: key, user: withoutSecrets({ ...(record.user as JsonObject), ...recordOf(record.of) }), record }
}

const withoutSecrets = (user: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(user).filter(([field]) => !/password|token/i.test(field)))

/** The fields of an account's user that a document of the caller has; undefined for another document. */
export function userIn(account: Account | undefined, schema: Schema | undefined): JsonObject | undefined {
  const names = new Set(schema?.fields.keys())
  if (account === undefined || ![...names].some((name) => NAME.test(name))) return undefined
  return Object.fromEntries(Object.entries(account.user).filter(([name]) => names.has(name)))
}

/** Fields of a new record for who made it. */
const MAKER =
  /^(?:user|owner|author|creator|(?:created|posted|uploaded|submitted)_by|customer|seller|sender|reporter|requester|organi[sz]er|instructor|student|applicant)(?:_(id|uuid|user_?name|email|name))?$/

/** Whom a new record names as its maker, where no client sends it: `createdBy`, `sellerUsername`, `author: { username }`. */
export function makerFields(setting: Setting, call: ApiCall, schema: Schema | undefined): JsonObject {
  const { user } = accountWith(setting, call.key) ?? {}
  if (user === undefined) return {}
  const taken = allNames(call.body.schema)
  const fields = [...allNames(schema)].flatMap(([name, field]): [string, Json][] => {
    const [is, fact = 'id'] = (taken.has(name) ? null : MAKER.exec(snakeCase(name))) ?? []
    if (is === undefined) return []
    const shown = Object.entries(user).filter(([own]) => field.fields.has(own))
    const value = shown.length > 0 ? Object.fromEntries(shown) : user[findField(Object.keys(user), fact) ?? '']
    return value !== undefined && (shown.length > 0 || fits(field, value)) ? [[name, value]] : []
  })
  return Object.fromEntries(fields)
}

/** Does a step: refuses a name that is taken or a wrong password, and gives a token that works like a key. */
export function withAccount(setting: Setting, call: ApiCall, step: AccountStep, answer: () => Answered): Answered {
  const { world, signer } = setting
  const refuse = (
    [usual, ...others]: readonly [number, ...number[]],
    message: string,
    { text, field }: { text?: RegExp; field?: string | undefined } = {},
  ): never => {
    const { responses } = call.operation
    const declared = [usual, ...others].filter((one) => refusesWith(call.operation, one))
    const fitting = declared.find((one) => text?.test(responses.get(`${one}`)?.description ?? ''))
    throw new Refusal(fitting ?? declared[0] ?? usual, CODES[usual] ?? 'unauthorised', message, field)
  }
  const answerAbout = (account: Account | undefined): Answered => {
    const answered = answer()
    return account ? { ...answered, response: aboutUser(call, answered, account.user) } : answered
  }
  if (step === 'refresh') {
    const sent = fieldIn(call.body.value, REFRESH_TOKEN)
    const isKey = typeof sent !== 'string' || sent === call.key
    const account = accountWith(setting, isKey ? call.key : sent)
    const own = isKey ? call.key : account && sent
    if (!own) return refuse([401, 403, 400, 404], 'Expected the token of a login or the key of this simulation.')
    return withToken(answerAbout(account), own)
  }
  const sent = objectsIn(call.body.value).find((part) => fieldIn(part, NAME) && fieldIn(part, PASSWORD))
  if (sent === undefined) return answer()
  const names = namesIn(sent)
  // Several users may have one telephone.
  const claimed = step === 'logIn' ? names : namesIn(sent, /^(?!phone)/i)
  const known = (claimed.length > 0 ? claimed : names).flatMap((one) => accountNamed(world, one) ?? [])[0]
  const name = (step === 'logIn' && known?.name) || String(names[0])
  const given = String(fieldIn(sent, PASSWORD))
  const password = signer.codeFor(`password ${given}`)
  const own = `${Buffer.from(name).toString('base64url')}.${signer.codeFor(`token of ${name}`)}`
  if (step === 'register') {
    const repeated = fieldIn(sent, CONFIRMATION)
    if (repeated !== undefined && repeated !== fieldIn(sent, PASSWORD))
      refuse([422, 400], `Failed to register "${name}": the two passwords differ. Send the same text twice.`)
    const field = Object.keys(sent).find((one) => NAME.test(one))
    const fact = `Failed to register "${names.join('" or "')}": it is registered already.`
    if (known) refuse([409, 422, 400], fact, { text: TAKEN, field })
    const answered = answer()
    const { status, body } = answered.response
    if (status >= 400) return answered
    const shown = objectsIn(typeof body === 'string' ? jsonOr(body, {}) : {}).find((part) => fieldIn(part, NAME))
    // What `/users/signup` makes of its own is shown nowhere.
    const made = answered.changes.find(
      (one) =>
        one.type === 'created' &&
        (USERS.test(one.collection) || setting.api.isShown(one.collection)) &&
        namesIn(one.record).includes(name),
    )
    const { id: _, ...fields } = withoutSecrets({ ...sent, ...shown })
    const user = made ?? makeUser(setting, call, fields)
    const times = user === undefined ? newTimes(call, sent, shown) : {}
    const keeps = user?.type === 'created' && user !== made ? withoutSecrets(user.record) : times
    const of = user !== undefined && 'key' in user ? { collection: user.collection, key: user.key } : null
    const record = { id: name, names, password, user: withoutSecrets({ ...sent, ...shown, ...times }), of }
    const at = { collection: ACCOUNTS, key: name, record }
    const isKept = world.collection(ACCOUNTS).has(name)
    const account: Change = isKept ? { type: 'updated', ...at } : { type: 'created', ...at, scope: {} }
    const changes = [...answered.changes, ...(user === undefined || user === made ? [] : [user]), account]
    const registered = { response: aboutUser(call, answered, keeps), changes }
    return isPublic(call.operation) ? withToken(registered, own) : registered
  }
  // The simulation's key is everybody's password.
  if (call.key !== given && known?.record.password !== password) {
    const next = 'Expected the password of a registered one, or the key of this simulation as the password.'
    return refuse([401, 403, 400, 422, 404], `Failed to log "${name}" in: name or password is wrong. ${next}`)
  }
  const token = call.key === given ? given : own
  const answered = answerAbout(known)
  // Without fields in its description, the answer is as FastAPI and OAuth 2.0 have it.
  const isOpen =
    call.representation.isJson && call.representation.schema?.fields.size === 0 && !givesToken(answered.response)
  const body = JSON.stringify({ access_token: token, token_type: 'bearer' })
  return isOpen ? { ...answered, response: { ...answered.response, body } } : withToken(answered, token)
}

/** The times of a user whom only a registration shows: it is new. */
function newTimes({ at, representation: { schema } }: ApiCall, sent: JsonObject, shown: JsonObject = {}): JsonObject {
  const parts = schema === undefined ? [] : [schema, ...schema.properties.values()]
  const fields = parts.find((part) => [...part.properties.keys()].some((name) => NAME.test(name)))?.properties
  const times = Object.entries(shown).flatMap(([name, value]): [string, Json][] => {
    const field = fields?.get(name)
    return field?.format === 'date-time' && value && !(name in sent) ? [[name, toTimestamp(at, value, field)]] : []
  })
  return Object.fromEntries(times)
}

function aboutUser({ representation }: ApiCall, { response }: Answered, user: JsonObject): ApiResponse {
  const { body } = response
  if (typeof body !== 'string' || !body.startsWith('{')) return response
  return { ...response, body: JSON.stringify(withUser(JSON.parse(body) as Json, user, representation.schema)) }
}

/** The user of a registration that makes none, where the API shows the caller's record, as in `GET /users/me`, or users. */
function makeUser(setting: Setting, call: ApiCall, sent: JsonObject): Change | undefined {
  const { collections, operations } = setting.api.model
  const ofCaller = operations.flatMap(({ effect }) =>
    'keys' in effect && effect.keys.some((key) => key.in === 'caller') ? [effect.collection] : [],
  )
  const ofUsers = collections.filter(
    ({ name, schema }) => USERS.test(name) && [...allNames(schema).keys()].some((field) => NAME.test(field)),
  )
  const [collection] = [...ofCaller, ...ofUsers.map(({ name }) => name)]
  return collection === undefined ? undefined : makeRecord(setting, call, { collection, scope: [], sent }).change
}

/** A change of the own user may change the password of the account, beside the right current one, and add names. */
export function withCredentials(setting: Setting, call: ApiCall, answered: Answered): Answered {
  const { name, record } = accountWith(setting, call.key) ?? {}
  if (name === undefined || record === undefined) return answered
  const parts = objectsIn(call.body.value)
  const find = (wanted: RegExp) => parts.map((part) => fieldIn(part, wanted)).find(Boolean)
  const current = find(CURRENT_PASSWORD)
  const own = isJsonObject(record.of) ? record.of : {}
  const isOwn = answered.changes.every(
    (change) =>
      change.type === 'updated' &&
      ('singleton' in change
        ? change.scopeKey === name || (change.scopeKey === '' && current !== undefined)
        : change.collection === own.collection && change.key === own.key),
  )
  if (!isOwn) return answered
  const isChanged = answered.changes.length > 0
  const sent = find(NEW_PASSWORD) ?? (isChanged || current !== undefined ? find(PASSWORD) : undefined)
  const isKey = String(current).startsWith(KEY_PREFIX) || String(current).endsWith(KNOWN_KEY)
  const isWrong =
    current !== undefined && !isKey && record.password !== setting.signer.codeFor(`password ${String(current)}`)
  if (sent !== undefined && typeof record.password === 'string' && isWrong) {
    const status = [400, 401, 403, 422].find((one) => refusesWith(call.operation, one)) ?? 400
    const field = parts.flatMap((part) => Object.keys(part)).find((one) => CURRENT_PASSWORD.test(one))
    const next = 'Send the one of its registration or of its latest change.'
    throw new Refusal(
      status,
      'invalid_request',
      `Failed to change the password of "${name}": \`${field}\` is wrong. ${next}`,
      field,
    )
  }
  const names = isChanged ? parts.flatMap((part) => namesIn(part)) : []
  if (sent === undefined && names.length === 0) return answered
  const password = sent === undefined ? (record.password ?? null) : setting.signer.codeFor(`password ${String(sent)}`)
  const changed = { ...record, names: [...(record.names as string[]), ...names], password }
  const change: Change = { type: 'updated', collection: ACCOUNTS, key: name, record: changed }
  return { ...answered, changes: [...answered.changes, change] }
}

/** A body, and the objects in it: `{ data: { token, user } }`. */
const objectsIn = (body: Json | undefined): JsonObject[] =>
  isJsonObject(body) ? [body, ...Object.values(body).flatMap(objectsIn)] : []

/** The names in an object, as accounts have them. */
const namesIn = (object: JsonObject, ofFields = NAME): string[] =>
  Object.entries(object).flatMap(([field, value]) =>
    NAME.test(field) && ofFields.test(field) && value ? [String(value).toLowerCase()] : [],
  )

const fieldIn = (object: Json | undefined, name: RegExp): Json | undefined =>
  Object.entries(isJsonObject(object) ? object : {}).find(([field]) => name.test(field))?.[1]

/** The answer to a login, about this user; an answer without a schema shows all of it, and no secrets. */
function withUser(value: Json, user: JsonObject, schema: Schema | undefined): Json {
  if (!isJsonObject(value)) return value
  const names = [...(schema?.properties.keys() ?? [])]
  const isUser = fieldIn(value, NAME) !== undefined || names.some((name) => NAME.test(name))
  const entries = Object.entries(value).map(([name, own]): [string, Json] => {
    const id = USER_ID.test(name) ? user.id : undefined
    if (id !== undefined) return [name, typeof own === 'string' ? String(id) : id]
    return [name, withUser(own, user, schema?.properties.get(name))]
  })
  const isOpen = schema === undefined
  const own = Object.entries(user).filter(([name]) => isOpen || Object.hasOwn(value, name) || names.includes(name))
  const shown = { ...Object.fromEntries(entries), ...(isUser && Object.fromEntries(own)) }
  return isOpen && isUser ? withoutSecrets(shown) : shown
}
