import { createDataset } from '../dataset/create-dataset.ts'
import { checkSeedRecords } from './check-seed-records.ts'
import { SimulationCore } from './core.ts'
import { checkCollections, type SimulationInit } from './simulation-init.ts'

/** Throws `bad_request` for a collection that the model does not have, `invalid_request` for records without ids of their own. */
export function createCore(
  init: SimulationInit,
  start: { seed: string; epoch: number; createdAt: number; isHeard: () => boolean },
): SimulationCore {
  const { blueprint, access, volume = {}, seedRecords = {}, hints = {} } = init
  const { model, api } = blueprint
  checkCollections('volume', Object.keys(volume), model)
  checkCollections('seedRecords', Object.keys(seedRecords), model)
  const dataset = createDataset(model, { seed: start.seed, epoch: start.epoch, volume, seedRecords, hints })
  checkSeedRecords(seedRecords, model, dataset)
  return new SimulationCore({
    ...start,
    slug: init.hasOwnSlug ? init.slug : undefined,
    api,
    access,
    dataset,
    validation: init.validation ?? 'strict',
    strictParents: init.strictParents ?? false,
    plan: blueprint.startingPlan(init.plan).plan,
    countRequest: init.countRequest ?? (() => true),
  })
}

/** One sentence for each step of the first plan that cannot work and was dropped. */
export const droppedSteps = ({ blueprint, plan }: Pick<SimulationInit, 'blueprint' | 'plan'>): readonly string[] =>
  blueprint.startingPlan(plan).dropped
