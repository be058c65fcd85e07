import { ApiError } from '../../protocol/errors.ts'
import type { Usage } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import { monthEnd, monthOf } from '../../runtime/date-text.ts'
import type { AccountTerms } from './account-options.ts'

/** A tenant: its limits and its usage. */
export class Account {
  readonly name: string
  terms: AccountTerms
  readonly #clock: Clock
  creditUsd: number
  #simulations = 0
  #monthEndsAt = 0
  #month = ''
  #requests = 0
  /** Requests that are not in the store yet. */
  #unsaved = 0
  /** Requests that this process answered with a warning. */
  warned = 0

  constructor(name: string, state: { readonly terms: AccountTerms; readonly creditUsd: number }, clock: Clock) {
    this.name = name
    this.terms = state.terms
    this.creditUsd = state.creditUsd
    this.#clock = clock
  }

  get plan(): AccountTerms['plan'] {
    return this.terms.plan
  }

  get pages(): boolean | undefined {
    return this.terms.pages
  }

  /** Updates terms and credit from a store. */
  note({ terms, creditUsd }: { readonly terms: AccountTerms; readonly creditUsd: number }): void {
    this.terms = terms
    this.creditUsd = creditUsd
  }

  /**
   * Reserves one of the plan's places for a simulation. Call the returned function to release it.
   *
   * @throws {@link ApiError} `plan_limit` when no place is free.
   */
  reserveSimulation(): () => void {
    if (this.#simulations >= this.plan.simulationLimit) {
      throw this.noPlace(this.#simulations)
    }
    this.#simulations++
    let isReserved = true
    return () => {
      if (isReserved) this.#simulations--
      isReserved = false
    }
  }

  /** The error of a creation without a free place. @param existing simulations of the account */
  noPlace(existing: number): ApiError {
    const { simulationLimit, name } = this.plan
    return new ApiError(
      402,
      'plan_limit',
      `Failed to create the simulation: the plan "${name}" allows ${simulationLimit} simulations and ` +
        `${existing} exist. Delete one first.`,
    )
  }

  /**
   * Subtracts the price of `records` generated records from the credit. Call the returned function to refund it.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is subtracted then.
   */
  charge(records: number): () => void {
    const priceUsd = this.priceOf(records)
    if (priceUsd > this.creditUsd) throw this.noCredit(records)
    this.creditUsd -= priceUsd
    return () => {
      this.creditUsd += priceUsd
    }
  }

  /** The price of `records` generated records, in US dollars. */
  priceOf(records: number): number {
    return records * this.plan.pricePerRecordUsd
  }

  /** The error of a creation whose generated records exceed the credit. */
  noCredit(records: number): ApiError {
    const failure = `Failed to generate ${records} records: they cost`
    return this.#tooLittle(this.priceOf(records), failure, 'Ask for fewer with `volume`.')
  }

  /**
   * Subtracts the price of a language model's proposal from the credit.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is subtracted then.
   */
  chargeProposal(): void {
    const priceUsd = this.plan.pricePerProposalUsd
    if (priceUsd > this.creditUsd) throw this.noCreditForProposal()
    this.creditUsd -= priceUsd
  }

  noCreditForProposal(): ApiError {
    const failure = 'Failed to use the language model: a proposal costs'
    return this.#tooLittle(this.plan.pricePerProposalUsd, failure, 'Send `useModel: false` to do without.')
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
    this.#unsaved++
  }

  countWarned(): void {
    this.warned++
  }

  /** Whether there are requests that are not in the store yet. */
  get hasCounted(): boolean {
    return this.#unsaved > 0
  }

  /** Takes the requests counted since the last call, to add them to the store. */
  takeCounted(): { readonly month: string; readonly requests: number } {
    this.#turnMonth()
    const requests = this.#unsaved
    this.#unsaved = 0
    return { month: this.#month, requests }
  }

  /** Updates a month's total of all nodes from a store. */
  noteTotal(month: string, requests: number): void {
    this.#turnMonth()
    if (month === this.#month) this.#requests = requests + this.#unsaved
  }

  /** @param simulations their number from a store, if there is one */
  usage(simulations: number = this.#simulations): Usage {
    this.#turnMonth()
    return {
      plan: this.plan.name,
      status: this.terms.subscription,
      creditUsd: this.creditUsd,
      requestsThisMonth: this.#requests,
      requestLimit: this.plan.requestLimit,
      simulations,
      simulationLimit: this.plan.simulationLimit,
    }
  }

  #tooLittle(priceUsd: number, failure: string, next: string): ApiError {
    const message = `${failure} ${dollars(priceUsd)} and the credit is ${dollars(this.creditUsd)}. ${next}`
    return new ApiError(402, 'no_credit', message)
  }

  /** Starts a new count when the calendar month (UTC) is over. */
  #turnMonth(): void {
    const now = this.#clock.now()
    if (now < this.#monthEndsAt) return
    this.#monthEndsAt = monthEnd(now)
    this.#month = monthOf(now)
    this.#requests = 0
    this.#unsaved = 0
  }
}

const dollars = (amount: number): string => `$${amount.toFixed(4).replace(/(\.\d\d)0+$/, '$1')}`
