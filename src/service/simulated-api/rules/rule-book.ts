import { badRequest, notFound } from '../../../protocol/errors.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { parseRequest } from '../../../protocol/parse-request.ts'
import { type PathPattern, toPathPattern } from '../../../protocol/path-pattern.ts'
import type { Prompt, ReplyContent, TextPattern } from '../../../protocol/reply.ts'
import type {
  ParsedRuleRequest,
  ResponseRule,
  ResponseRuleKind,
  RuleReplacement,
} from '../../../protocol/response-rule.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { Random } from '../../../runtime/random.ts'
import { uuidFrom } from '../../../runtime/uuid.ts'
import type { JournaledMap } from '../../world/journaled-map.ts'
import type { AskedReply, ScriptBook } from '../replies/replies.ts'
import { type PromptTest, promptTest } from './reply-config.ts'
import { type FiringConfig, RULE_STAGES, type RuleConfig, type RuleStage, ruleConfigs } from './rule-config.ts'
import type { RuleSubject } from './rule-subject.ts'

export interface AddedRule {
  readonly rule: ResponseRule
  /** World time, milliseconds. */
  readonly addedAt: number
}

export interface RuleCounter {
  readonly matches: number
  readonly firings: number
  /** World time of the latest firing, milliseconds. */
  readonly lastFiredAt?: number
  /** Name of an earlier rule that acted on a matching request. */
  readonly hiddenBy?: string
}

/** The stored state of the rules, by their ids. */
export interface RuleBookState {
  readonly rules: JournaledMap<AddedRule>
  readonly ruleCounters: JournaledMap<RuleCounter>
  readonly rateLimits: Pick<JournaledMap<unknown>, 'begin' | 'keep' | 'undo'>
  /** `rules`: number of rules ever added. */
  readonly totals: JournaledMap<number>
}

/** A rule with a parsed pattern. */
interface ReadRule extends AddedRule {
  readonly pattern: PathPattern
}

interface RulesAtRevision {
  readonly revision: number
  readonly rules: readonly ReadRule[]
  /** Scripts of language models: those with conditions, oldest first, then the queue. */
  readonly scripts: readonly (AddedRule & { readonly test: PromptTest })[]
}

export interface Firing<Kind extends ResponseRuleKind = ResponseRuleKind> {
  readonly kind: Kind
  readonly rule: ResponseRule
  readonly config: RuleConfig<Kind>
  /** Number of earlier firings. */
  readonly number: number
  /** Random draws of this firing; they depend only on the seed, the rule and the number of the match. */
  readonly random: Random
}

/** The rules that fire on one request, at most one per stage. */
export type Firings = { readonly [Stage in RuleStage]?: AnyFiring }

/** A firing of any kind, distinguished by `kind`. */
export type AnyFiring = { [Kind in ResponseRuleKind]: Firing<Kind> }[ResponseRuleKind]

/** The response rules of one simulation. */
export class RuleBook implements ScriptBook {
  readonly #seed: string
  readonly #state: RuleBookState
  /** The rules with parsed patterns, at a revision. */
  #read: RulesAtRevision = { revision: -1, rules: [], scripts: [] }
  /** The counters of rules: the only state that a request changes before its operation. */
  readonly counts: readonly RuleBookState['rateLimits'][]

  constructor(seed: string, state: RuleBookState) {
    this.#seed = seed
    this.#state = state
    this.counts = [state.ruleCounters, state.rateLimits]
  }

  get isEmpty(): boolean {
    return this.#state.rules.size === 0
  }

  /** Changes when a rule is added or removed. */
  get revision(): number {
    return this.#state.rules.revision
  }

