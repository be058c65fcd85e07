import { createHash, createHmac } from 'node:crypto'
import type { HandlerRecords } from '../../../protocol/handler.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ApiModel, ModelSignIn, Operation } from '../../openapi/model.ts'
import { answerStep } from '../../sign-in/answer-step.ts'
import { accessTokenId } from '../../sign-in/mint.ts'
import { type Fields, isOver, type SignInCall, scopesIn, textOf } from '../../sign-in/sign-in-call.ts'
import type { World } from '../../world/world.ts'
import { fieldsOfForm } from '../body/form.ts'
import type { ApiCall } from '../calls/call.ts'
import type { TokenSigner } from '../calls/token-signer.ts'
import { resolveValue } from '../expressions/evaluate.ts'
import type { AcceptedKeys } from '../find-key.ts'
import type { Draft } from '../records/draft.ts'
import { WholeAnswer } from './handler-context.ts'
import type { Handler } from './user-functions.ts'

/** What a sign-in needs of its simulation. */
export interface SignInParts {
  readonly signIn: ModelSignIn
  /** From which codes and tokens follow. */
  readonly secret: string
  readonly keys: AcceptedKeys
  readonly world: World
  readonly signer: TokenSigner
  /** Ids of the operations that are its steps. */
  readonly steps: ReadonlySet<string>
  /** Collections whose records have codes, tokens, secrets or sessions. */
  readonly secretRecords: ReadonlySet<string>
}

export function openSignIn(
  { signIn, operations }: Pick<ApiModel, 'signIn' | 'operations'>,
  parts: Pick<SignInParts, 'secret' | 'keys' | 'world' | 'signer'>,
): SignInParts | undefined {
  if (signIn === undefined) return undefined
  const steps = operations.flatMap(({ id, effect }) => (effect.kind === 'signIn' ? [id] : []))
  const { consents: _, logouts: __, ...secret } = signIn.collectionNames
  return { signIn, ...parts, steps: new Set(steps), secretRecords: new Set(Object.values(secret)) }
}

export function signInHandler(parts: SignInParts, { effect }: Operation): Handler | undefined {
  if (effect.kind !== 'signIn') return undefined
  return (context) => {
    const { parsed, draft, at, records } = context
    const { request, params, realAt } = parsed
    const { path, query, origin, headers } = request
    const body = isJsonObject(parsed.body.value) ? parsed.body.value : {}
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const visit = { step: effect.step, method, path, origin, headers, params, fields: fieldsOf(parsed, body), body }
    const drawn = `${path}?${query} ${Buffer.from(request.body).toString('latin1')}`
    const answer = answerStep(toCall(parts, visit, { draft, at, realAt, records, drawn }))
    if (answer !== undefined) return new WholeAnswer(answer)
    context.next()
    return undefined
  }
}

/** What a request says. */
type Visit = Pick<SignInCall, 'step' | 'method' | 'path' | 'origin' | 'headers' | 'params' | 'fields' | 'body'>

/** The world of a call. `drawn`: from which its secrets follow, besides the time. */
interface CallWorld {
  readonly draft: Draft
  readonly at: number
  readonly realAt: number
  readonly records: Readonly<Record<string, HandlerRecords<JsonObject>>>
  readonly drawn: string
}

/** A call of the sign-in, over the records of a handler. */
export function toCall(
  { signIn, secret, keys, world, signer }: SignInParts,
  visit: Visit,
  { draft, at, realAt, records, drawn }: CallWorld,
): SignInCall {
  // Two equal requests in one millisecond draw different texts.
  const made = Object.values(signIn.collectionNames).reduce((sum, name) => sum + world.collection(name).created, 0)
  const seed = `${at} ${made} ${drawn}`
  let count = 0
  return {
    ...visit,
    signIn,
    now: at,
    real: realAt,
    signer,
    records: (name) => records[signIn.collectionNames[name] ?? name] as HandlerRecords<JsonObject>,
    secret: (prefix = '', length = 32) => prefix + textFrom(secret, `${seed} ${count++}`, length),
    cookieName: `backlot_${createHash('sha256').update(secret).digest('hex').slice(0, 10)}`,
    evaluate: (expression, names) => {
      const request = { query: { ...visit.fields }, origin: visit.origin }
      return resolveValue(expression, { draft, names: { ...names, request }, at, seed })
    },
    isKey: (text) => keys.has(text),
  }
}

/** The parameters of the body, or of the query of a request without one; of one that is sent twice, the first. */
function fieldsOf({ request, body: { mediaType } }: ApiCall, body: JsonObject): Fields {
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  const sent = isForm
    ? Object.entries(fieldsOfForm(request.body))
    : Object.entries(body).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      )
  return sent.length > 0 ? Object.fromEntries(sent) : fieldsOfForm(Buffer.from(request.query))
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters and digits that only who knows the secret can compute. */
function textFrom(secret: string, drawn: string, length: number): string {
  let text = ''
  for (let block = 0; text.length < length; block++) {
    const bytes = createHmac('sha256', secret).update(`${drawn} ${block}`).digest()
    // Bytes that would make some letters more frequent are left out.
    for (const byte of bytes) if (byte < 248) text += LETTERS[byte % 62]
  }
  return text.slice(0, length)
}

/** An access token that the sign-in has issued. */
export interface AccessToken {
  readonly scopes: readonly string[]
  readonly isOver: boolean
}

export function readAccessToken(
  { signIn, world, signer }: SignInParts,
  text: string,
  at: number,
): AccessToken | undefined {
  const tokens = world.collection(signIn.collectionNames.access_tokens ?? '')
  // Reading a JWT makes a key, which takes a moment.
  const id = tokens.count === 0 ? '' : accessTokenId(signer, text)
  const record = id === '' ? undefined : tokens.get(id)
  if (record === undefined) return undefined
  return { scopes: scopesIn({ signIn }, textOf(record.scope)), isOver: isOver({ now: at }, record) }
}
