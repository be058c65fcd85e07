import type { IncomingMessage, ServerResponse } from 'node:http'
import { didYouMean } from '../names/nearest-name.ts'
import { ApiError, invalidRequest, notFound } from '../protocol/errors.ts'
import { isEventFilter } from '../protocol/event.ts'
import { isSecret } from '../protocol/same-secret.ts'
import type { PresetName } from '../protocol/webhook-scheme/presets.ts'
import type { NewWebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import { openServer, parseAddress } from '../server/open-server.ts'
import { isPrivateHost } from '../server/private-host.ts'
import { matchesType } from '../sink/match.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'
import type { SinkReply } from '../sink/replies.ts'
import { defineScheme } from '../sink/scheme-choice.ts'
import type { SinkPath } from '../sink/sink-path.ts'
import { SINK_LIMITS, type WebhookSink } from '../sink/webhook-sink.ts'

/** The address where tests in other languages read what a sink received. */
export interface SinkApi {
  readonly url: string
  close(): Promise<void>
}

interface SinkApiOptions {
  sink: WebhookSink
  path: SinkPath
  /** The scheme of deliveries, unless `POST /secrets` gives one. */
  scheme: PresetName
  /** `host:port` */
  listen: string
  /** Secret of the API: the first segment of its paths, or the bearer token of a request. */
  token: string
}

const MAX_BODY_BYTES = 64 * 1024
const MAX_WAIT_MS = 10 * 60_000
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/**
 * Serves a sink's webhooks over plain http, below `/<token>`, to programs on this machine. Requests from pages of other
 * origins are refused, and so are host names that DNS rebinding could use.
 *
 * `GET /received?type=task.*&collection=&id=&count=1&since=&claim=false&wait=5s` -> `{ data, complete, mark }`, as soon
 * as `count` have arrived or the wait is over; with `claim` only this caller gets them; `GET /rejected`; `DELETE
 * /received`; `POST /secrets { secret | publicKey, scheme?, webhookId? }`; `POST /replies { status?, delayMs?, drop?,
 * hang?, redirect?, times?, type? }`; `GET /` -> `{ url, ca }`.
 */
export async function startSinkApi(options: SinkApiOptions): Promise<SinkApi> {
  const { authority, close } = await openServer({
    ...parseAddress(options.listen, 'api'),
    tls: 'none',
    limits: SINK_LIMITS,
    onRequest: (request, response) => {
      answer(options, request).then(
        (body) => send(response, body === undefined ? 204 : 200, body),
        (error: unknown) => sendError(response, error),
      )
    },
  })
  return { url: `http://${authority}/${options.token}`, close }
}

async function answer(
  { sink, path, scheme, token }: SinkApiOptions,
  request: IncomingMessage,
): Promise<object | undefined> {
  refusePages(request)
  const { url: target = '' } = request
  // Absolute targets, for a proxy, and `//`, a host's name in a URL, are none of ours.
  if (!/^\/(?!\/)/.test(target)) throw notFound(`Expected a path of the sink's API, got ${shorten(target)}.`)
  const url = new URL(target, 'http://sink')
  const place = `${request.method} ${withoutToken(url.pathname, request, token)}`
  switch (place) {
    case 'GET /':
      return { url: path.url, ca: await sink.ca() }
    case 'GET /received':
      return readReceived(path, url.searchParams)
    case 'GET /rejected':
      return { data: [...sink.rejected(), ...path.inbox.rejected()].toSorted((left, right) => left.at - right.at) }
    case 'DELETE /received':
      path.clear()
      return undefined
    case 'POST /secrets':
      return addSecret(path, scheme, await readJson(request))
    case 'POST /replies':
      return addReply(path, await readJson(request))
    default:
      throw notFound(`Expected one of the sink's addresses, got ${place.slice(0, 100)}.`)
  }
}

/** Refuses requests from browser pages: the API is for programs, and a page could guess the port. */
function refusePages({ headers }: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers
  if (!isPrivateHost(host)) {
    throw new ApiError(
      403,
      'unauthorised',
      `Expected \`Host\` to be an address or the name of a machine here, got ${shorten(host)}.`,
    )
  }
  if (origin !== undefined || (site !== undefined && site !== 'none')) {
    throw new ApiError(403, 'unauthorised', 'Expected a request of a program, got one of a web page.')
  }
}

/** The path after the token; the whole path when the token is in `Authorization`. */
function withoutToken(pathname: string, { headers }: IncomingMessage, token: string): string {
  if (isSecret(`Bearer ${token}`)(headers.authorization)) return pathname
  const [, first = '', below = '/'] = /^\/([^/]*)(\/.*)?$/.exec(pathname) ?? []
  if (isSecret(token)(first)) return below
  throw new ApiError(
    401,
    'unauthorized',
    'Expected the token of this API: use the address that `backlot sink` printed, or send `Authorization: Bearer <token>`.',
  )
}

const shorten = (text: string): string => JSON.stringify(text.slice(0, 100))

const RECEIVED_NAMES = ['type', 'collection', 'id', 'count', 'since', 'claim', 'wait']

async function readReceived(path: SinkPath, query: URLSearchParams): Promise<object> {
  const stranger = [...query.keys()].find((name) => !RECEIVED_NAMES.includes(name))
  if (stranger !== undefined)
    throw invalidRequest(
      `Expected the query to be some of ${RECEIVED_NAMES.join(', ')}, got ${shorten(stranger)}.${didYouMean(stranger, RECEIVED_NAMES)}`,
    )
  const type = query.get('type') ?? '*'
  if (!isEventFilter(type))
    throw invalidRequest(`Expected \`type\` to be an exact kind, \`task.*\` or \`*\`, got ${type}.`)
  const collection = query.get('collection')
  const id = query.get('id')
  const count = readCount(query.get('count') ?? '1', 'count', 1)
  const since = { sequence: readCount(query.get('since') ?? '0', 'since', 0) }
  const isClaiming = query.get('claim') === 'true'
  const wanted = {
    matches: (webhook: ReceivedWebhook) =>
      !(isClaiming && path.inbox.isClaimed(webhook)) &&
      matchesType(type, webhook) &&
      (collection === null || webhook.data.collection === collection) &&
      (id === null || webhook.data.id === id),
    since,
    claim: isClaiming,
  }
  const timeoutMs = toMs(query.get('wait') ?? '0')
  const waited = await path.inbox.waitFor(wanted, { count, timeoutMs })
  const mark = path.inbox.mark().sequence
  const found = waited && isClaiming ? waited : path.inbox.take({ ...wanted, claim: false })
  return { data: found.map(toReceivedJson), complete: waited !== undefined, mark }
}

/** A webhook as JSON, with its bytes in base64. */
export function toReceivedJson({ rawBody, ...webhook }: ReceivedWebhook): object {
  return { ...webhook, rawBody: Buffer.from(rawBody).toString('base64') }
}

async function addSecret(path: SinkPath, usual: PresetName, body: Record<string, unknown>): Promise<undefined> {
  const { secret, publicKey, scheme = usual, webhookId = 'unnamed' } = body
  if (publicKey !== undefined && !isText(publicKey)) throw invalidRequest('Expected `publicKey` to be a text.')
  const key = secret ?? publicKey
  if (!isText(key)) throw invalidRequest('Expected `secret` to be the text that the registration answered.')
  const choice = isText(scheme) ? (scheme as PresetName) : await defineScheme(scheme as NewWebhookScheme)
  path.trust({ webhookId: String(webhookId), secret: key, scheme: choice, ...(isText(publicKey) && { publicKey }) })
}

function addReply(path: SinkPath, { type = '*', ...reply }: Record<string, unknown>): undefined {
  if (typeof type !== 'string' || !isEventFilter(type)) throw invalidRequest('Expected `type` to be an event filter.')
  try {
    path.respond(reply as SinkReply, type)
  } catch (error) {
    throw invalidRequest((error as Error).message)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function readCount(text: string, field: string, least: number): number {
  const count = Number(text)
  if (/^\d{1,9}$/.test(text) && count >= least) return count
  throw invalidRequest(`Expected \`${field}\` to be a whole number of at least ${least}, got ${text}.`)
}

/** `5s`, `500ms`, `1m`; a bare number is seconds. */
function toMs(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const ms = Number(number) * (UNITS_MS[unit] ?? Number.NaN)
  if (number !== '' && ms <= MAX_WAIT_MS) return ms
  throw invalidRequest(`Expected \`wait\` to be a time of at most 10m, such as 5s or 500ms, got ${text}.`)
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError(415, 'bad_request', `Expected \`content-type\` to be application/json, got ${shorten(type)}.`)
  }
  const text = await readText(request)
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {
    throw invalidRequest('Expected the body to be JSON.')
  }
  throw invalidRequest('Expected the body to be an object.')
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      if (text.length <= MAX_BODY_BYTES) text += chunk
      if (text.length > MAX_BODY_BYTES)
        reject(new ApiError(413, 'invalid_request', `Expected a body of at most ${MAX_BODY_BYTES} bytes.`))
    })
    request.once('end', () => resolve(text))
    request.once('error', reject)
  })
}

function send(response: ServerResponse, status: number, body: object | undefined): void {
  if (body) response.setHeader('content-type', 'application/json')
  response.writeHead(status).end(body && JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown): void {
  const fact = error instanceof Error ? error.message : String(error)
  const { status, code, message } = error instanceof ApiError ? error : new ApiError(500, 'invalid_request', fact)
  send(response, status, { error: { code, message } })
}
