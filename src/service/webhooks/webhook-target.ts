import { isIP } from 'node:net'
import { ApiError, invalidRequest } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ReachableAddresses } from './reachable-addresses.ts'

/** The parts of a webhook's URL for a connection. */
export interface WebhookTarget {
  /** Scheme, host and port. */
  origin: string
  /** Whether the connection uses TLS. Only private addresses of an option may do without. */
  isSecure: boolean
  /** Path and query. */
  path: string
  /** A name, or an address without brackets. */
  host: string
  port: number
}

/** How long a registration waits for DNS before it accepts the name. */
const REGISTRATION_DNS_MS = 2_000
/** Addresses of sinks of a run, which may start later than the webhook. */
const LOOPBACK = /^127\.|^::1$/
const HTTPS = /^https:\/\//i
const HTTP = /^http:\/\//i
/** Control bytes, blanks and backslashes, which URL parsers treat differently. */
const DISPUTED = /[\p{Cc}\p{Z}\\]/u
const LABEL = /^[a-z0-9_-]{1,63}$/
const MAX_NAME_CHARACTERS = 253
/** Names of local networks (RFC 6761, 6762, 8375; metadata services use `.internal`). */
const INTERNAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/**
 * Parses a webhook URL; throws `invalid_request` unless it is an unambiguous https URL without credentials. It may be
 * an http URL where an option allows private addresses.
 */
export function parseWebhookUrl(text: string, { hasPrivate }: Pick<ReachableAddresses, 'hasPrivate'>): WebhookTarget {
  if (!text.isWellFormed() || DISPUTED.test(text)) {
    throw invalidRequest('Expected `url` to be free of control characters, spaces and backslashes.')
  }
  if (!HTTPS.test(text) && !(hasPrivate && HTTP.test(text))) {
    throw invalidRequest('Expected `url` to be a public https URL: it must start with `https://`.')
  }
  const url = parse(text)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    throw invalidRequest('Expected `url` to be free of credentials, got a user or password before `@`.')
  }
  if (url.port === '0') throw invalidRequest('Expected `url` to have a port from 1 to 65535, got 0.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isIP(host)) checkName(host)
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  return { origin: url.origin, isSecure, path: url.pathname + url.search, host, port }
}

/**
 * Throws `unsafe_url` when the host is, or resolves to, a forbidden address. A name that does not resolve (yet) is
 * accepted: each connection checks again.
 */
export async function checkTarget(
  target: WebhookTarget,
  runtime: Runtime,
  reachable: ReachableAddresses,
): Promise<void> {
  if (reachable.findSink(target.host, target.port)) return
  checkHost(target, reachable)
  if (isIP(target.host)) return
  const addresses = await resolveInTime(target.host, runtime)
  const forbidden = addresses.find((address) => !isOpenTo(target, address, reachable))
  if (forbidden !== undefined) throw unsafeUrl(whyClosed(target, `${target.host} resolves to ${forbidden}, which`))
}

/**
 * The target of an earlier registered URL under the current options; an error where it is forbidden now. Each
 * connection checks the addresses of names, and sinks on loopback.
 */
export function judgeAgain(text: string, reachable: ReachableAddresses): WebhookTarget | ApiError {
  try {
    const target = parseWebhookUrl(text, reachable)
    const { host, port, isSecure } = target
    const maybeSink = isSecure && isIP(host) !== 0 && LOOPBACK.test(host)
    if (!maybeSink && !reachable.findSink(host, port)) checkHost(target, reachable)
    return target
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, message } = error
    return new ApiError(
      status,
      code,
      `${message} It was allowed when the webhook was registered (\`allowPrivateWebhooks\`).`,
    )
  }
}

/** Throws `unsafe_url` for a forbidden address and for an internal name. */
function checkHost(target: WebhookTarget, reachable: ReachableAddresses): void {
  const { host } = target
  if (isIP(host) && !isOpenTo(target, host, reachable)) throw unsafeUrl(whyClosed(target, `the address ${host}`))
  if (!isIP(host) && isInternalName(host) && !reachable.hasPrivate) throw unsafeUrl(`the name ${host} is internal`)
}

/** Why an address is forbidden; `subject` names it. */
function whyClosed({ isSecure }: WebhookTarget, subject: string): string {
  return isSecure
    ? `${subject} is private, internal or reserved`
    : `${subject} is not in the private ranges that this service opens, and other addresses want https`
}

/** Without TLS only addresses of an option: a public http URL would expose events on the way. */
function isOpenTo({ isSecure }: WebhookTarget, address: string, reachable: ReachableAddresses): boolean {
  return isSecure ? reachable.includes(address) : reachable.includesPrivate(address)
}

/** An address that the guard allows, with the authority of a sink of this run. */
export interface VettedAddress {
  address: string
  ca: string | undefined
}

/** A connection refused by the address guard. Nothing was dialled. */
export class GuardError extends Error {
  override readonly name = 'GuardError'
}

/**
 * The allowed addresses of a target, checked now. Throws a {@link GuardError} when any of them is forbidden, which
 * detects names whose records have changed since the registration.
 */
export async function vetTarget(
  target: WebhookTarget,
  runtime: Runtime,
  reachable: ReachableAddresses,
): Promise<VettedAddress[]> {
  const sink = reachable.findSink(target.host, target.port)
  if (sink) return [{ address: target.host, ca: await (typeof sink.ca === 'function' ? sink.ca() : sink.ca) }]
  if (!isIP(target.host) && isInternalName(target.host) && !reachable.hasPrivate) throw refused(target.host)
  const addresses = isIP(target.host) ? [target.host] : await runtime.resolve(target.host)
  if (addresses.length === 0) throw new GuardError(`connection error: ${target.host} has no address`)
  const forbidden = addresses.find((address) => !isOpenTo(target, address, reachable))
  if (forbidden !== undefined) throw refused(forbidden)
  return addresses.map((address) => ({ address, ca: undefined }))
}

/** The error of a connection to an address that is not public. */
export function refused(address: string): GuardError {
  return new GuardError(`connection error: refused by the address guard, ${address} is not public`)
}

/** Whether a name can only be local: a single label, or below a reserved suffix. */
function isInternalName(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '')
  return !bare.includes('.') || INTERNAL_SUFFIXES.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`))
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw invalidRequest('Expected `url` to be a public https URL: it cannot be parsed.', cause)
  }
}

function checkName(host: string): void {
  const labels = host.replace(/\.$/, '').split('.')
  if (host.length <= MAX_NAME_CHARACTERS + 1 && labels.every((label) => LABEL.test(label))) return
  throw invalidRequest(
    'Expected `url` to have a host of labels of 1 to 63 letters, digits and hyphens, 253 characters in all.',
  )
}

async function resolveInTime(host: string, runtime: Runtime): Promise<string[]> {
  const { promise: timedOut, resolve } = Promise.withResolvers<string[]>()
  const cancelTimer = runtime.startTimer(REGISTRATION_DNS_MS, () => resolve([]))
  try {
    return await Promise.race([runtime.resolve(host).catch(() => []), timedOut])
  } finally {
    cancelTimer()
  }
}

function unsafeUrl(fact: string): ApiError {
  return new ApiError(400, 'unsafe_url', `Expected \`url\` to point at a public address: ${fact}.`)
}
