import { slugOf } from '../../names/words.ts'
import type { CreatedSimulation } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { ServiceParts } from './handlers.ts'
import { KEY_REMINDER } from './host-simulation.ts'

/** What names a simulation that a service is started with. */
interface StartRequest {
  readonly library?: string | undefined
  readonly spec?: string | undefined
  readonly slug?: string | undefined
}

/**
 * The simulation of an earlier start in the store, which goes on in place of a new one; undefined where there is none. Keys are
 * not kept, so that it gets `key` or another one.
 */
export async function adoptStored(
  parts: ServiceParts,
  request: StartRequest,
  { account, origin }: { account: Account; origin: string },
  key?: string,
): Promise<CreatedSimulation | undefined> {
  const { simulations } = parts
  if (simulations.stored === undefined) return undefined
  const idOrSlug = request.slug ?? request.library ?? (await slugOfSpec(parts, request.spec ?? ''))
  const hosted = simulations.find(account, idOrSlug) ?? (await simulations.load({ account, idOrSlug }))
  if (hosted === undefined) return undefined
  const { simulation, address } = hosted
  const apiKey = await simulation.run(() => simulation.issueKey('start', key))
  return {
    id: simulation.id,
    slug: simulation.slug,
    url: address.urlFor(origin),
    status: 'queued',
    apiKey,
    note: KEY_REMINDER,
    ...(address.ca === undefined ? {} : { ca: address.ca }),
  }
}

const slugOfSpec = async (parts: ServiceParts, spec: string): Promise<string> =>
  slugOf((await parts.models.ofText(spec, parts)).model.title)
