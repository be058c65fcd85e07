import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, notFound } from '../../protocol/errors.ts'
import { toApiError } from '../management/error-body.ts'
import type { HostedSimulation } from '../management/hosted-simulation.ts'
import type { ManagementApi } from '../management/management-api.ts'
import type { Simulations } from '../management/simulations.ts'
import type { AnswerQueue } from './answer-queue.ts'
import type { Bodies } from './bodies.ts'
import { serveManagement } from './serve-management.ts'
import { type SimulatedExchange, serveSimulation } from './serve-simulation.ts'
import { isWorkerScript, sandboxPage } from './shared-origin.ts'
import { type FindVisitor, takeBaseUrl, targetOf, type Visitor } from './visitor.ts'
import { answerOfService, writeResponse } from './write-response.ts'

/** Answers requests below `/ui`. */
export type ServeDashboard = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => void

/** The parts behind the service's own port. */
export interface SharedPortParts {
  readonly api: ManagementApi
  readonly simulations: Simulations
  readonly findVisitor: FindVisitor
  readonly queue: AnswerQueue
  readonly bodies: Bodies
  readonly dashboard: ServeDashboard
  /** Whether simulations also answer on this port. */
  readonly hasSimulations: boolean
  readonly domain: string | undefined
}

/** The address of a simulation, whether or not one exists. */
interface Place {
  readonly slug: string
  readonly root: string
  /** Path and query below the root. */
  readonly target: string
}

export type RequestKind = 'simulated' | 'health' | 'dashboard' | 'management'

/** The kind of a request, for metrics. */
export function kindOfRequest(parts: SharedPortParts, request: IncomingMessage): RequestKind {
  if (parts.hasSimulations && findPlace(parts, request) !== undefined) return 'simulated'
  if (isHealthCheck(request)) return 'health'
  return isDashboard(request) || isBrowserAtRoot(request) ? 'dashboard' : 'management'
}

/** Answers on the service's own port: the management API, and simulations at `/s/<slug>` or `<slug>.<domain>`. */
export function serveSharedPort(parts: SharedPortParts, request: IncomingMessage, response: ServerResponse): void {
  const visitor = parts.findVisitor(request)
  const place = parts.hasSimulations ? findPlace(parts, request) : undefined
  if (place === undefined) {
    if (isHealthCheck(request)) {
      writeResponse(response, { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"status":"ok"}' })
      return
    }
    if (isDashboard(request)) {
      parts.dashboard(request, response, visitor)
      return
    }
    if (isBrowserAtRoot(request)) {
      writeResponse(response, { status: 302, headers: { location: '/ui/', 'cache-control': 'no-store' }, body: null })
      return
    }
    serveManagement(parts, { request, response, visitor }).catch(() => response.destroy())
    return
  }
  const { slug, root, target } = place
  const ownBase = takeBaseUrl(request)
  // A browser's navigation never has a local port's header: behind one the simulation has its own origin.
  if (root !== '' && ownBase === undefined) {
    if (isWorkerScript(request)) {
      writeResponse(response, answerOfService(new ApiError(403, 'unauthorised', NO_WORKER)))
      return
    }
    sandboxPage(request, response)
  }
  const sharedRoot = ownBase === undefined ? root : undefined
  const exchange = { request, response, visitor, target, base: ownBase ?? visitor.origin + root, sharedRoot }
  const hosted = parts.simulations.findBySlug(slug)
  if (hosted !== undefined) serveHosted(hosted, exchange, parts)
  else void serveUnheld(parts, slug, exchange)
}

/** Loads the simulation, if it exists. */
async function serveUnheld(parts: SharedPortParts, slug: string, exchange: SimulatedExchange): Promise<void> {
  try {
    serveHosted(await loadFrom(parts, slug, exchange), exchange, parts)
  } catch (error) {
    writeResponse(exchange.response, answerOfService(toApiError(error)))
  }
}

/** The simulation with a slug. Rejects with `not_found`. */
async function loadFrom({ simulations }: SharedPortParts, slug: string, { base }: SimulatedExchange) {
  const hosted = await simulations.load({ slug })
  if (hosted === undefined) throw notFound(`No simulation answers at ${base}.`)
  return hosted
}

function serveHosted(hosted: HostedSimulation, exchange: SimulatedExchange, parts: SharedPortParts): void {
  const { simulation } = hosted
  if (!simulation.isStored) {
    serveSimulation(simulation, exchange, parts)
    return
  }
  keepUntilAnswered(hosted, exchange)
  const successor = async () => {
    const next = await loadFrom(parts, simulation.slug, exchange)
    keepUntilAnswered(next, exchange)
    return next.simulation
  }
  serveSimulation(simulation, { ...exchange, successor }, parts)
}

/** Keeps a stored simulation in memory until the answer. */
function keepUntilAnswered(hosted: HostedSimulation, { response }: SimulatedExchange): void {
  response.once('close', hosted.begin())
}

const NO_WORKER =
  'Failed to register a service worker: simulations below /s/ share their origin. Start the service with --domain for an origin each.'

function isDashboard(request: IncomingMessage): boolean {
  return /^\/ui(?:[/?]|$)/.test(targetOf(request))
}

function isBrowserAtRoot(request: IncomingMessage): boolean {
  return /^\/(?:\?|$)/.test(targetOf(request)) && /\btext\/html\b/.test(request.headers.accept ?? '')
}

/** `/healthz` answers without a key that the service works: load balancers and Playwright's `webServer` have none. */
function isHealthCheck(request: IncomingMessage): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && /^\/healthz(\?|$)/.test(targetOf(request))
}

/** With a domain, the host is checked before the path. */
function findPlace({ domain }: SharedPortParts, request: IncomingMessage): Place | undefined {
  const target = targetOf(request)
  const label = domain === undefined ? undefined : labelBelow(domain, request.headers.host ?? '')
  if (label !== undefined) return { slug: label, target, root: '' }
  if (!target.startsWith(ROOT)) return undefined
  let end = ROOT.length
  while (!endsSegment(target[end])) end++
  if (end === ROOT.length) return undefined
  const slug = target.slice(ROOT.length, end)
  const below = target.slice(end)
  return {
    slug,
    root: target.slice(0, end),
    target: below.startsWith('/') ? below : `/${below}`,
  }
}

/** The prefix of every simulation path. */
const ROOT = '/s/'

/** Whether a path segment ends before this character. */
function endsSegment(character: string | undefined): boolean {
  return character === undefined || character === '/' || character === '?' || character === '#'
}

function labelBelow(domain: string, host: string): string | undefined {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined
}
