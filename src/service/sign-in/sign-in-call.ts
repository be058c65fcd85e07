import { createHash } from 'node:crypto'
import type { HandlerRecords } from '../../protocol/handler.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { SignInStep } from '../../protocol/sign-in.ts'
import type { ModelSignIn } from '../openapi/model.ts'

/** Parameters of a request: of its query, or of its form. */
export type Fields = Readonly<Record<string, string>>

export interface SignInAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Signs tokens with the keys of a simulation. */
export interface Signer {
  sign(claims: JsonObject, header: JsonObject): string
  /** The claims of a token from this signer, even if expired. */
  read(token: string): JsonObject | undefined
  keySet(): JsonObject
  /** Public keys in PEM, by id. */
  pem(): JsonObject
}

/** One request to a step of the sign-in, with the world after its changes so far. */
export interface SignInCall {
  readonly signIn: ModelSignIn
  readonly step: SignInStep
  readonly method: string
  /** Below the simulation's root. */
  readonly path: string
  /** Scheme, host and prefix of the caller's URL. */
  readonly origin: string
  readonly headers: Fields
  /** Parameters of the path. */
  readonly params: Fields
  readonly fields: Fields
  /** The body of a request with JSON, which may have lists. */
  readonly body: JsonObject
  /** World time, milliseconds. */
  readonly now: number
  /** Real time of the request, milliseconds: the clock of its client. */
  readonly real: number
  readonly signer: Signer
  records(name: string): HandlerRecords<JsonObject>
  /** A new text for a code or token: it cannot be guessed. */
  secret(prefix?: string, length?: number): string
  /** A name that differs from simulation to simulation. */
  readonly cookieName: string
  evaluate(expression: Json, names: Readonly<Record<string, Json>>): Json | undefined
  isKey(text: string): boolean
}

export const iso = (ms: number): string => new Date(ms).toISOString()

/** World time after so many seconds; null for never. */
export const expiryOf = ({ now }: SignInCall, seconds: number | null): string | null =>
  seconds === null ? null : iso(now + seconds * 1_000)

/** Whether the time of a record is over in the world. */
export const isOver = ({ now }: Pick<SignInCall, 'now'>, record: JsonObject): boolean =>
  typeof record.expires_at === 'string' && Date.parse(record.expires_at) <= now

/** A time of the world as seconds for a token's claims. They follow the client's clock, which `fastForward` does not turn. */
export function secondsOf({ now, real, signIn }: SignInCall, world: number): number {
  return Math.floor((signIn.tokens.times === 'world' ? world : world - (now - real)) / 1_000)
}

export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : typeof value === 'string' ? [value] : []

export const base64urlHash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The scopes of a text, each once. */
export const scopesIn = ({ signIn }: Pick<SignInCall, 'signIn'>, text: string): string[] => [
  ...new Set(text.split(signIn.scopes.separator === ',' ? /[\s,]+/ : /\s+/).filter(Boolean)),
]

export const joinScopes = ({ signIn }: Pick<SignInCall, 'signIn'>, scopes: readonly string[]): string =>
  scopes.join(signIn.scopes.separator)

/** Scopes as an answer to an application names them. */
export const showScopes = (call: Pick<SignInCall, 'signIn'>, scopes: readonly string[]): string => {
  const { shown } = call.signIn.scopes
  return joinScopes(
    call,
    scopes.flatMap((scope) => (shown[scope] === undefined ? scope : (shown[scope] ?? []))),
  )
}
