import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { CompiledApi } from '../simulated-api/compiled/compiled-api.ts'
import { RateLimiter } from '../simulated-api/rules/rate-limiter.ts'
import { RuleBook } from '../simulated-api/rules/rule-book.ts'
import { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { World } from '../world/world.ts'
import { AccessList, type InitialAccess } from './access-list.ts'
import type { SettingsState } from './delta.ts'
import { KeyRing } from './key-ring.ts'
import { LivingWorld } from './living-world.ts'
import { RequestGate } from './request-gate.ts'
import { StaleReads } from './stale-reads.ts'

/** What a core is a function of, beside its commands. */
export interface CoreOptions {
  readonly api: CompiledApi
  readonly dataset: Dataset
  readonly seed: string
  /** Where its creator chose one: events of two simulations of one description then have different ids. */
  readonly slug?: string | undefined
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly validation: ValidationMode
  /** Whether creating below a parent that does not exist answers 404. */
  readonly strictParents: boolean
  readonly access: InitialAccess
  readonly plan: BehaviourPlan
  /** Counts a request that is let in; false past the account's request limit. */
  readonly countRequest: () => boolean
  /** Whether anybody wants to hear of changes now. @default always */
  readonly isHeard?: () => boolean
}

/** What a core consists of, wired: its data in time, and its settings. */
export class CoreParts {
  readonly living: LivingWorld
  readonly gate: RequestGate
  readonly api: SimulatedApi
  readonly stale: StaleReads
  readonly rules: RuleBook
  readonly limiter = new RateLimiter()
  readonly access: AccessList
  readonly keys = new KeyRing()

  constructor({ dataset, seed, slug, epoch, createdAt, validation, strictParents, ...options }: CoreOptions) {
    const { model } = options.api
    this.living = new LivingWorld({
      model,
      dataset,
      seed,
      slug,
      epoch,
      createdAt,
      onChange: (change, at) => this.stale.follow(change, at),
      onUndo: () => this.stale.restart(),
      isHeard: options.isHeard ?? (() => true),
    })
    const createApi = (world: World): SimulatedApi =>
      new SimulatedApi({ api: options.api, world, seed, validation, strictParents })
    this.api = createApi(this.living.world)
    this.stale = new StaleReads(model, this.living.world, createApi)
    this.rules = new RuleBook(seed)
    this.access = new AccessList(options.access)
    const { countRequest } = options
    this.gate = new RequestGate({
      ...this,
      model,
      isPaused: () => this.living.isPaused,
      countRequest,
    })
    this.living.setPlan(options.plan)
  }

  /** The state beside records and events. */
  settings(): SettingsState {
    return {
      ...this.living.dumpTime(),
      rules: this.rules.dump(),
      limits: this.limiter.dump(),
      access: this.access.read(),
      keys: this.keys.dump(),
      idempotency: this.api.dump(),
    }
  }

  /** Goes on from what `settings` gave. */
  loadSettings(state: SettingsState): void {
    this.living.loadTime(state)
    this.loadRequests(state)
    this.access.change(state.access)
    this.keys.load(state.keys)
  }

  /** The part of {@link CoreParts.loadSettings} that concerns requests. */
  loadRequests({ rules, limits, idempotency }: SettingsState): void {
    this.rules.load(rules)
    this.watchStale()
    this.limiter.load(limits)
    this.api.load(idempotency)
  }

  /** What was remembered of requests belongs to the data that they met. */
  forgetRequests(): void {
    this.api.reset()
    this.limiter.clear()
    this.stale.restart()
  }

  /** To be called when the response rules have changed. */
  watchStale(): void {
    this.stale.watch(this.rules.staleReads())
  }
}
