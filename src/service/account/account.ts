import { ApiError } from '../../protocol/errors.ts'
import type { Usage } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import { monthEnd } from '../../runtime/date-text.ts'
import type { ParsedAccountOptions } from './account-options.ts'

/** A tenant: what it may use, and what it has used. */
export class Account {
  readonly name: string
  readonly plan: ParsedAccountOptions['plan']
  readonly isSuspended: boolean
  readonly #subscription: string
  readonly #clock: Clock
  #creditUsd: number
  #simulations = 0
  #monthEndsAt = 0
  #requests = 0

  constructor(options: ParsedAccountOptions, clock: Clock) {
    this.name = options.name
    this.plan = options.plan
    this.isSuspended = options.suspended
    this.#subscription = options.subscription
    this.#creditUsd = options.creditUsd
    this.#clock = clock
  }

  get hasSubscription(): boolean {
    return this.#subscription === 'active'
  }

  /**
   * Takes one of the plan's places for a simulation. Call the returned function to give it back.
   *
   * @throws {@link ApiError} `plan_limit` when all are taken.
   */
  reserveSimulation(): () => void {
    const { simulationLimit, name } = this.plan
    if (this.#simulations >= simulationLimit) {
      throw new ApiError(
        402,
        'plan_limit',
        `Failed to create the simulation: the plan "${name}" allows ${simulationLimit} simulations and ` +
          `${this.#simulations} exist. Delete one first.`,
      )
    }
    this.#simulations++
    let held = true
    return () => {
      if (held) this.#simulations--
      held = false
    }
  }

  /**
   * Takes the price of `records` generated records from the credit.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is taken then.
   */
  charge(records: number): void {
    const priceUsd = records * this.plan.pricePerRecordUsd
    this.#take(priceUsd, `Failed to generate ${records} records: they cost`, 'Ask for fewer with `volume`.')
  }

  /**
   * Takes the price of a language model's proposal from the credit.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is taken then.
   */
  chargeProposal(): void {
    const next = 'Send `useModel: false` to do without.'
    this.#take(this.plan.pricePerProposalUsd, 'Failed to use the language model: a proposal costs', next)
  }

  /** Whether this month's limit of requests to simulated APIs is reached. */
  get isOverRequestLimit(): boolean {
    this.#turnMonth()
    return this.#requests >= this.plan.requestLimit
  }

  /** Counts a request to a simulated API. */
  countRequest(): void {
    this.#turnMonth()
    this.#requests++
  }

  usage(): Usage {
    this.#turnMonth()
    return {
      plan: this.plan.name,
      status: this.#subscription,
      creditUsd: this.#creditUsd,
      requestsThisMonth: this.#requests,
      requestLimit: this.plan.requestLimit,
      simulations: this.#simulations,
      simulationLimit: this.plan.simulationLimit,
    }
  }

  #take(priceUsd: number, failure: string, next: string): void {
    if (priceUsd > this.#creditUsd) {
      const message = `${failure} ${dollars(priceUsd)} and the credit is ${dollars(this.#creditUsd)}. ${next}`
      throw new ApiError(402, 'no_credit', message)
    }
    this.#creditUsd -= priceUsd
  }

  /** Starts a new count when the calendar month (UTC) is over. */
  #turnMonth(): void {
    const now = this.#clock.now()
    if (now < this.#monthEndsAt) return
    this.#monthEndsAt = monthEnd(now)
    this.#requests = 0
  }
}

const dollars = (amount: number): string => `$${amount.toFixed(4).replace(/(\.\d\d)0+$/, '$1')}`
