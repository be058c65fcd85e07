import { didYouMean } from '../../../names/nearest-name.ts'
import type { BehaviourPlan } from '../../../protocol/behaviour.ts'
import { badRequest } from '../../../protocol/errors.ts'
import type { ValidationMode } from '../../../protocol/simulation.ts'
import { createDataset } from '../../dataset/create-dataset.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import type { EntryEffects } from '../../simulated-api/facts/entry-effects.ts'
import { listSome, type SimulationInit } from '../origin/simulation-init.ts'

/** Input of a core. Its state is a function of this and of the commands so far. */
export interface CoreOptions
  extends Pick<
    SimulationInit,
    'access' | 'lenientKeys' | 'replies' | 'functions' | 'keyPrefixes' | 'apiWebhooks' | 'maxWebhooks'
  > {
  readonly api: CompiledApi
  readonly dataset: Dataset
  readonly seed: string
  /** From which its signing keys and the codes of a sign-in follow. @default the seed */
  readonly secret?: string | undefined
  /** A chosen slug, so that events of two simulations of one description have different ids. */
  readonly slug?: string | undefined
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly validation: ValidationMode
  readonly lenientParents: boolean
  readonly plan: BehaviourPlan
  readonly entryEffects?: EntryEffects | undefined
  /** Whether webhooks may reach private addresses, and these without TLS. @default false */
  readonly hasPrivateWebhooks?: boolean | undefined
}

/**
 * Generates the data of a simulation that begins at `start`.
 *
 * @throws `bad_request` for an unknown collection, `invalid_request` for records without unique ids.
 */
export function coreOptionsOf(
  init: SimulationInit,
  start: Pick<CoreOptions, 'seed' | 'epoch' | 'createdAt'>,
): CoreOptions {
  const { blueprint, volume = {}, hints = {}, seedRecords: given = {}, functions } = init
  const { model } = blueprint.api
  const entryEffects = init.entryRows && blueprint.bookOf(init.entryRows)
  checkCollections('volume', Object.keys(volume), model)
  checkCollections('seedRecords', Object.keys(given), model)
  const seedRecords = entryEffects === undefined ? given : blueprint.seeds.prepare(given, start.epoch)
  const dataset = createDataset(model, { ...start, volume, seedRecords, examples: init.examples, hints })
  blueprint.seeds.check(seedRecords, dataset)
  return {
    ...start,
    access: init.access,
    lenientKeys: init.lenientKeys,
    replies: init.replies,
    functions,
    keyPrefixes: init.keyPrefixes,
    apiWebhooks: init.apiWebhooks,
    maxWebhooks: init.maxWebhooks,
    // The default seed is public, and shared.
    secret: init.seed ?? init.id,
    slug: init.hasOwnSlug ? init.slug : undefined,
    api: blueprint.api,
    dataset,
    validation: init.validation ?? 'strict',
    lenientParents: init.lenientParents ?? false,
    plan: blueprint.startingPlan(init.plan, namesForSteps(functions)).plan,
    entryEffects,
    hasPrivateWebhooks: init.reachable.hasPrivate,
  }
}

/** Names of handlers for `due` steps. */
export const namesForSteps = (functions: CoreOptions['functions']): string[] =>
  (functions?.names ?? []).filter((name) => !name.includes(' '))

/** Throws `bad_request` for an unknown collection in `names`. */
function checkCollections(field: string, names: readonly string[], model: ApiModel): void {
  if (names.length === 0) return
  const known = model.collections.map(({ name }) => name)
  const all = new Set(known)
  const unknown = names.find((name) => !all.has(name))
  if (unknown === undefined) return
  const shown = unknown.slice(0, 100)
  throw badRequest(
    `Expected \`${field}.${shown}\` to name a collection, got "${shown}".${didYouMean(shown, known)} There are: ${listSome(known)}.`,
  )
}
