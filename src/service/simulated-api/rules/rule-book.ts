import { badRequest, notFound } from '../../../protocol/errors.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { parseRequest } from '../../../protocol/parse-request.ts'
import type { LatencyConfig, ResponseRule, ResponseRuleRequest } from '../../../protocol/response-rule.ts'
import { Random } from '../../../runtime/random.ts'
import { uuidFrom } from '../../../runtime/uuid.ts'
import { type FiringConfig, RULE_CONFIGS } from './rule-config.ts'
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

/** What the rules do to one request. */
export interface Firing {
  /** The rule that fired, for the log and the `Backlot-Rule` header. */
  readonly rule: ResponseRule
  readonly delayMs: number
}

/** What a rule book remembers; a copy of it can be put back. */
export interface RuleBookState {
  rules: KeptRule[]
  added: number
}

/** The response rules of one simulation. Draws depend on the seed, the rule and the number of the match alone. */
export class RuleBook {
  readonly #seed: string
  #rules: KeptRule[] = []
  #added = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** The rules in the order in which they were added; the first match of a stage wins. */
  list(): ResponseRule[] {
    return this.#rules.map(({ rule }) => rule)
  }

  /** Throws `invalid_request` for a config that does not fit its kind, `bad_request` past the limit or for another kind. */
  add(request: ResponseRuleRequest, at: number): ResponseRule {
    if (this.#rules.length >= LIMITS.responseRules) {
      throw badRequest(`Expected at most ${LIMITS.responseRules} response rules in a simulation. Remove one first.`)
    }
    if (!Object.hasOwn(RULE_CONFIGS, request.kind)) {
      const offered = Object.keys(RULE_CONFIGS)
        .map((kind) => `\`${kind}\``)
        .join(', ')
      throw badRequest(
        `Failed to add rule "${request.name}": this service does not offer rules of kind \`${request.kind}\`. Use ${offered}.`,
      )
    }
    const schema = RULE_CONFIGS[request.kind as keyof typeof RULE_CONFIGS]
    const rule: ResponseRule = {
      ...request,
      id: uuidFrom(this.#seed, 'rule', this.#added++),
      method: request.method.toUpperCase(),
      config: parseRequest(schema, request.config, 'config'),
    }
    this.#rules = [...this.#rules, { rule, addedAt: at, matches: 0, firings: 0 }]
    return rule
  }

  /** Throws `not_found` when there is no such rule. */
  remove(id: string): void {
    if (!this.#rules.some(({ rule }) => rule.id === id)) throw notFound(`No response rule "${id}" in this simulation.`)
    this.#rules = this.#rules.filter(({ rule }) => rule.id !== id)
  }

  /** Counts the request with every rule that it matches, and returns what the first one that fires does to it. */
  fire(subject: RuleSubject, at: number): Firing | undefined {
    let firing: Firing | undefined
    for (const kept of this.#rules) {
      if (!matches(kept.rule, subject) || !this.#fires(kept, at)) continue
      firing ??= { rule: kept.rule, delayMs: this.#delayOf(kept) }
    }
    return firing
  }

  dump(): RuleBookState {
    return { rules: this.#rules.map((kept) => ({ ...kept })), added: this.#added }
  }

  load(state: RuleBookState): void {
    this.#rules = state.rules.map((kept) => ({ ...kept }))
    this.#added = Math.max(this.#added, state.added)
  }

  /** Forgets what the rules have seen; the rules themselves stay, as if added at `at`. */
  restart(at: number): void {
    this.#rules = this.#rules.map(({ rule }) => ({ rule, addedAt: at, matches: 0, firings: 0 }))
  }

  #fires(kept: KeptRule, at: number): boolean {
    const {
      probability = 1,
      skipFirst = 0,
      times,
      every = 1,
      startAfterMs = 0,
      durationMs,
    }: FiringConfig = kept.rule.config
    const begins = kept.addedAt + startAfterMs
    if (at < begins || (durationMs !== undefined && at >= begins + durationMs)) return false
    const match = kept.matches++
    if (match < skipFirst || (match - skipFirst) % every !== 0) return false
    if (times !== undefined && kept.firings >= times) return false
    if (probability < 1 && this.#random(kept, match).next() >= probability) return false
    kept.firings++
    return true
  }

  #delayOf(kept: KeptRule): number {
    const { latencyMs, latencyJitterMs } = kept.rule.config as LatencyConfig
    if (latencyJitterMs === 0) return latencyMs
    const random = this.#random(kept, kept.matches)
    return Math.max(0, latencyMs + random.integer(-latencyJitterMs, latencyJitterMs))
  }

  #random(kept: KeptRule, match: number): Random {
    return Random.for(this.#seed, kept.rule.id, match)
  }
}

function matches(rule: ResponseRule, subject: RuleSubject): boolean {
  if (rule.method !== '*' && rule.method !== subject.method) return false
  return matchesRulePath(rule.pathPattern, subject.path, subject.basePaths)
}