  /** The rules in order of addition, with their number of firings. */
  list(): ResponseRule[] {
    return [...this.#state.rules.values()].map(({ rule }) => this.#shown(rule))
  }

  /** The rules that give reads older data. */
  staleReads(): { id: string; lagMs: number }[] {
    return this.list().flatMap(({ id, kind, config, enabled }) =>
      kind === 'staleRead' && enabled !== false ? [{ id, lagMs: (config as RuleConfig<'staleRead'>).lagMs }] : [],
    )
  }

  /**
   * Adds a rule, or replaces the one with this `id`. Throws `invalid_request` for a config that does not fit its kind,
   * `bad_request` beyond the limit, `not_found` for an unknown id.
   */
  set(request: ParsedRuleRequest | RuleReplacement, at: number, id?: string): ResponseRule {
    return id === undefined ? this.#add(request, at) : this.#replace(id, request, at)
  }

  #add(request: ParsedRuleRequest, at: number): ResponseRule {
    const { rules, totals } = this.#state
    if (rules.size >= LIMITS.responseRules) {
      throw badRequest(
        `Expected at most ${LIMITS.responseRules} response rules in a simulation, got one more. Remove one first.`,
      )
    }
    const added = totals.get('rules') ?? 0
    const rule = parseRule(request, uuidFrom(this.#seed, 'rule', added))
    totals.set('rules', added + 1)
    rules.set(rule.id, { rule, addedAt: at })
    return this.#shown(rule)
  }

  /** The rule keeps its place. A change of name or `enabled` keeps its counters; any other change resets them. */
  #replace(id: string, request: ParsedRuleRequest | RuleReplacement, at: number): ResponseRule {
    const { rules, ruleCounters } = this.#state
    const before = rules.get(id)
    if (before === undefined) throw noRule(id)
    const rule = parseRule(request, id)
    const isSame = actsAlike(rule, before.rule)
    if (!isSame) ruleCounters.delete(id)
    rules.set(id, { rule, addedAt: isSame ? before.addedAt : at })
    return this.#shown(rule)
  }

  /** Throws `not_found` for an unknown rule. */
  remove(id: string): void {
    if (!this.#state.rules.delete(id)) throw noRule(id)
    this.#state.ruleCounters.delete(id)
  }

  /** Counts the request with the matching rules; returns the first firing rule of each stage, or undefined. */
  fire(subject: RuleSubject, at: number): Firings | undefined {
    let firings: { [Stage in RuleStage]?: AnyFiring } | undefined
    for (const kept of this.#rules.rules) {
      if (!subject.fits(kept.rule, kept.pattern)) continue
      const stage = RULE_STAGES[kept.rule.kind]
      const earlier = firings?.[stage]
      if (earlier !== undefined) {
        this.#noteHidden(kept.rule.id, earlier.rule.name)
        continue
      }
      const firing = this.#fireOne(kept, at)
      if (firing !== undefined) firings = { ...firings, [stage]: firing }
    }
    return firings
  }

  /** `fire` for a request that the API refuses: only rules that act earlier. */
  fireBeforeKey(subject: RuleSubject, at: number): Firing<'emptyResponse'> | undefined {
    for (const kept of this.#rules.rules) {
      if (kept.rule.config.beforeKey !== true || !subject.fits(kept.rule, kept.pattern)) continue
      const firing = this.#fireOne(kept, at)
      if (firing?.kind === 'emptyResponse') return firing
    }
    return undefined
  }

  takeReply({ prompt, body, isEmbedding = false, textless }: AskedReply, at: number): ReplyContent | undefined {
    for (const script of this.#rules.scripts) {
      const { embedding, error, set, text } = script.rule.config
      const isForIt = textless
        ? text === undefined && (error ?? set) !== undefined
        : (embedding !== undefined) === isEmbedding
      if (!isForIt || script.test(prompt, body).length > 0) continue
      const firing = this.#fireOne(script, at)
      if (firing?.kind === 'reply') return firing.config
    }
    return undefined
  }

  nearestReply(prompt: Prompt): string | undefined {
    const conditional = this.#rules.scripts.filter((script) => !isQueued(script))
    const [nearest] = conditional
      .map(({ rule, test }) => ({ rule, unmet: test(prompt) }))
      .toSorted((left, right) => left.unmet.length - right.unmet.length)
    if (nearest === undefined) return undefined
    const { rule, unmet } = nearest
    const differs = unmet.length === 0 ? 'was taken as often as it may be' : `differs in ${unmet.join(', ')}`
    return `{ when: { ${showConditions(rule.config.when ?? {})} } } ${differs}   ${rule.name.replace('reply ', '')}`
  }

  get takenReplies(): number {
    const { ruleCounters } = this.#state
    return this.#rules.scripts.reduce((sum, { rule }) => sum + (ruleCounters.get(rule.id)?.firings ?? 0), 0)
  }

  /** Resets the counters of the rules, as if added at `at`. */
  restart(at: number): void {
    const { rules, ruleCounters } = this.#state
    for (const { rule } of [...rules.values()]) rules.set(rule.id, { rule, addedAt: at })
    ruleCounters.clear()
  }

  #shown(rule: ResponseRule): ResponseRule {
    const { firings, lastFiredAt, hiddenBy } = this.#state.ruleCounters.get(rule.id) ?? NEVER_SEEN
    return {
      ...rule,
      firings,
      ...(lastFiredAt !== undefined && { lastFiredAt: toIso(lastFiredAt) }),
      ...(firings === 0 && hiddenBy !== undefined && { hiddenBy }),
    }
  }

  get #rules(): RulesAtRevision {
    const { rules } = this.#state
    if (this.#read.revision !== rules.revision) {
      const acting = [...rules.values()].filter(({ rule }) => rule.enabled !== false)
      const read = acting
        .filter(({ rule }) => rule.kind !== 'reply')
        .map((added) => ({ ...added, pattern: toPathPattern(added.rule.pathPattern) }))
      const scripts = acting
        .filter(({ rule }) => rule.kind === 'reply')
        .map((added) => ({ ...added, test: promptTest(added.rule.config) }))
        .toSorted((left, right) => Number(isQueued(left)) - Number(isQueued(right)))
      this.#read = { revision: rules.revision, rules: read, scripts }
    }
    return this.#read
  }

