import type { JsonObject } from '../../protocol/json.ts'
import { expiryOf, isOver, iso, type SignInCall, textOf, textsOf } from './sign-in-call.ts'
import { findActiveUser, type User } from './users.ts'

const SESSION_SECONDS = 7 * 86_400

/** A signed-in browser. */
export interface Session {
  readonly id: string
  readonly user: User
  /** World time of the sign-in, milliseconds. */
  readonly signedInAt: number
  /** The clients that have tokens of it. */
  readonly clients: readonly string[]
  /** Whether a test signs every browser in, without pages. */
  readonly isAutomatic: boolean
}

/** The session of an id, else of the browser's cookie, else the one that a test has made for every browser. */
export function findSession(call: SignInCall, id = cookieIn(call)): Session | undefined {
  const records = call.records('sign_ins')
  const own = id === '' ? undefined : records.get(id)
  return (own && toSession(call, own)) ?? toSession(call, records.find({ automatic: true }))
}

function toSession(call: SignInCall, record: JsonObject | undefined): Session | undefined {
  if (record === undefined || isOver(call, record)) return undefined
  const user = findActiveUser(call, textOf(record.user_id))
  if (user === undefined) return undefined
  return {
    id: textOf(record.id),
    user,
    signedInAt: Date.parse(textOf(record.signed_in_at)),
    clients: textsOf(record.client_ids),
    isAutomatic: record.automatic === true,
  }
}

export function openSession(call: SignInCall, user: User, isAutomatic = false): Session {
  const id = call.secret('', 40)
  call.records('sign_ins').create({
    id,
    user_id: user.id,
    client_ids: [],
    signed_in_at: iso(call.now),
    expires_at: expiryOf(call, SESSION_SECONDS),
    automatic: isAutomatic,
  })
  return { id, user, signedInAt: call.now, clients: [], isAutomatic }
}

/** The header that gives a browser its session. */
export const cookieOf = (call: SignInCall, { id }: Pick<Session, 'id'>): Record<string, string> => ({
  'Set-Cookie': `${call.cookieName}=${id}; ${attributesOf(call)}`,
})

/** The header that takes the session from a browser. */
export const noCookie = (call: SignInCall): Record<string, string> => ({
  'Set-Cookie': `${call.cookieName}=; ${attributesOf(call)}; Max-Age=0`,
})

function attributesOf({ origin }: SignInCall): string {
  const { protocol, pathname } = new URL(origin)
  return `Path=${pathname}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`
}

function cookieIn({ headers, cookieName }: SignInCall): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? ''
}
