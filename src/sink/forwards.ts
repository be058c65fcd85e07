import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { getPreset } from '../protocol/webhook-scheme/presets.ts'
import { RequestSigner } from '../protocol/webhook-scheme/request-signer.ts'
import type { WebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import { readSignature } from '../protocol/webhook-scheme/signature-header.ts'
import { tamper } from '../protocol/webhook-scheme/tamper.ts'
import { http, https } from '../runtime/node-http.ts'
import { createConnection, createSecureConnection } from '../runtime/open-socket.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/**
 * How a webhook is replayed: with the same bytes and headers; with a new signature; with a correct signature from ten
 * minutes ago; or with the old signature and one changed byte in the body. A handler must refuse the last two.
 */
export type ReplayMode = 'identical' | 'resigned' | 'stale' | 'tampered'

/** The status for an unreachable application. */
const BAD_GATEWAY = 502
/** The time that a service waits for an answer (specification, Limits). */
const TIMEOUT_MS = 10_000
/** Headers of the connection, not of the webhook. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
])
/** How much of an answer is passed on, and how long we wait for it. */
const PASSED_BYTES = 16_000
const PASSED_MS = 1_000
const EMPTY_STATUSES = new Set([204, 205, 304])
const STALE_SECONDS = 600

/** An application under test. */
interface Application {
  readonly url: string
  /** Gets the reason why it cannot be reached; undefined once it was reached, or after the call. */
  onUnreachable: ((reason: string) => void) | undefined
}

/** An application's answer to a webhook. */
export interface ForwardedAnswer {
  readonly status: number
  /** The beginning of its text. */
  readonly text: string | undefined
  /** Its media type. */
  readonly type?: string | undefined
}

/** The applications under test that get a path's requests. */
export class Forwards {
  readonly #runtime: Runtime
  readonly #applications = new Map<symbol, Application>()
  /** With the address, and the time of the monotonic clock at which each began. */
  readonly #underWay = new Map<Promise<ForwardedAnswer>, { url: string; at: number }>()
  readonly #closing = new AbortController()
  /** The latest webhook in progress. */
  #latest: Promise<unknown> = Promise.resolve()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /**
   * Adds an application until it is disposed of; throws a TypeError unless `url` is an http or https URL.
   *
   * @param onUnreachable is called with the reason, once, where it could not be reached and never was before
   */
  add(url: string, onUnreachable?: (reason: string) => void): AsyncDisposable {
    if (!/^https?:$/.test(new URL(url).protocol)) {
      throw new TypeError(`Expected \`url\` to be an http or https URL, got ${url}.`)
    }
    const key = Symbol(url)
    this.#applications.set(key, { url, onUnreachable })
    return {
      [Symbol.asyncDispose]: async () => {
        this.#applications.delete(key)
        await Promise.allSettled(this.#underWay.keys())
      },
    }
  }

  /**
   * Posts to every application. Resolves with the first answer that is not 2xx, else the first; undefined without any.
   * Resolves in the order of arrival, so that the inbox keeps this order.
   */
  async pass(request: PostRequest): Promise<ForwardedAnswer | undefined> {
    if (this.#applications.size === 0) return undefined
    const earlier = this.#latest
    const passing = Promise.all([...this.#applications.values()].map((to) => this.#passOne(to, request)))
    const turn = earlier.then(() => passing)
    this.#latest = turn
    const answers = await turn
    return answers.find(({ status }) => !isSuccess(status)) ?? answers[0]
  }

  /** The application that has not answered for the longest time, and for how many milliseconds. */
  unanswered(): { url: string; ms: number } | undefined {
    const [oldest] = this.#underWay.values()
    return oldest && { url: oldest.url, ms: this.#runtime.clock.monotonic() - oldest.at }
  }

  /** Aborts all posts. Nothing is forwarded afterwards. */
  close(): void {
    this.#applications.clear()
    this.#closing.abort()
  }

  #passOne(to: Application, request: PostRequest): Promise<ForwardedAnswer> {
    const { url } = to
    const query = url.includes('?') ? request.query.replace(/^\?/, '&') : request.query
    const passed = post(url, { ...request, query }, { runtime: this.#runtime, signal: this.#closing.signal }).then(
      async (answer) => {
        to.onUnreachable = undefined
        const { status, headers } = answer
        const text = await readBeginning(answer, this.#runtime)
        return { status, text, type: headers.get('content-type') ?? undefined }
      },
      (error: Error) => {
        if (!this.#closing.signal.aborted) to.onUnreachable?.(error.message)
        to.onUnreachable = undefined
        return { status: BAD_GATEWAY, text: `The application was not reached: ${error.message}` }
      },
    )
    this.#underWay.set(passed, { url, at: this.#runtime.clock.monotonic() })
    return passed.finally(() => this.#underWay.delete(passed))
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** The first characters of an answer; undefined for an empty one. What does not arrive in time is left out. */
async function readBeginning({ body }: Response, runtime: Runtime): Promise<string | undefined> {
  if (body === null) return undefined
  const reader = body.getReader()
  const stopWaiting = runtime.startTimer(PASSED_MS, () => void reader.cancel().catch(() => undefined))
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < PASSED_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // A broken body ends here.
  } finally {
    stopWaiting()
    await reader.cancel().catch(() => undefined)
  }
  return text.slice(0, PASSED_BYTES) || undefined
}

/** Sends a received webhook to `to`. Rejects without an answer within 10 s. */
export async function replayWebhook(webhook: ReceivedWebhook<unknown>, options: ReplayOptions): Promise<Response> {
  const { to, runtime } = options
  try {
    return await post(to, composeReplay(webhook, options), { runtime })
  } catch (cause) {
    const fact = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Failed to replay webhook "${webhook.deliveryId}" to ${to}: ${fact}.`, { cause })
  }
}

/** Options of a replay. */
interface ReplayOptions {
  to: string
  as?: ReplayMode
  /** The secret of a new signature; undefined for a webhook of another sink. */
  secret: string | undefined
  /** @default our own scheme */
  scheme?: WebhookScheme | undefined
  runtime: Runtime
}

function composeReplay(
  webhook: ReceivedWebhook<unknown>,
  { to, as = 'identical', secret, scheme = getPreset('svc').scheme, runtime }: ReplayOptions,
): PostRequest {
  const { headers, rawBody } = webhook
  if (as === 'identical') return { headers, rawBody, query: '' }
  if (as === 'tampered') return { headers, rawBody: tamper(scheme, rawBody), query: '' }
  if (secret === undefined) {
    throw new TypeError(`Expected \`webhook\` to be one of this sink, got one of webhook ${webhook.webhookId}.`)
  }
  const at = runtime.clock.now() - (as === 'stale' ? STALE_SECONDS * 1_000 : 0)
  return signAgain(webhook, { scheme, secret, url: to, at })
}

/** Signs a webhook again for an address: headers without time and signature stay unchanged. */
function signAgain(
  { headers, rawBody, type, deliveryId }: ReceivedWebhook<unknown>,
  { scheme, secret, url, at }: { scheme: WebhookScheme; secret: string; url: string; at: number },
): PostRequest {
  const { carried } = readSignature(scheme, (name) => [headers[name] ?? []].flat(), rawBody)
  const id = carried.get('id') ?? deliveryId
  const signed = new RequestSigner(scheme, secret).sign({ at, rawBody, url, id, type: carried.get('type') ?? type })
  const fresh = Object.entries(scheme.headers).flatMap(([name, template]) =>
    /\{(?:signature|t|t_ms|t_iso)\}/.test(template) ? name.toLowerCase() : [],
  )
  const anew = signed.headers.filter(([name]) => fresh.includes(name))
  return {
    headers: { ...headers, ...Object.fromEntries(anew) },
    rawBody: signed.rawBody,
    query: signed.url.slice(url.length),
  }
}

/** Bytes and headers to send unchanged. */
interface PostRequest {
  headers: Readonly<Record<string, string>>
  rawBody: Uint8Array
  /** Added to the address, including `?` or `&`. */
  query: string
}

/**
 * Posts to `url` once, without following redirects. Rejects without an answer within 10 s. Uses `node:http`, which
 * works with fake timers.
 */
async function post(
  url: string,
  { headers, rawBody, query }: PostRequest,
  { runtime, signal }: { runtime: Runtime; signal?: AbortSignal },
): Promise<Response> {
  const timeout = new AbortController()
  const cancelTimer = runtime.startTimer(TIMEOUT_MS, () => timeout.abort())
  const isSecure = new URL(url).protocol === 'https:'
  const send = isSecure ? https().request : http.request
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name))
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url + query, {
        method: 'POST',
        headers: { ...Object.fromEntries(kept), 'content-length': rawBody.byteLength },
        createConnection: isSecure ? createSecureConnection : createConnection,
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      })
      // A connection may also fail after an abort.
      request.on('error', reject)
      request.once('response', resolve)
      request.end(rawBody)
    })
    return toResponse(answer)
  } finally {
    cancelTimer()
  }
}

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0
  const body = EMPTY_STATUSES.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  if (!body) answer.resume()
  return new Response(body, { status, headers: toPairs(answer.rawHeaders) })
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] as string, rawHeaders[at + 1] as string])
  return pairs
}
