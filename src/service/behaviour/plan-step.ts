import type { BehaviourStep } from '../../protocol/behaviour.ts'
import type { Change } from '../world/change.ts'
import { planCreates } from './plan-creates.ts'
import { planDeletes } from './plan-deletes.ts'
import { planExpiries, planIncrements, planRelates, planTouches, planTransitions, planUpdates } from './plan-updates.ts'
import type { StepContext } from './step-context.ts'

/** The changes that one run of a step makes. */
export function planStep(step: BehaviourStep, context: StepContext): Change[] {
  switch (step.kind) {
    case 'create':
      return planCreates(step, context)
    case 'update':
      return planUpdates(step, context)
    case 'transition':
      return planTransitions(step, context)
    case 'increment':
      return planIncrements(step, context)
    case 'expire':
      return planExpiries(step, context)
    case 'touch':
      return planTouches(step, context)
    case 'relate':
      return planRelates(step, context)
    case 'delete':
      return planDeletes(step, context)
  }
}
