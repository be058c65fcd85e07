import { didYouMean } from '../../names/nearest-name.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ParsedRuleRequest, ResponseRule, RuleReplacement } from '../../protocol/response-rule.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { RunningCore } from './running/running-core.ts'

/** The owner's access to response rules. Replacing or removing a rule releases its delayed answers. */
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

  /** Throws like {@link add}, and `not_found` for an unknown rule. */
  replace(id: string, rule: RuleReplacement): ResponseRule {
    const replaced = this.#set(rule, id)
    this.#running.holds.release()
    return replaced
  }

  /** Throws `not_found` for an unknown rule. */
  remove(id: string): void {
    this.#running.execute({ kind: 'remove-rule', id })
    this.#running.holds.release()
  }

  #set(rule: ParsedRuleRequest | RuleReplacement, id?: string): ResponseRule {
    if (rule.operation !== undefined) checkOperationId(this.#running.core.world.model, rule.operation)
    return this.#running.execute({ kind: 'set-rule', rule, ...(id !== undefined && { id }) })
  }
}

/** Throws `bad_request`, with the most similar id, for an unknown operation id. */
export function checkOperationId({ operations }: ApiModel, name: string): void {
  if (operations.some(({ id }) => id === name)) return
  const shown = name.slice(0, 200)
  const nearest = operations.find(({ method, path }) => `${method} ${path}` === name)?.id
  const hint =
    nearest === undefined
      ? didYouMean(
          shown,
          operations.map(({ id }) => id),
        )
      : ` Did you mean "${nearest}"?`
  throw badRequest(`Expected \`operation\` to be an operation of this API, got ${JSON.stringify(shown)}.${hint}`)
}
