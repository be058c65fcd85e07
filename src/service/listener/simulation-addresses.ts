import type { Certificate } from '../../server/certificate.ts'
import type { SimulationAddress } from '../management/hosted-simulation.ts'
import type { Simulations } from '../management/simulations.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { AnswerQueue } from './answer-queue.ts'
import type { Bodies } from './bodies.ts'
import { startListener } from './listener.ts'
import { serveSimulation } from './serve-simulation.ts'
import { type FindVisitor, takeBaseUrl, targetOf } from './visitor.ts'

/** Parts of simulation addresses. */
export interface AddressParts {
  readonly simulations: Simulations
  readonly findVisitor: FindVisitor
  readonly queue: AnswerQueue
  readonly bodies: Bodies
  readonly certificate: () => Promise<Certificate>
  /** Address to bind, and its form in a URL. */
  readonly host: { readonly bind: string; readonly shown: string }
  /** Whether open ports keep the process alive. */
  readonly holdsProcess: boolean
}

/** Opens an origin for one simulation: a local port that answers http and https. */
export async function openPort(
  parts: AddressParts,
  simulation: Simulation,
  { https, port }: { readonly https: boolean; readonly port: number },
): Promise<SimulationAddress> {
  const ca = https ? (await parts.certificate()).ca : undefined
  const listener = await startListener({
    host: parts.host.bind,
    port,
    certificate: parts.certificate,
    holdsProcess: parts.holdsProcess,
    answer: (request, response) => {
      const hosted = parts.simulations.findBySlug(simulation.slug)
      if (hosted === undefined) {
        response.destroy()
        return
      }
      const visitor = parts.findVisitor(request)
      const base = takeBaseUrl(request) ?? visitor.origin
      const exchange = { request, response, visitor, target: targetOf(request), base }
      serveSimulation(hosted.simulation, exchange, parts)
    },
  })
  const url = `${https ? 'https' : 'http'}://${parts.host.shown}:${listener.port}`
  return { ca, urlFor: () => url, close: () => listener.close() }
}

/** The part of the service's address that simulations share. */
interface SharedAddress {
  readonly scheme: 'http' | 'https'
  /** `sim.example.com`: simulations answer at `<slug>.sim.example.com`. */
  readonly domain: string | undefined
  readonly ca: string | undefined
}

/** The address of a simulation below the service's own: `<origin>/s/<slug>` or `<slug>.<domain>`. */
export function sharedAddress({ scheme, domain, ca }: SharedAddress, { slug }: Simulation): SimulationAddress {
  const urlFor = (origin: string): string => {
    const { protocol, host, port } = new URL(origin)
    const isHttps = scheme === 'https' || protocol === 'https:'
    const shown = domain === undefined ? `${host}/s/${slug}` : `${slug}.${domain}${port === '' ? '' : `:${port}`}`
    return `${isHttps ? 'https' : 'http'}://${shown}`
  }
  return { ca, urlFor, close: async () => {} }
}
