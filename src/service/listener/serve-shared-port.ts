import { notFound } from '../../protocol/errors.ts'
import type { HostedSimulation } from '../management/hosted-simulation.ts'
import type { ManagementApi } from '../management/management-api.ts'
import type { Simulations } from '../management/simulations.ts'
import type { Answer } from './listener.ts'
import type { ReadHead, RequestHead } from './request-head.ts'
import type { SendResponse } from './send-response.ts'
import { serveManagement } from './serve-management.ts'
import { refusal, type ServeSimulation } from './serve-simulation.ts'
import { targetOf } from './target.ts'

/** What the service's own port answers with. */
export interface SharedPortParts {
  readonly api: ManagementApi
  readonly simulations: Simulations
  readonly serve: ServeSimulation
  readonly send: SendResponse
  readonly readHead: ReadHead
  /** Whether simulations answer here too. */
  readonly hasSimulations: boolean
  readonly domain: string | undefined
}

/** A place that belongs to a simulation, whether or not there is one. */
interface Place {
  readonly hosted: HostedSimulation | undefined
  readonly target: string
  readonly root: string
}

/** Answers on the service's own port: the management API, and simulations at `/s/<slug>` or `<slug>.<domain>`. */
export function createSharedPort(parts: SharedPortParts): Answer {
  return (request, response, isAlone) => {
    const head = parts.readHead(request)
    const place = parts.hasSimulations ? findPlace(parts, targetOf(request), head) : undefined
    if (place === undefined) {
      serveManagement(parts.api, { request, response, head }).catch(() => response.destroy())
      return
    }
    const { hosted, target, root } = place
    if (hosted !== undefined) parts.serve(hosted, { request, response, head, isAlone, target, root })
    else parts.send(response, refusal(notFound(`No simulation answers at ${head.caller.origin}${root}.`)))
  }
}

function findPlace(
  { simulations, domain }: SharedPortParts,
  target: string,
  { headers }: RequestHead,
): Place | undefined {
  const label = domain === undefined ? undefined : labelBelow(domain, headers.host ?? '')
  if (label !== undefined) return { hosted: simulations.findBySlug(label), target, root: '' }
  if (!target.startsWith(ROOT)) return undefined
  const end = endOfSegment(target, ROOT.length)
  if (end === ROOT.length) return undefined
  const root = target.slice(0, end)
  const slug = target.slice(ROOT.length, end)
  const below = target.slice(end)
  return { hosted: simulations.findBySlug(slug), target: below.startsWith('/') ? below : `/${below}`, root }
}

/** What every path of a simulation begins with. */
const ROOT = '/s/'

/** Where the path segment that begins at `start` ends. */
function endOfSegment(target: string, start: number): number {
  let at = start
  while (at < target.length && !'/?#'.includes(target[at] as string)) at++
  return at
}

function labelBelow(domain: string, host: string): string | undefined {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined
}
