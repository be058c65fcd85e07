import type { Effect, Reason } from '../../model.ts'
import type { Placed } from '../paths/sites.ts'
import { callRules } from './call-rules.ts'
import { callerRules } from './caller-rules.ts'
import { collectionRules } from './collection-rules.ts'
import { generalRules } from './general-rules.ts'
import { itemRules } from './item-rules.ts'
import { readRules } from './read-rules.ts'
import { requestRules } from './request-rules.ts'
import { type Case, EXAMPLE, type Rule, type Survey, toCase } from './rule.ts'
import { searchRules, verbRules } from './verb-rules.ts'
import { writeRules } from './write-rules.ts'

/** The rules by which the effect of an operation is found, read top down: the first that applies decides. */
export const RULES: readonly Rule[] = [
  ...generalRules,
  ...callRules,
  ...itemRules,
  ...searchRules,
  ...collectionRules,
  ...callerRules,
  ...readRules,
  ...verbRules,
  ...writeRules,
]

/** Rules about what the request names. They come first where the path leaves the effect unsure. */
export const REQUEST_RULES: readonly Rule[] = requestRules

/** Finds the effects of operations by the rules, except those with a name in `leftOut`. */
export class EffectFinder {
  readonly #survey: Survey
  readonly #rules: readonly Rule[]
  readonly #requestRules: readonly Rule[]

  constructor(survey: Survey, leftOut: ReadonlySet<string>) {
    const isUsed = ({ name }: Rule): boolean => !leftOut.has(name)
    this.#survey = survey
    this.#rules = RULES.filter(isUsed)
    this.#requestRules = REQUEST_RULES.filter(isUsed)
  }

  /** The effect of an operation on the data, and the rule that found it. */
  find(placed: Placed): { readonly effect: Effect; readonly reason: Reason } {
    const operation = toCase(placed, this.#survey)
    const { method } = operation.draft
    if (method === 'OPTIONS' || method === 'TRACE') return UNKNOWN
    const found = this.#firstOf(this.#rules, operation) ?? UNKNOWN
    const isUnsure = found === UNKNOWN || (found.effect.kind === 'action' && found.effect.keys.length === 0)
    const other =
      isUnsure || isOnlyRead(operation, found.effect, this.#survey)
        ? this.#firstOf(this.#requestRules, operation)
        : undefined
    const best = other && !(found.effect.kind === 'action' && found.effect.many) ? other : found
    return method === 'GET' && isWrite(best.effect) ? UNKNOWN : best
  }

  #firstOf(rules: readonly Rule[], operation: Case): { effect: Effect; reason: Reason } | undefined {
    for (const { name, confidence, find } of rules) {
      const effect = find(operation, this.#survey)
      if (effect) return { effect, reason: { rule: name, confidence } }
    }
    return undefined
  }
}

/** An operation for which there is no rule. */
const UNKNOWN: { readonly effect: Effect; readonly reason: Reason } = {
  effect: EXAMPLE,
  reason: { rule: 'none', confidence: 'example' },
}

/** Whether an effect changes records, which GET does not do (RFC 9110, section 9.2.1): a form is at `GET /clients/create`. */
function isWrite(effect: Effect): boolean {
  if (effect.kind === 'action')
    return effect.toStatus !== undefined || effect.sets.length > 0 || effect.makes !== undefined
  return !READS.has(effect.kind)
}

const READS: ReadonlySet<Effect['kind']> = new Set([
  'list',
  'search',
  'read',
  'singletonRead',
  'token',
  'example',
  'computed',
])

/** Whether a document is only read, and below no record: then it may belong to a record that the request names. */
const isOnlyRead = ({ draft, shape, site }: Case, { kind }: Effect, { surroundings }: Survey): boolean =>
  kind === 'singletonRead' && draft.method === 'GET' && site?.own.size === 1 && !surroundings.enclosing(shape.steps)
