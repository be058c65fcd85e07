import type { ParsedRuleRequest, ResponseRule, RuleReplacement } from '../../protocol/response-rule.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Holds } from './holds.ts'
import { checkOperationId } from './operation-id.ts'
import type { RunningCore } from './running-core.ts'

/** The response rules of a simulation, as its owner reads and sets them. */
export class OwnerRules {
  readonly #model: ApiModel
  readonly #running: RunningCore
  readonly #holds: Holds

  /** @param holds answers that rules hold back: they leave when a rule is replaced or removed */
  constructor(model: ApiModel, running: RunningCore, holds: Holds) {
    this.#model = model
    this.#running = running
    this.#holds = holds
  }

  list(): ResponseRule[] {
    return this.#running.core.rules.list()
  }

  /** Throws `invalid_request` for a config that does not fit its kind, `bad_request` for an unknown operation. */
  add(rule: ParsedRuleRequest): ResponseRule {
    return this.#set(rule)
  }

  /** Throws what {@link add} throws, and `not_found` when there is no such rule. */
  replace(id: string, rule: RuleReplacement): ResponseRule {
    const replaced = this.#set(rule, id)
    this.#holds.release()
    return replaced
  }

  /** Throws `not_found` when there is no such rule. */
  remove(id: string): void {
    this.#running.execute({ kind: 'remove-rule', at: this.#running.now(), id })
    this.#holds.release()
  }

  #set(rule: ParsedRuleRequest | RuleReplacement, id?: string): ResponseRule {
    if (rule.operation !== undefined) checkOperationId(this.#model, rule.operation)
    return this.#running.execute({ kind: 'set-rule', at: this.#running.now(), rule, ...(id !== undefined && { id }) })
  }
}
