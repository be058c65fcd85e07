import { slugOf } from '../../names/words.ts'
import { type CreatedSimulation, SLUG_CHARACTERS } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { ServiceParts } from './handlers.ts'
import { type CreationRequest, type Creator, hostSimulation, KEY_REMINDER } from './host-simulation.ts'

/**
 * A simulation that a service is started with: where a store has it from an earlier start, or from another node, that one goes on.
 *
 * @param key the first key; one is issued when it is left out.
 */
export async function startSimulation(
  parts: ServiceParts,
  asked: CreationRequest,
  creator: Creator,
  key?: string,
): Promise<CreatedSimulation> {
  if (parts.simulations.stored === undefined) return hostSimulation(parts, asked, creator, key)
  const request = { ...asked, slug: await slugFor(parts, creator.account, asked) }
  const adopted = await adoptStored(parts, request, creator, key)
  if (adopted !== undefined) return adopted
  try {
    return await hostSimulation(parts, request, creator, key)
  } catch (error) {
    // Another node that starts may have been first.
    const found = await adoptStored(parts, request, creator, key)
    if (found === undefined) throw error
    return found
  }
}

/**
 * The simulation of an earlier start in the store, which goes on in place of a new one; undefined where there is none. Keys are
 * not kept, so that it gets `key` or another one.
 */
async function adoptStored(
  parts: ServiceParts,
  request: { readonly slug: string },
  { account, origin }: Creator,
  key?: string,
): Promise<CreatedSimulation | undefined> {
  const { simulations } = parts
  const idOrSlug = request.slug
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

/** One that the next start, and another node, finds again. */
async function slugFor(
  parts: ServiceParts,
  account: Account,
  { library, entry, slug = library ?? entry, spec = '' }: CreationRequest,
): Promise<string> {
  if (slug !== undefined) return slug
  return slugOf((await parts.models.ofText(spec, { ...parts, account })).model.title, SLUG_CHARACTERS) || 'simulation'
}
