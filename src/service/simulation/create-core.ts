import { startingPlan } from '../behaviour/starting-plan.ts'
import { createDataset } from '../dataset/create-dataset.ts'
import { SimulationCore } from './core.ts'
import { checkCollections, type SimulationInit } from './simulation-init.ts'

/** Throws `bad_request` for a collection that the model does not have. */
export function createCore(
  init: SimulationInit,
  start: { seed: string; epoch: number; createdAt: number; isHeard: () => boolean },
): SimulationCore {
  const { model, access, volume = {}, seedRecords = {}, hints = {} } = init
  checkCollections('volume', Object.keys(volume), model)
  checkCollections('seedRecords', Object.keys(seedRecords), model)
  return new SimulationCore({
    ...start,
    model,
    access,
    dataset: createDataset(model, { seed: start.seed, epoch: start.epoch, volume, seedRecords, hints }),
    validation: init.validation ?? 'strict',
    strictParents: init.strictParents ?? false,
    plan: startingPlan(model, init.plan),
    countRequest: init.countRequest ?? (() => true),
  })
}
