import { slugOf } from '../../names/words.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { CreatedSimulation } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { ServiceParts } from './handlers.ts'
import { type CreationRequest, type Creator, hostSimulation, toCreated } from './host-simulation.ts'

/**
 * Starts a simulation with the service: an existing one in the store, from an earlier start or another node, is used
 * again.
 *
 * @param key the first key; issued if absent.
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
    // Another starting node may have been first.
    const found = await adoptStored(parts, request, creator, key)
    if (found === undefined) throw error
    return found
  }
}

/**
 * The stored simulation of an earlier start, in place of a new one; undefined without one. Keys are not stored, so it
 * gets `key` or a new one.
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
  const { simulation } = hosted
  return toCreated(hosted, origin, await simulation.run(() => simulation.issueKey('start', key)))
}

/** A slug that the next start, and another node, can find again. */
async function slugFor(
  parts: ServiceParts,
  account: Account,
  { library, entry, slug = library ?? (typeof entry === 'string' ? entry : undefined), spec = '' }: CreationRequest,
): Promise<string> {
  if (slug !== undefined) return slug
  return (
    slugOf((await parts.models.ofText(spec, { ...parts, account })).model.title, LIMITS.slugCharacters) || 'simulation'
  )
}
