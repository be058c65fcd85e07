import { badRequest, notFound } from '../../../protocol/errors.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { parseRequest } from '../../../protocol/parse-request.ts'
import type { ResponseRule, ResponseRuleKind, ResponseRuleRequest } from '../../../protocol/response-rule.ts'
import { Random } from '../../../runtime/random.ts'
import { uuidFrom } from '../../../runtime/uuid.ts'
import { type FiringConfig, RULE_CONFIGS, RULE_STAGES, type RuleConfig, type RuleStage } from './rule-config.ts'
import { matchesRulePath } from './rule-path.ts'

/** A rule and what it remembers of the requests that it has seen. */
interface KeptRule {
  readonly rule: ResponseRule
  readonly addedAt: number
  matches: number
  firings: number
}

/** A request as rules see it. */
export interface RuleSubject {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The paths under which the API may also be called. */
  readonly basePaths: readonly string[]
}

/** A rule that acts on a request. */
export interface Firing<Kind extends ResponseRuleKind = ResponseRuleKind> {
  readonly kind: Kind
  readonly rule: ResponseRule
  readonly config: RuleConfig<Kind>
  /** How often the rule fired before. */
  readonly number: number
  /** Draws of this firing; they depend on the seed, the rule and the number of the match alone. */
  readonly random: Random
}

/** The rules that act on one request, at most one a stage. */
export type Firings = { readonly [Stage in RuleStage]?: AnyFiring }

/** A firing of some kind, told apart by `kind`. */
export type AnyFiring = { [Kind in ResponseRuleKind]: Firing<Kind> }[ResponseRuleKind]

const NO_FIRINGS: Firings = {}

/** What a rule book remembers; a copy of it can be put back. */
export interface RuleBookState {
  rules: KeptRule[]
  added: number
}

/** The response rules of one simulation. */
export class RuleBook {
  readonly #seed: string
  #rules: KeptRule[] = []
  #added = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** The rules in the order in which they were added. */
  list(): ResponseRule[] {
    return this.#rules.map(({ rule }) => rule)
  }

  /** The rules that show reads older data. */
  staleReads(): { id: string; lagMs: number }[] {
    return this.#rules.flatMap(({ rule: { id, kind, config } }) =>
      kind === 'staleRead' ? [{ id, lagMs: (config as RuleConfig<'staleRead'>).lagMs }] : [],
    )
  }

  /** Throws `invalid_request` for a config that does not fit its kind, `bad_request` past the limit. */
  add(request: ResponseRuleRequest, at: number): ResponseRule {
    if (this.#rules.length >= LIMITS.responseRules) {
      throw badRequest(
        `Expected at most ${LIMITS.responseRules} response rules in a simulation, got one more. Remove one first.`,
      )
    }
    const rule: ResponseRule = {
      ...request,
      id: uuidFrom(this.#seed, 'rule', this.#added),
      method: request.method.toUpperCase(),
      config: parseRequest(RULE_CONFIGS[request.kind], request.config, 'config'),
    }
    this.#added++
    this.#rules = [...this.#rules, { rule, addedAt: at, matches: 0, firings: 0 }]
    return rule
  }

  /** Throws `not_found` when there is no such rule. */
  remove(id: string): void {
    if (!this.#rules.some(({ rule }) => rule.id === id)) throw notFound(`No response rule "${id}" in this simulation.`)
    this.#rules = this.#rules.filter(({ rule }) => rule.id !== id)
  }

  /** Counts the request with every rule that it matches; returns the first that fires of each stage. */
  fire(subject: RuleSubject, at: number): Firings {
    if (this.#rules.length === 0) return NO_FIRINGS
    const firings: { [Stage in RuleStage]?: AnyFiring } = {}
    for (const kept of this.#rules) {
      if (!isMet(kept.rule, subject)) continue
      const stage = RULE_STAGES[kept.rule.kind]
      if (firings[stage] !== undefined) continue
      const firing = this.#fireOne(kept, at)
      if (firing !== undefined) firings[stage] = firing
    }
    return firings
  }

  /** What `fire` does, for a request that the API refuses: only rules that strike before it could matter. */
  fireBeforeKey(subject: RuleSubject, at: number): Firing<'emptyResponse'> | undefined {
    for (const kept of this.#rules) {
      if (kept.rule.config.beforeKey !== true || !isMet(kept.rule, subject)) continue
      const firing = this.#fireOne(kept, at)
      if (firing?.kind === 'emptyResponse') return firing
    }
    return undefined
  }

  dump(): RuleBookState {
    return { rules: this.#rules.map((kept) => ({ ...kept })), added: this.#added }
  }

  load(state: RuleBookState): void {
    this.#rules = state.rules.map((kept) => ({ ...kept }))
    this.#added = state.added
  }

  /** Forgets what the rules have seen; the rules themselves stay, as if added at `at`. */
  restart(at: number): void {
    this.#rules = this.#rules.map(({ rule }) => ({ rule, addedAt: at, matches: 0, firings: 0 }))
  }

  #fireOne(kept: KeptRule, at: number): AnyFiring | undefined {
    const config: FiringConfig = kept.rule.config
    const { skipFirst = 0, times, every = 1, startAfterMs = 0, durationMs, seed = this.#seed } = config
    const begins = kept.addedAt + startAfterMs
    if (at < begins || (durationMs !== undefined && at >= begins + durationMs)) return undefined
    const match = kept.matches++
    if (match < skipFirst || (match - skipFirst + 1) % every !== 0) return undefined
    if (times !== undefined && kept.firings >= times) return undefined
    const random = Random.for(String(seed), kept.rule.id, match)
    if (random.next() >= probabilityAt(config, at - begins)) return undefined
    // The config was parsed by the schema of the rule's kind when the rule was added.
    return {
      kind: kept.rule.kind,
      rule: kept.rule,
      config: kept.rule.config,
      number: kept.firings++,
      random,
    } as AnyFiring
  }
}

const isMet = ({ method, pathPattern }: ResponseRule, subject: RuleSubject): boolean =>
  (method === '*' || method === subject.method) && matchesRulePath(pathPattern, subject.path, subject.basePaths)

/** The probability grows over `rampMs`. */
function probabilityAt({ probability = 1, rampMs = 0 }: FiringConfig, elapsedMs: number): number {
  return rampMs > 0 ? probability * Math.min(1, elapsedMs / rampMs) : probability
}
