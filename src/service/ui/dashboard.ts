import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import * as z from 'zod'
import { ApiError, notFound } from '../../protocol/errors.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Accounts } from '../account/accounts.ts'
import type { Bodies } from '../listener/bodies.ts'
import { serveManagement } from '../listener/serve-management.ts'
import { targetOf, type Visitor } from '../listener/visitor.ts'
import { errorBody, toApiError } from '../management/error-body.ts'
import type { ManagementApi } from '../management/management-api.ts'
import type { SessionLedger } from '../store/ledger.ts'
import { SESSION_SECONDS, Sessions } from './sessions.ts'
import type { SignInCodes } from './sign-in-codes.ts'

/** The parts of the dashboard's server. */
export interface DashboardParts {
  readonly api: ManagementApi
  readonly bodies: Bodies
  readonly codes: SignInCodes
  readonly accounts: Accounts
  readonly runtime: Runtime
  /** The store of sessions. */
  readonly ledger: SessionLedger
  /** Our host names, besides IP addresses and `localhost`. */
  readonly hosts: readonly (string | undefined)[]
}

/** A request below `/ui`. */
interface DashboardExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visitor: Visitor
  /** Path and query. */
  readonly target: string
}

const API = '/ui/api'
const ASSETS = '/ui/assets/'
const MOST_SESSION_BYTES = 4_096

/** Body of `POST /ui/session`. */
const signIn = z
  .strictObject({ code: z.string().max(200).optional(), key: z.string().max(300).optional() })
  .refine(({ code, key }) => (code === undefined) !== (key === undefined), 'exactly one of `code` and `key`')

/** Creates the handler of requests below `/ui`: the page and its files, the session, and the management API for the session. */
export function createDashboard(parts: DashboardParts) {
  const dashboard = new Dashboard(parts)
  return async (request: IncomingMessage, response: ServerResponse, visitor: Visitor): Promise<void> => {
    const exchange = { request, response, visitor, target: targetOf(request) }
    try {
      await dashboard.answer(exchange)
    } catch (error) {
      const { status, message, code } = toApiError(error)
      write(exchange, status, { type: 'application/json', text: errorBody(new ApiError(status, code, message)) })
    }
  }
}

class Dashboard {
  readonly #parts: DashboardParts
  readonly #files = new PageFiles()
  readonly #sessions: Sessions
  readonly #guesses: Guesses

  constructor(parts: DashboardParts) {
    this.#parts = parts
    this.#sessions = new Sessions(parts.runtime, parts.ledger)
    this.#guesses = new Guesses(parts.runtime)
  }

