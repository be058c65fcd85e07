import { notFound } from '../../protocol/errors.ts'
import type { HostedSimulation } from '../management/hosted-simulation.ts'
import type { ManagementApi } from '../management/management-api.ts'
import type { Simulations } from '../management/simulations.ts'
import type { Caller, FindCaller } from './caller.ts'
import type { Answer } from './listener.ts'
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
  readonly findCaller: FindCaller
  /** Whether simulations answer here too. */
  readonly hasSimulations: boolean
  readonly domain: string | undefined
}

/** A place that belongs to a simulation, whether or not there is one. */
interface Place {
  readonly hosted: HostedSimulation | undefined
  readonly root: string
  /** Path and query below the root. */
  readonly target: string
}

/** The root of a simulation as clients at one origin write it. */
interface Entrance {
  readonly hosted: HostedSimulation
  readonly root: string
  readonly origin: string
  readonly base: string
}

/** Answers on the service's own port: the management API, and simulations at `/s/<slug>` or `<slug>.<domain>`. */
export function createSharedPort(parts: SharedPortParts): Answer {
  // Most requests are for the same simulation as the one before.
  let latest: Entrance | undefined
  return (request, response) => {
    const caller = parts.findCaller(request)
    const target = targetOf(request)
    if (latest !== undefined && leadsTo(latest, target, caller)) {
      const below = toTarget(target.slice(latest.root.length))
      parts.serve(latest.hosted, { request, response, caller, target: below, base: latest.base })
      return
    }
    const place = parts.hasSimulations ? findPlace(parts, target, request.headers.host ?? '') : undefined
    if (place === undefined) {
      serveManagement(parts.api, { request, response, caller }).catch(() => response.destroy())
      return
    }
    const { hosted, root } = place
    const { origin } = caller
    const base = origin + root
    if (hosted === undefined) {
      parts.send(response, refusal(notFound(`No simulation answers at ${base}.`)))
      return
    }
    // With a domain, the host decides before the path does.
    latest = parts.domain === undefined ? { hosted, root, origin, base } : undefined
    parts.serve(hosted, { request, response, caller, target: place.target, base })
  }
}

function leadsTo({ hosted, root, origin }: Entrance, target: string, caller: Caller): boolean {
  return hosted.isOpen && caller.origin === origin && target.startsWith(root) && endsSegment(target[root.length])
}

function findPlace({ simulations, domain }: SharedPortParts, target: string, host: string): Place | undefined {
  const label = domain === undefined ? undefined : labelBelow(domain, host)
  if (label !== undefined) return { hosted: simulations.findBySlug(label), target, root: '' }
  if (!target.startsWith(ROOT)) return undefined
  let end = ROOT.length
  while (!endsSegment(target[end])) end++
  if (end === ROOT.length) return undefined
  const slug = target.slice(ROOT.length, end)
  return { hosted: simulations.findBySlug(slug), root: target.slice(0, end), target: toTarget(target.slice(end)) }
}

/** What every path of a simulation begins with. */
const ROOT = '/s/'

/** Whether a path segment is over before this character. */
function endsSegment(character: string | undefined): boolean {
  return character === undefined || character === '/' || character === '?' || character === '#'
}

const toTarget = (below: string): string => (below.startsWith('/') ? below : `/${below}`)

function labelBelow(domain: string, host: string): string | undefined {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined
}