  /** Once, for a rule that has not acted: it explains why. */
  #noteHidden(id: string, hiddenBy: string): void {
    const counter = this.#state.ruleCounters.get(id) ?? NEVER_SEEN
    if (counter.firings === 0 && counter.hiddenBy === undefined)
      this.#state.ruleCounters.set(id, { ...counter, hiddenBy })
  }

  #fireOne({ rule, addedAt }: AddedRule, at: number): AnyFiring | undefined {
    const config: FiringConfig = rule.config
    const {
      skipFirst = 0,
      times = isQueued({ rule }) ? 1 : undefined,
      every = 1,
      startAfterMs = 0,
      durationMs,
      seed = this.#seed,
    } = config
    const begins = addedAt + startAfterMs
    if (at < begins || (durationMs !== undefined && at >= begins + durationMs)) return undefined
    const seen = this.#state.ruleCounters.get(rule.id) ?? NEVER_SEEN
    const { matches: match, firings } = seen
    const random = Random.for(String(seed), rule.id, match)
    const isFiring =
      match >= skipFirst &&
      (match - skipFirst + 1) % every === 0 &&
      (times === undefined || firings < times) &&
      random.next() < probabilityAt(config, at - begins)
    const fired = isFiring ? { firings: firings + 1, lastFiredAt: at } : {}
    this.#state.ruleCounters.set(rule.id, { ...seen, matches: match + 1, ...fired })
    if (!isFiring) return undefined
    // The config was parsed by its kind's schema when the rule was added.
    return { kind: rule.kind, rule, config: rule.config, number: firings, random } as AnyFiring
  }
}

/** Whether a script waits in the queue: without conditions it answers once. */
const isQueued = ({ rule: { kind, config } }: Pick<AddedRule, 'rule'>): boolean =>
  kind === 'reply' && Object.keys(config.when ?? {}).length === 0

/** Conditions as a test writes them. */
const showConditions = (when: object): string =>
  Object.entries(when)
    .map(
      ([name, value]) =>
        `${name}: ${isPattern(value) ? `/${value.matches}/${value.flags ?? ''}` : JSON.stringify(value)}`,
    )
    .join(', ')

const isPattern = (value: unknown): value is TextPattern =>
  typeof value === 'object' && value !== null && 'matches' in value

const NEVER_SEEN: RuleCounter = { matches: 0, firings: 0 }

function parseRule(request: ParsedRuleRequest | RuleReplacement, id: string): ResponseRule {
  const { enabled, ...rule } = { enabled: true, ...request }
  return {
    ...rule,
    id,
    method: request.method.toUpperCase(),
    config: parseRequest(ruleConfigs()[request.kind], request.config, 'config'),
    ...(!enabled && { enabled }),
  }
}

/** Whether two rules have the same effect on the same requests. */
function actsAlike(left: ResponseRule, right: ResponseRule): boolean {
  const [one, other] = [left, right].map(({ kind, method, pathPattern, operation, when, config }) =>
    JSON.stringify([kind, method, pathPattern, operation, when, config]),
  )
  return one === other
}

const noRule = (id: string): Error => notFound(`No response rule "${id}" in this simulation.`)

/** The probability grows over `rampMs`. */
function probabilityAt({ probability = 1, rampMs = 0 }: FiringConfig, elapsedMs: number): number {
  return rampMs > 0 ? probability * Math.min(1, elapsedMs / rampMs) : probability
}
