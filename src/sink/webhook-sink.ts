import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Runtime, systemRuntime } from '../runtime/runtime.ts'
import { type Certificate, createCertificate } from '../server/certificate.ts'
import type { RefusedConnection } from '../server/http-server.ts'
import { type OpenServer, openServer, parseAddress, type ServerLimits } from '../server/open-server.ts'
import { checkReachable } from './check-reachable.ts'
import { answerRejection, type RejectedRequest, Rejection, toRejectedRequest } from './rejection.ts'
import { SinkPath } from './sink-path.ts'

/** Limits of a sink for its senders. */
export interface SinkLimits extends ServerLimits {
  bodyBytes: number
  /** How long a request waits for the secret of its path: the first event may arrive before the registration's answer. */
  secretHoldMs: number
}

/** The default limits of a sink. */
export const SINK_LIMITS: SinkLimits = {
  handshakeTimeoutMs: 5_000,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  connectionsCheckingIntervalMs: 500,
  keepAliveTimeoutMs: 5_000,
  unreadTimeoutMs: 15_000,
  unreadBytes: 16 * 1024 * 1024,
  headerBytes: 16 * 1024,
  bodyBytes: 5 * 1024 * 1024,
  sockets: 256,
  secretHoldMs: 5_000,
}

/** Address, certificate and limits of a {@link WebhookSink}. */
export interface WebhookSinkOptions {
  /** Where to listen, `host:port`. @default '127.0.0.1:0', any free loopback port */
  listen?: string | undefined
  /** The address under which a remote service reaches this sink. @default its own */
  publicUrl?: string | undefined
  /** Your own certificate, or `terminated-upstream` behind a TLS proxy. @default a certificate for loopback */
  tls?: { cert: string; key: string } | 'terminated-upstream' | undefined
  runtime?: Partial<Runtime> | undefined
  /** A pending certificate, to share it within a process. */
  certificate?: Promise<Certificate> | undefined
  limits?: Partial<SinkLimits> | undefined
  /** Most webhooks that each path keeps; the oldest are dropped first. @default 100_000 */
  capacity?: number | undefined
  /** Whether the open port keeps the process alive. @default true */
  holdsProcess?: boolean | undefined
  /** Receives each refused request without a path of this sink. */
  onRejected?: ((request: RejectedRequest) => void) | undefined
}

/** Starts a sink. It listens when this resolves; its certificate is made at first use. */
export async function startSink(options: WebhookSinkOptions = {}): Promise<WebhookSink> {
  const sink = new WebhookSink(options)
  await sink.listen()
  return sink
}

