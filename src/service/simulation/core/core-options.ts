import { didYouMean } from '../../../names/nearest-name.ts'
import type { BehaviourPlan } from '../../../protocol/behaviour.ts'
import { badRequest } from '../../../protocol/errors.ts'
import type { ReplyMode, ValidationMode } from '../../../protocol/simulation.ts'
import { createDataset } from '../../dataset/create-dataset.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { InitialAccess } from '../../simulated-api/access-list.ts'
import type { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import type { EntryEffects } from '../../simulated-api/facts/entry-effects.ts'
import type { UserFunctions } from '../../simulated-api/handlers/user-functions.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'
import { listSome, type SimulationInit } from '../origin/simulation-init.ts'

/** Input of a core. Its state is a function of this and of the commands so far. */
export interface CoreOptions {
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
  /** Whether creating below a missing parent answers 404. */
  readonly lenientParents: boolean
  readonly lenientKeys?: boolean | undefined
  readonly replies?: ReplyMode | undefined
  readonly access: InitialAccess
  readonly plan: BehaviourPlan
  readonly entryEffects?: EntryEffects | undefined
  /** Functions of users. They are not part of the state. */
  readonly functions?: UserFunctions | undefined
  readonly keyPrefixes?: readonly string[] | undefined
  /** The library entry's webhooks. */
  readonly apiWebhooks?: ApiWebhooks | undefined
  /** Whether webhooks may reach private addresses, and these without TLS. @default false */
  readonly hasPrivateWebhooks?: boolean | undefined
  /** Most webhooks. @default no limit */
  readonly maxWebhooks?: number | undefined
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
  const { blueprint, access, volume = {}, hints = {} } = init
  const { api } = blueprint
  const { model } = api
  const entryEffects = init.entryRows && blueprint.bookOf(init.entryRows, init.functions?.operators.keys())
  const { seedRecords: given = {} } = init
  checkCollections('volume', Object.keys(volume), model)
  checkCollections('seedRecords', Object.keys(given), model)
  const seedRecords = entryEffects === undefined ? given : blueprint.seeds.prepare(given, start.epoch)
  const dataset = createDataset(model, {
    ...start,
    volume,
    seedRecords,
    examples: init.examples,
    hints,
  })
  blueprint.seeds.check(seedRecords, dataset)
  return {
    ...start,
    // The default seed is public, and shared.
    secret: init.seed ?? init.id,
    slug: init.hasOwnSlug ? init.slug : undefined,
    api,
    access,
    dataset,
    validation: init.validation ?? 'strict',
    lenientParents: init.lenientParents ?? false,
    lenientKeys: init.lenientKeys,
    replies: init.replies,
    plan: blueprint.startingPlan(init.plan, namesOfEffects({ entryEffects, functions: init.functions })).plan,
    entryEffects,
    functions: init.functions,
    keyPrefixes: init.keyPrefixes,
    apiWebhooks: init.apiWebhooks,
    hasPrivateWebhooks: init.reachable.hasPrivate,
    maxWebhooks: init.maxWebhooks,
  }
}

/** Names of effects and handlers for `due` steps. */
export const namesOfEffects = ({
  entryEffects,
  functions,
}: Pick<CoreOptions, 'entryEffects' | 'functions'>): string[] => [
  ...(entryEffects?.names ?? []),
  ...(functions?.names ?? []).filter((name) => !name.includes(' ')),
]

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
