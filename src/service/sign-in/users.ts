import { hasFields, type Json, type JsonObject, readField } from '../../protocol/json.ts'
import { type SignInCall, textOf } from './sign-in-call.ts'

/** A user of the provider. */
export interface User {
  readonly id: string
  readonly record: JsonObject
}

/** Fields that may have a user's name, beside the one that the settings name. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  sub: ['id'],
  email: ['email', 'email_address', 'mail'],
  name: ['name', 'full_name', 'display_name', 'real_name'],
  given_name: ['given_name', 'first_name'],
  family_name: ['family_name', 'last_name'],
  picture: ['picture', 'avatar_url', 'image_url', 'avatar'],
}
/** Claims of the scopes of OpenID Connect, 5.4. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  profile: `name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate
    zoneinfo locale`.split(/\s+/),
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
}

const toUser = (call: SignInCall, record: JsonObject): User => ({ id: textOf(claimOf(call, record, 'sub')), record })

export function findUser(call: SignInCall, id: string): User | undefined {
  const record = call.records(call.signIn.users.of).get(id)
  if (record !== undefined) return toUser(call, record)
  return id === '' ? undefined : allUsers(call).find((user) => user.id === id)
}

/** Whether a user may not sign in. */
export const isBlocked = ({ signIn }: SignInCall, user: User | undefined): boolean =>
  user !== undefined && hasFields(user.record, signIn.users.blocked)

/** The user, unless it is blocked. */
export function findActiveUser(call: SignInCall, id: string): User | undefined {
  const user = findUser(call, id)
  return isBlocked(call, user) ? undefined : user
}

/** The user with an address, a login or an id. */
export function findUserNamed(call: SignInCall, name: string): User | undefined {
  const wanted = name.trim().toLowerCase()
  if (wanted === '') return undefined
  const names = ({ id, record }: User) => [id, textOf(record.login), textOf(record.username), emailOf(call, record)]
  return allUsers(call).find((user) => names(user).some((one) => one.toLowerCase() === wanted))
}

/** All users, newest first. */
export const allUsers = (call: SignInCall): User[] =>
  call
    .records(call.signIn.users.of)
    .where({})
    .filter((record) => !Object.entries(call.signIn.users.except).some(([field, value]) => record[field] === value))
    .map((record) => toUser(call, record))

export const emailOf = (call: SignInCall, record: JsonObject): string => textOf(claimOf(call, record, 'email'))
/** The address of a user, or the login of a user without one. */
export const addressShown = (call: SignInCall, record: JsonObject): string =>
  emailOf(call, record) || textOf(record.login) || textOf(record.username)
export const nameOf = (call: SignInCall, record: JsonObject): string =>
  textOf(claimOf(call, record, 'name')) || emailOf(call, record)

/** A claim about a user: a claim of its own, or a field. */
function claimOf(call: SignInCall, record: JsonObject, claim: string): Json | undefined {
  const own = readField(record, ['claims', claim])
  if (own !== undefined) return own
  const named = call.signIn.users.claims[claim]
  const set =
    typeof named === 'string' ? readField(record, named.split('.')) : named && call.evaluate(named, { user: record })
  const values = [set, ...(FIELDS[claim] ?? [claim]).map((field) => readField(record, [field]))]
  // Those of a profile are texts: Slack's record has an object of that name.
  const fits = (value: Json) => value !== '' && (typeof value !== 'object' || !SCOPES.profile?.includes(claim))
  const found = values.find((value) => value !== undefined && value !== null && fits(value))
  if (found !== undefined) return found
  if (claim === 'name') {
    const parts = [record.first_name, record.last_name].map(textOf).filter((part) => part !== '')
    return parts.join(' ') || textOf(record.username) || textOf(record.login) || undefined
  }
  const [given = '', ...family] = claim.endsWith('_name') ? nameOf(call, record).split(' ') : []
  if (claim === 'given_name' && given !== '') return given
  if (claim === 'family_name' && family.length > 0) return family.join(' ')
  if (claim === 'email_verified') return true
  return undefined
}

/** The claims about a user that scopes give, those asked for by name, those of the user's own, and those of the provider. */
export function claimsAbout(
  call: SignInCall,
  { id, record }: User,
  scopes: readonly string[],
  names: Readonly<Record<string, Json>>,
  asked: readonly string[] = [],
): JsonObject {
  const { scopes: settings, claims } = call.signIn
  const ofEach = scopes.flatMap((scope) => [...(SCOPES[scope] ?? []), ...(settings.claims[scope] ?? [])])
  const wanted = [...ofEach, ...asked]
  const ofScopes = wanted.flatMap((claim) => {
    const value = claimOf(call, record, claim)
    return value === undefined ? [] : [[claim, value] as const]
  })
  const own = readField(record, ['claims'])
  return {
    sub: id,
    ...Object.fromEntries(ofScopes),
    ...(typeof own === 'object' && !Array.isArray(own) ? own : {}),
    ...evaluateAll(call, claims, { ...names, user: record }),
  }
}

/** Evaluated fields, without those that have no value. */
function evaluateAll(
  call: SignInCall,
  fields: Readonly<Record<string, Json>>,
  names: Readonly<Record<string, Json>>,
): JsonObject {
  const known = Object.entries(fields).flatMap(([name, expression]) => {
    const value = call.evaluate(expression, names)
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(known)
}
