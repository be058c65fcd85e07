import type { ParsedRuleRequest, ResponseRule, RuleReplacement } from '../../protocol/response-rule.ts'
import { checkOperationId } from './operation-id.ts'
import type { RunningCore } from './running-core.ts'

/** The response rules of a simulation, as its owner reads and sets them. What they hold back leaves when one is replaced or removed. */
export class OwnerRules {
  readonly #running: RunningCore

  constructor(running: RunningCore) {
    this.#running = running
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
    this.#running.holds.release()
    return replaced
  }

  /** Throws `not_found` when there is no such rule. */
  remove(id: string): void {
    this.#running.execute({ kind: 'remove-rule', id })
    this.#running.holds.release()
  }

  #set(rule: ParsedRuleRequest | RuleReplacement, id?: string): ResponseRule {
    if (rule.operation !== undefined) checkOperationId(this.#running.core.world.model, rule.operation)
    return this.#running.execute({ kind: 'set-rule', rule, ...(id !== undefined && { id }) })
  }
}
