import type { NewBehaviourRule } from '../../protocol/behaviour.ts'
import { derivePlan } from '../behaviour/derive-plan.ts'
import { type ParsedPlan, parsePlan } from '../behaviour/parse-plan.ts'
import type { ApiModel } from '../openapi/model.ts'
import { CompiledApi } from '../simulated-api/compiled/compiled-api.ts'

/** A description as simulations are made of it. Made once, and shared by all simulations of the description. */
export class Blueprint {
  readonly model: ApiModel
  readonly api: CompiledApi
  readonly #parsed = new WeakMap<readonly NewBehaviourRule[], ParsedPlan>()
  #derived: readonly NewBehaviourRule[] | undefined

  constructor(model: ApiModel) {
    this.model = model
    this.api = new CompiledApi(model)
  }

  /** The plan that a simulation begins with: the given rules, or, where none are given, rules derived from the model. */
  startingPlan(rules: readonly NewBehaviourRule[] = this.#derivedRules(), effects: readonly string[] = []): ParsedPlan {
    const plan = this.#parsed.get(rules) ?? parsePlan([...rules], this.model, effects)
    this.#parsed.set(rules, plan)
    return plan
  }

  #derivedRules(): readonly NewBehaviourRule[] {
    this.#derived ??= derivePlan(this.model)
    return this.#derived
  }
}
