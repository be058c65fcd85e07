import type { NewBehaviourRule } from '../../protocol/behaviour.ts'
import type { ApiModel } from '../openapi/model.ts'
import { derivePlan } from './derive-plan.ts'
import { type ParsedPlan, parsePlan } from './parse-plan.ts'

const derived = new WeakMap<ApiModel, readonly NewBehaviourRule[]>()
const parsed = new WeakMap<ApiModel, WeakMap<readonly NewBehaviourRule[], ParsedPlan>>()

/**
 * The plan that a simulation of `model` begins with: its rules, or where it brings none those that are derived. Parsed once
 * and shared by all simulations that begin alike; neither rules nor plan are ever changed.
 */
export function startingPlan(model: ApiModel, rules: readonly NewBehaviourRule[] = derivedRules(model)): ParsedPlan {
  const known = parsed.get(model) ?? new WeakMap<readonly NewBehaviourRule[], ParsedPlan>()
  const plan = known.get(rules) ?? parsePlan([...rules], model)
  parsed.set(model, known.set(rules, plan))
  return plan
}

function derivedRules(model: ApiModel): readonly NewBehaviourRule[] {
  const rules = derived.get(model) ?? derivePlan(model)
  derived.set(model, rules)
  return rules
}