  async answer(exchange: DashboardExchange): Promise<void> {
    const { request, response, visitor, target } = exchange
    const path = target.replace(/[?#].*$/s, '')
    if (!isOwnHost(visitor.origin, this.#parts.hosts)) throw new ApiError(403, 'unauthorised', FOREIGN_HOST)
    if (path === '/ui/session' || path.startsWith(`${API}/`)) {
      if (!isOwnPage(request, visitor.origin)) throw new ApiError(403, 'unauthorised', FOREIGN_PAGE)
      if (path === '/ui/session') await this.#answerSession(exchange)
      else await this.#answerApi(exchange)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new ApiError(405, 'bad_request', `Expected the method to be GET, got ${request.method?.slice(0, 20)}.`)
    }
    if (path === '/ui') {
      for (const [name, value] of Object.entries(policyOf(visitor.origin))) response.setHeader(name, value)
      response.writeHead(308, { location: `/ui/${target.slice(path.length)}` }).end()
    } else if (path.startsWith(ASSETS)) {
      const file = await this.#files.asset(path.slice(ASSETS.length))
      if (file === undefined) throw notFound(`The dashboard has no file ${path.slice(0, 200)}.`)
      writeFile(exchange, file, 'public, max-age=31536000, immutable')
    } else writeFile(exchange, await this.#files.shell(), 'no-cache')
  }

  /** Passes a request to the management API, with the rights of the session's key. */
  async #answerApi({ request, response, visitor, target }: DashboardExchange): Promise<void> {
    const key = await this.#findKey(request, visitor)
    if (key === undefined) throw new ApiError(401, 'unauthorised', SIGNED_OUT)
    const session = { target: target.slice(API.length), authorization: `Bearer ${key}` }
    await serveManagement(this.#parts, { request, response, visitor, session })
  }

  /** `GET` returns the session, `POST` signs in, `DELETE` signs out. */
  async #answerSession(exchange: DashboardExchange): Promise<void> {
    const { request, visitor } = exchange
    if (request.method === 'POST') {
      const key = await this.#signIn(exchange)
      const token = await this.#sessions.open(key)
      await this.#writeSession(exchange, key, `${token}; Max-Age=${SESSION_SECONDS}`)
    } else if (request.method === 'GET') {
      const key = await this.#findKey(request, visitor)
      if (key === undefined) throw new ApiError(401, 'unauthorised', SIGNED_OUT)
      await this.#writeSession(exchange, key)
    } else if (request.method === 'DELETE') {
      const token = tokenOf(request, visitor)
      if (token !== undefined) await this.#sessions.close(token)
      const cookie = { 'set-cookie': cookieOf(visitor, '; Max-Age=0') }
      write(exchange, 200, { type: 'application/json', text: '{"ok":true}' }, cookie)
    } else {
      const message = `Expected the method to be GET, POST or DELETE, got ${request.method?.slice(0, 20)}.`
      throw new ApiError(405, 'bad_request', message)
    }
  }

  async #writeSession(exchange: DashboardExchange, key: string, value?: string): Promise<void> {
    const account = await this.#parts.accounts.authenticate(credentials(key, exchange.visitor, 'simulations:read'))
    const canWrite = await this.#canWrite(key, exchange.visitor)
    const text = JSON.stringify({ account: account.name, canWrite, address: exchange.visitor.ip })
    const cookie = value === undefined ? {} : { 'set-cookie': cookieOf(exchange.visitor, value) }
    write(exchange, 200, { type: 'application/json', text }, cookie)
  }

  async #canWrite(key: string, visitor: Visitor): Promise<boolean> {
    try {
      await this.#parts.accounts.authenticate(credentials(key, visitor, 'simulations:write'))
      return true
    } catch {
      return false
    }
  }

  /** The account key from a visitor's key or code. */
  async #signIn(exchange: DashboardExchange): Promise<string> {
    const { ip } = exchange.visitor
    if (this.#guesses.mustWait(ip)) throw new ApiError(429, 'unauthorised', TOO_MANY)
    const { code = '', key: shown } = await this.#readSignIn(exchange)
    const key = shown ?? (await this.#parts.codes.take(code))
    try {
      if (key === undefined) throw new ApiError(401, 'unauthorised', WRONG_CODE)
      await this.#parts.accounts.authenticate(credentials(key, exchange.visitor, 'simulations:read'))
      return key
    } catch (error) {
      this.#guesses.noteWrong(ip)
      throw error
    }
  }

  async #readSignIn({ request, response }: DashboardExchange): Promise<z.output<typeof signIn>> {
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      throw new ApiError(415, 'bad_request', 'Expected `content-type` to be application/json.')
    }
    const body = await new Promise<unknown>((resolve) => {
      this.#parts.bodies.read({ request, response }, { maxBytes: MOST_SESSION_BYTES }, resolve)
    })
    if (!(body instanceof Uint8Array))
      throw new ApiError(413, 'invalid_request', 'Expected a body of at most 4,096 bytes.')
    return parseRequest(signIn, parseJson(body))
  }

  async #findKey(request: IncomingMessage, visitor: Visitor): Promise<string | undefined> {
    const token = tokenOf(request, visitor)
    return token === undefined ? undefined : this.#sessions.find(token)
  }
}

const FOREIGN_HOST =
  'The dashboard answers at IP addresses, at localhost and at the name of --host or --domain only. Open it by one of these.'
const FOREIGN_PAGE = 'Only pages of the dashboard itself may call this. Scripts use /v1 with an account key.'
const SIGNED_OUT = 'Nobody is signed in. Sign in with an account key, or open the address that `backlot serve` prints.'
const WRONG_CODE =
  'The code is wrong, used or older than ten minutes. Sign in with an account key, or start `backlot serve` again for a new code.'
const TOO_MANY = 'Too many wrong codes or keys from this address. Try again in a minute.'

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch (cause) {
    throw new ApiError(400, 'invalid_request', `Expected the body to be JSON: ${(cause as Error).message}.`, { cause })
  }
}

function credentials<Scope>(key: string, { ip }: Visitor, scope: Scope) {
  return { authorization: `Bearer ${key}`, ip, scope }
}

/** Cookies do not distinguish ports: each port has its own name. */
function cookieName({ origin }: Visitor): string {
  const { port, protocol } = new URL(origin)
  return `backlot-${port || (protocol === 'https:' ? '443' : '80')}`
}

