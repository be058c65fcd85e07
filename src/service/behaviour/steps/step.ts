import type { BehaviourStep } from '../../../protocol/behaviour.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Random } from '../../../runtime/random.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import type { World } from '../../world/world.ts'

export type StepOf<Kind extends BehaviourStep['kind']> = Extract<BehaviourStep, { kind: Kind }>

/** Planning of one run of a step, with pauses while it reads many records. Returns the changes. */
export type PlannedStep = Generator<undefined, Change[]>

/** The context of a step. A step reads and returns changes; `World.apply` does the writing. */
export interface StepContext {
  readonly world: World
  /** World time of the run, milliseconds since the Unix epoch. */
  readonly at: number
  /** Random draws of this step in this run; they depend only on the seed, the rule, the run and the step. */
  readonly random: Random
  /**
   * Rounds an exact share down and carries the remainder to the step's next run, so that a tenth of five records still
   * acts every other time.
   */
  readonly portion: (exact: number) => number
  /** How many records the step has read so far; a step adds to it. */
  looked: number
}

export function updated(view: CollectionView, key: string, record: JsonObject): Change {
  return { type: 'updated', collection: view.model.name, key, record }
}
