import * as z from 'zod'
import { placeholdersOf } from '../template.ts'
import { ID_DEFAULTS, SCHEME_DEFAULTS, SECRET_DEFAULTS } from './defaults.ts'
import { hasKeyPair, templatesOf } from './scheme-traits.ts'

/** Signature algorithms of deliveries. */
const ALGORITHMS = [
  'hmac-sha1',
  'hmac-sha256',
  'hmac-sha512',
  'ed25519',
  'ecdsa-p256-sha256',
  'jwt-es256',
  'none',
] as const

/** Placeholders of headers and addresses, besides `{signature}`. */
const FACTS = ['t', 't_ms', 't_iso', 'id', 'type', 'subject', 'action', 'delivery', 'hook', 'retry', 'retry_reason']
/** Placeholders of the signed content. `{/json/pointer}` stands for a value of the body. */
const SIGNED = ['t', 't_ms', 't_iso', 'id', 'type', 'url', 'method', 'body', 'body_sha256', 'form']
/** Placeholders that a receiver learns from headers alone. */
const CARRIED = ['t', 't_ms', 't_iso', 'id', 'type']
const TIMES = ['t', 't_ms', 't_iso']

const text = z.string().min(1).max(500)
const pointer = z.string().regex(/^(?:\/[^/]*)+$/, 'a JSON pointer such as /additionalData/hmacSignature')
const headerNames = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header')
const headerText = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]*$/, 'printable ASCII')

const secretForm = z.strictObject({
  /** Prefix of the secret. */
  prefix: z.string().max(40).default(SECRET_DEFAULTS.prefix),
  /** Number of random bytes; with `alphanumeric`, of characters. */
  bytes: z.int().min(8).max(128).default(SECRET_DEFAULTS.bytes),
  shown: z.enum(['hex', 'base64', 'base64url', 'alphanumeric']).default(SECRET_DEFAULTS.shown),
  /** How the text of the secret becomes the key: as it is, or decoded. */
  key: z.enum(['text', 'base64', 'hex']).default(SECRET_DEFAULTS.key),
  /** Prefix that is removed before the key is decoded. */
  strip: z.string().min(1).max(40).exactOptional(),
  normalize: z.literal('NFKD').exactOptional(),
})

const schemeFields = z.strictObject({
  algorithm: z.enum(ALGORITHMS),
  content: text.exactOptional(),
  encoding: z.enum(['hex', 'base64', 'base64url']).default(SCHEME_DEFAULTS.encoding),
  secret: secretForm.exactOptional(),
  /** Format of the public key of a key pair. */
  publicKey: z.enum(['spki-base64', 'raw-hex', 'raw-base64', 'jwk']).exactOptional(),
  headers: z.record(headerNames, headerText).default(SCHEME_DEFAULTS.headers),
  /** Headers of the second and later attempts, besides the others. */
  retryHeaders: z.record(headerNames, headerText).exactOptional(),
  /** Parameters that are added to the query of the address. */
  query: z.record(z.string().min(1).max(100), headerText).exactOptional(),
  /** Where the body has the signature. */
  place: pointer.exactOptional(),
  /** Times of the attempt, by JSON pointer, that are written into the body before signing. */
  stamp: z.record(pointer, z.enum(['{t}', '{t_ms}', '{t_iso}'])).exactOptional(),
  /** Claims of a JWT; a single time placeholder becomes a number. */
  claims: z.record(z.string().min(1).max(100), headerText).exactOptional(),
  contentType: z.enum(['json', 'form']).default(SCHEME_DEFAULTS.contentType),
  /** The most events in one body. Over 1 the body is an array. */
  batch: z.int().min(1).max(1_000).default(SCHEME_DEFAULTS.batch),
  /** The form of `{id}`. @default the event's UUID */
  id: z
    .strictObject({ prefix: z.string().max(40).default(ID_DEFAULTS.prefix), length: z.int().min(8).max(64) })
    .exactOptional(),
  /** Largest difference between a signature's time and the clock. */
  toleranceSeconds: z.int().min(1).max(86_400).exactOptional(),
})

/** How a provider signs deliveries, as data. */
export const webhookScheme = schemeFields.superRefine((scheme, context) => {
  for (const { path, message } of faultsOf(scheme)) context.addIssue({ code: 'custom', path: [...path], message })
})
export type WebhookScheme = z.output<typeof webhookScheme>
/** How a provider signs deliveries, as an author writes it: fields with a default may be left out. */
export type NewWebhookScheme = z.input<typeof webhookScheme>

interface Fault {
  readonly path: readonly string[]
  readonly message: string
}

function faultsOf(scheme: WebhookScheme): Fault[] {
  return [
    ...faultsOfPlaceholders(scheme),
    ...faultsOfKeys(scheme),
    ...faultsOfContent(scheme),
    ...faultsOfPlace(scheme),
  ]
}