function cookieOf(visitor: Visitor, value: string): string {
  const secure = visitor.origin.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(visitor)}=${value}; Path=/ui; HttpOnly; SameSite=Strict${secure}`
}

function tokenOf({ headers }: IncomingMessage, visitor: Visitor): string | undefined {
  const start = `${cookieName(visitor)}=`
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const tokens = pairs.filter((pair) => pair.startsWith(start))
  // A second cookie of this name comes from another origin of the host, and may stand before ours.
  return tokens.length === 1 ? tokens[0]?.slice(start.length) : undefined
}

function writeFile(exchange: DashboardExchange, file: PageFile, cacheControl: string): void {
  const [encoding, bytes] = encodingOf(exchange.request, file)
  const headers = {
    ...policyOf(exchange.visitor.origin),
    'content-type': file.type,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  }
  exchange.response.writeHead(200, { ...headers, 'content-length': String(bytes.length) })
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : bytes)
}

/** The encoding of a file for a browser: it accepts Brotli over TLS, and on some systems from this machine. */
function encodingOf({ headers }: IncomingMessage, file: PageFile): [encoding: string | undefined, bytes: Buffer] {
  const taken = String(headers['accept-encoding'] ?? '')
  if (file.brotli !== undefined && /\bbr\b/.test(taken)) return ['br', file.brotli]
  return /\bgzip\b/.test(taken) ? ['gzip', file.gzipped] : [undefined, file.bytes]
}

function write(
  { response, visitor }: DashboardExchange,
  status: number,
  { type, text }: { type: string; text: string },
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, {
    ...policyOf(visitor.origin),
    ...headers,
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
  })
  response.end(text)
}

const WINDOW_MS = 60_000
/** Most wrong codes and keys from one address within a minute. */
const MOST_GUESSES = 10
/** Most addresses with counted guesses. */
const MOST_ADDRESSES = 10_000

/** Wrong codes and keys, by sender's address. */
class Guesses {
  readonly #clock: Runtime['clock']
  /** Oldest first. */
  readonly #byAddress = new Map<string, { count: number; since: number }>()

  constructor({ clock }: Pick<Runtime, 'clock'>) {
    this.#clock = clock
  }

  /** Whether an address has too many wrong guesses within a minute. */
  mustWait(ip: string): boolean {
    return (this.#recent(ip)?.count ?? 0) >= MOST_GUESSES
  }

  noteWrong(ip: string): void {
    const guesses = this.#recent(ip)
    if (guesses !== undefined) guesses.count++
    else this.#byAddress.set(ip, { count: 1, since: this.#clock.monotonic() })
    const [oldest] = this.#byAddress.size > MOST_ADDRESSES ? this.#byAddress.keys() : []
    if (oldest !== undefined) this.#byAddress.delete(oldest)
  }

  #recent(ip: string): { count: number; since: number } | undefined {
    const guesses = this.#byAddress.get(ip)
    return guesses !== undefined && this.#clock.monotonic() - guesses.since < WINDOW_MS ? guesses : undefined
  }
}

/** Headers of everything below `/ui`. @param origin scheme and authority of the browser's request */
function policyOf(origin: string): Record<string, string> {
  const assets = `${origin}/ui/assets/`
  const policy = [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src ${assets}`,
    `connect-src ${origin}/ui/`,
    `img-src ${assets} data:`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/**
 * Whether a host name is ours. A remote page can let its own name resolve to this machine (DNS rebinding), but not an
 * IP address or `localhost`.
 */
function isOwnHost(origin: string, hosts: readonly (string | undefined)[]): boolean {
  const { hostname } = new URL(origin)
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || hosts.includes(name)
}

/** Whether a page of the dashboard's own origin sent a request. Pages on another port do not count. */
function isOwnPage({ method, headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? headers.origin === origin : site === 'same-origin'
  return isSame && (method === 'GET' || headers.origin === origin)
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const BROTLI = '.br'

/** A file of the page, ready to send. */
interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
  /** Compressed with Brotli, as the build writes scripts and styles; the page itself is not. */
  readonly brotli?: Buffer
}

/** The built page, whose assets are only in Brotli in the package. Each file is read and recompressed at first use. */
class PageFiles {
  readonly #folder = join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/ui')
  readonly #files = new Map<string, Promise<PageFile>>()
  #names: Promise<ReadonlySet<string>> | undefined

  /** The page itself. */
  shell(): Promise<PageFile> {
    return this.#read('index.html')
  }

  /** A script, a style sheet or a symbol; undefined for an unknown file. */
  async asset(name: string): Promise<PageFile | undefined> {
    this.#names ??= readdir(join(this.#folder, 'assets')).then((names) => new Set(names))
    return (await this.#names).has(name + BROTLI) ? this.#read(`assets/${name}`) : undefined
  }

  #read(path: string): Promise<PageFile> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = join(this.#folder, path)
    const read = path.startsWith('assets/') ? readAsset(file) : readShell(file)
    this.#files.set(path, read)
    return read
  }
}

async function readAsset(path: string): Promise<PageFile> {
  const brotli = await readFile(path + BROTLI)
  return { ...(await toFile(path, await promisify(brotliDecompress)(brotli))), brotli }
}

const readShell = async (path: string): Promise<PageFile> => toFile(path, await readFile(path))

async function toFile(path: string, bytes: Buffer): Promise<PageFile> {
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', bytes, gzipped: await promisify(gzip)(bytes) }
}