const PATH_BYTES = 16
const PATH = /^(?:\/[^?#]*)?\/h\/([0-9a-f]{32})(?:[?#].*)?$/
const TOKEN = /^[0-9a-f]{32}$/
const CHECK = /^(?:\/[^?#]*)?\/check\/([0-9a-f]{32})$/
const MAX_REJECTED = 1_000

/** Receives webhooks over HTTPS: one address, and below it a path for each simulation with a secret token. */
export class WebhookSink implements AsyncDisposable {
  readonly #options: WebhookSinkOptions
  readonly #runtime: Runtime
  readonly #limits: SinkLimits
  readonly #paths = new Map<string, SinkPath>()
  readonly #checks = new Set<string>()
  readonly #rejected: RejectedRequest[] = []
  #host = ''
  #certificate: Promise<Certificate> | undefined
  #server: OpenServer | undefined

  constructor(options: WebhookSinkOptions) {
    this.#options = options
    this.#runtime = { ...systemRuntime, ...options.runtime }
    this.#limits = { ...SINK_LIMITS, ...options.limits }
  }

  /** Binds the port. Rejects with the system's error where it is in use, with a TypeError for an invalid address. */
  async listen(): Promise<void> {
    const { tls, publicUrl } = this.#options
    if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
      throw new TypeError(`Expected \`publicUrl\` to be an http or https URL, got ${publicUrl}.`)
    const { host, port } = parseAddress(this.#options.listen ?? '127.0.0.1:0', 'listen')
    this.#host = host
    this.#server = await openServer({
      host,
      port,
      tls:
        tls === 'terminated-upstream'
          ? 'none'
          : { accept: 'always', certificate: async () => tls ?? this.#ownCertificate() },
      limits: this.#limits,
      holdsProcess: this.#options.holdsProcess,
      onRequest: (request, response) => {
        this.#handle(request, response).catch((cause: Error) => {
          const failure = new Rejection(500, 'failed', `The sink failed: ${cause.message}`, { cause })
          answerRejection(failure, request, response)
          this.#reject(failure, request, request.socket.remoteAddress)
        })
      },
      onRefused: (refused) => {
        this.#reject(toRejection(refused), undefined, refused.remoteAddress)
        return undefined
      },
    })
  }

  /** The IP address on which it listens. */
  get ip(): string {
    return this.#bound.ip
  }

  get port(): number {
    return this.#bound.port
  }

  /** The address for services, without a path. */
  get url(): string {
    const { publicUrl, tls } = this.#options
    if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
    return `${tls === 'terminated-upstream' ? 'http' : 'https'}://${this.#bound.authority}`
  }

  /** The authority to trust, PEM; waits until it is made. Undefined with your own certificate. */
  async ca(): Promise<string | undefined> {
    return this.#options.tls === undefined ? (await this.#ownCertificate()).ca : undefined
  }

  /**
   * Opens a path for one simulation. Throws a TypeError for a token that is not 32 hexadecimal digits, or in use.
   *
   * @param options.token the path's secret part, to have the same address again. @default a random one
   */
  open(options: { token?: string } = {}): SinkPath {
    const token = options.token ?? this.#runtime.secret(PATH_BYTES)
    if (this.#paths.has(token)) throw new TypeError(`Expected \`token\` to be one that no open path has, got ${token}.`)
    if (!TOKEN.test(token)) throw new TypeError(`Expected \`token\` to be 32 hexadecimal digits, got ${token}.`)
    const path = new SinkPath({
      token,
      url: `${this.url}/h/${token}`,
      openPaths: this.#paths,
      runtime: this.#runtime,
      limits: this.#limits,
      capacity: this.#options.capacity,
    })
    this.#paths.set(token, path)
    return path
  }

  /** The latest 1000 refused requests without a path: unknown paths, TLS failures, invalid HTTP. */
  rejected(): readonly RejectedRequest[] {
    return [...this.#rejected]
  }

  /** Calls its own public address once, and throws early for a fault of DNS, certificate or proxy. */
  async checkPublicUrl(): Promise<void> {
    const nonce = this.#runtime.secret(PATH_BYTES)
    this.#checks.add(nonce)
    try {
      await checkReachable(`${this.url}/check/${nonce}`, nonce, this.#runtime)
    } finally {
      this.#checks.delete(nonce)
    }
  }

  /** Closes the port, every connection and every path. */
  async close(): Promise<void> {
    for (const path of [...this.#paths.values()]) path.close()
    await this.#server?.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Made at first use, so that a test without deliveries does not load node-forge. */
  #ownCertificate(): Promise<Certificate> {
    this.#certificate ??= this.#options.certificate ?? createCertificate({ hosts: [this.#host] })
    return this.#certificate
  }

  get #bound(): OpenServer {
    if (!this.#server) throw new Error('Failed to read the address of the sink: it does not listen yet.')
    return this.#server
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? ''
    const path = this.#paths.get(PATH.exec(url)?.[1] ?? '')
    if (path) return path.receive(request, response)
    const nonce = CHECK.exec(url)?.[1] ?? ''
    if (request.method === 'GET' && this.#checks.has(nonce)) {
      request.resume()
      response.end(nonce)
      return
    }
    const detail = `No simulation of this sink has the path ${url.slice(0, 100)}.`
    const rejection = new Rejection(404, 'unknown_path', detail)
    answerRejection(rejection, request, response)
    this.#reject(rejection, request, request.socket.remoteAddress)
  }

  #reject(rejection: Rejection, request: IncomingMessage | undefined, remoteAddress: string | undefined): void {
    const rejected = toRejectedRequest(rejection, { at: this.#runtime.clock.now(), request, remoteAddress })
    this.#rejected.push(rejected)
    if (this.#rejected.length > MAX_REJECTED) this.#rejected.shift()
    this.#options.onRejected?.(rejected)
  }
}

function toRejection({ step, error, status }: RefusedConnection): Rejection {
  const options = { cause: error }
  if (step === 'request')
    return new Rejection(status, 'http', `The request could not be read: ${error.message}.`, options)
  if (step === 'handshake') return new Rejection(null, 'tls', describeTlsError(error), options)
  return new Rejection(null, 'tls', `The sink has no certificate to show: ${error.message}`, options)
}

function describeTlsError({ code, message }: RefusedConnection['error']): string {
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'Plain http was spoken to the https sink: use its https URL.'
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'The TLS handshake did not finish in time.'
  return `The TLS handshake failed: ${message}.`
}