function* faultsOfPlaceholders({ content = '', headers, retryHeaders = {}, query = {}, claims = {} }: WebhookScheme) {
  yield* unknownPlaceholders(['content'], content, SIGNED, true)
  for (const [name, template] of Object.entries(headers))
    yield* unknownPlaceholders(['headers', name], template, [
      ...FACTS,
      'body_sha256',
      'secret_body_sha256',
      'signature',
    ])
  for (const [name, template] of Object.entries(retryHeaders))
    yield* unknownPlaceholders(['retryHeaders', name], template, FACTS)
  for (const [name, template] of Object.entries(query))
    yield* unknownPlaceholders(['query', name], template, ['body_sha256'])
  for (const [name, template] of Object.entries(claims))
    yield* unknownPlaceholders(['claims', name], template, [...CARRIED, 'body_sha256'])
}

function* unknownPlaceholders(
  path: string[],
  template: string,
  known: readonly string[],
  mayPoint = false,
): Generator<Fault> {
  const unknown = placeholdersOf(template).filter(
    (name) => !known.includes(name) && !(mayPoint && name.startsWith('/')),
  )
  if (unknown.length === 0) return
  const list = known.map((name) => `{${name}}`).join(' ')
  yield { path, message: `a template of ${list}${mayPoint ? ' {/json/pointer}' : ''} without {${unknown[0]}}` }
}

function* faultsOfKeys(scheme: WebhookScheme): Generator<Fault> {
  const { algorithm, secret, publicKey, claims, query } = scheme
  if (hasKeyPair(scheme)) {
    if (secret !== undefined) yield { path: ['secret'], message: `left out: ${algorithm} has a key pair` }
    if (publicKey === undefined)
      yield { path: ['publicKey'], message: 'spki-base64, raw-hex, raw-base64 or jwk, as the provider shows it' }
    if (algorithm !== 'ed25519' && (publicKey === 'raw-hex' || publicKey === 'raw-base64'))
      yield { path: ['publicKey'], message: `spki-base64 or jwk: ${algorithm} has no key of 32 bytes` }
  } else if (publicKey !== undefined) yield { path: ['publicKey'], message: `left out: ${algorithm} has no key pair` }
  if (claims !== undefined && algorithm !== 'jwt-es256')
    yield { path: ['claims'], message: 'left out: only jwt-es256 has claims' }
  if (query !== undefined && scheme.place !== undefined) yield { path: ['query'], message: 'left out, next to `place`' }
}

function* faultsOfContent(scheme: WebhookScheme): Generator<Fault> {
  const { algorithm, content, claims = {}, toleranceSeconds } = scheme
  const isSigned = algorithm !== 'none'
  const carried = [...templatesOf(scheme.headers), ...templatesOf(scheme.stamp)].flatMap((template) =>
    placeholdersOf(template),
  )
  if (algorithm === 'jwt-es256') {
    if (content !== undefined) yield { path: ['content'], message: 'left out: a JWT signs its claims' }
    if (!templatesOf(claims).some((template) => template.includes('{body_sha256}')))
      yield { path: ['claims'], message: 'claims, one of them {body_sha256}' }
    carried.push(...templatesOf(claims).flatMap((template) => placeholdersOf(template)))
  } else if (isSigned && content === undefined) yield { path: ['content'], message: 'what is signed, such as {body}' }
  for (const name of placeholdersOf(content ?? ''))
    if (CARRIED.includes(name) && !carried.includes(name))
      yield { path: ['content'], message: `made of what the receiver has: no header carries {${name}}` }
  if (toleranceSeconds !== undefined && !carried.some((name) => TIMES.includes(name)))
    yield { path: ['toleranceSeconds'], message: 'left out: no header carries {t}, {t_ms} or {t_iso}' }
}

function* faultsOfPlace({ algorithm, headers, place, stamp, contentType, batch }: WebhookScheme): Generator<Fault> {
  const carriers = Object.entries(headers).filter(([, template]) => template.includes('{signature}'))
  if (algorithm === 'none') {
    const [name] = carriers[0] ?? []
    if (name !== undefined) yield { path: ['headers', name], message: 'a template without {signature}: nothing signs' }
    if (place !== undefined) yield { path: ['place'], message: 'left out: nothing signs' }
  } else if (carriers.length + Number(place !== undefined) !== 1)
    yield { path: ['headers'], message: 'headers, one of them with {signature}, unless `place` has it' }
  if (stamp !== undefined && (contentType !== 'json' || batch > 1))
    yield { path: ['stamp'], message: 'left out: the body is no JSON object' }
  if (place !== undefined && (contentType !== 'json' || batch > 1))
    yield { path: ['place'], message: 'left out: the body is no JSON object' }
  if (contentType === 'form' && batch > 1) yield { path: ['batch'], message: '1: a form holds one event' }
}
