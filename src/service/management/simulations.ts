import { slugOf } from '../../names/words.ts'
import { badRequest } from '../../protocol/errors.ts'
import { SLUG_CHARACTERS } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** The simulations of a service, by id and by slug. Slugs are unique in the service, ids everywhere. */
export class Simulations {
  readonly #byId = new Map<string, HostedSimulation>()
  readonly #bySlug = new Map<string, HostedSimulation | 'taken'>()
  #isClosed = false

  /** The account's simulation with this id or slug; those of other accounts do not exist for it. */
  find(account: Account, idOrSlug: string): HostedSimulation | undefined {
    return [this.#byId.get(idOrSlug), this.findBySlug(idOrSlug)].find((found) => found?.account === account)
  }

  /** The simulation of any account that answers under this slug. */
  findBySlug(slug: string): HostedSimulation | undefined {
    const found = this.#bySlug.get(slug)
    return found === 'taken' ? undefined : found
  }

  list(account: Account): HostedSimulation[] {
    return [...this.#byId.values()].filter((hosted) => hosted.account === account)
  }

  /**
   * Takes a slug for a simulation that is being made. Call the returned function to give it back.
   *
   * @throws {@link ApiError} `bad_request` when it is taken.
   */
  reserveSlug(slug: string): () => void {
    if (this.#isTaken(slug)) {
      throw badRequest(`Failed to create the simulation: the slug "${slug}" is taken. Choose another, or leave it out.`)
    }
    this.#bySlug.set(slug, 'taken')
    return () => this.#bySlug.delete(slug)
  }

  /** A free slug made from a name, with a random end where the name alone is taken. */
  suggestSlug(name: string, random: () => string): string {
    const base = slugOf(name, SLUG_CHARACTERS - 7) || 'simulation'
    let slug = base
    while (this.#isTaken(slug)) slug = `${base}-${random()}`
    return slug
  }

  /** A slug and an id stand for a simulation in the same place of a path, so neither may read as another one's. */
  #isTaken(slug: string): boolean {
    return this.#bySlug.has(slug) || this.#byId.has(slug)
  }

  add(hosted: HostedSimulation): void {
    if (this.#isClosed) throw new Error('Failed to create the simulation: the service was closed meanwhile.')
    this.#byId.set(hosted.simulation.id, hosted)
    this.#bySlug.set(hosted.simulation.slug, hosted)
  }

  /** Takes a simulation out of the list and ends it. */
  async remove(hosted: HostedSimulation): Promise<void> {
    this.#byId.delete(hosted.simulation.id)
    this.#bySlug.delete(hosted.simulation.slug)
    await hosted.close()
  }

  /** Ends every simulation; none can be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#byId.values()].map((hosted) => this.remove(hosted)))
  }
}
