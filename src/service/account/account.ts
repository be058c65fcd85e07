import * as z from 'zod'
import { SCOPES } from '../../protocol/endpoint.ts'
import { ApiError } from '../../protocol/errors.ts'
import type { Usage } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import { monthEnd, monthOf } from '../../runtime/date-text.ts'

/** What an account key may do: `simulations:read` for every GET, `simulations:write` for everything else. */
const scope = z.enum(SCOPES)
export type Scope = z.infer<typeof scope>

const limit = z.int().min(0)
const NO_LIMIT = Number.MAX_SAFE_INTEGER

const plan = z.strictObject({
  /** @default 'limited' */
  name: z.string().min(1).max(100).default('limited'),
  /** Most simulations that may exist at a time. @default no limit */
  simulationLimit: limit.default(NO_LIMIT),
  /** Most requests to simulated APIs in a calendar month (UTC). @default no limit */
  requestLimit: limit.default(NO_LIMIT),
  /** Most webhooks of one simulation. @default no limit */
  webhooksPerSimulation: limit.default(NO_LIMIT),
  /** Days after which a simulation that nothing was asked of is removed. @default no limit */
  idleDays: limit.min(1).default(NO_LIMIT),
  /** What one generated record takes from the generation credit, in US dollars. @default 0 */
  pricePerRecordUsd: z.number().min(0).default(0),
  /** What one proposal of a language model takes from the generation credit, in US dollars. @default 0 */
  pricePerProposalUsd: z.number().min(0).default(0),
})

/** What a key of an account may do, and from where and until when. */
export const accountKeyTerms = z.strictObject({
  scopes: z.array(scope).default([...SCOPES]),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  /** Addresses that may use the key. Empty: all may. */
  ipRanges: z.array(z.string()).max(50).default([]),
  revoked: z.boolean().default(false),
})
export type AccountKeyTerms = z.output<typeof accountKeyTerms>

const accountKey = z.strictObject({
  /** The key as clients send it. Generated when left out. */
  key: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, '8 to 200 visible ASCII characters')
    .optional(),
  ...accountKeyTerms.shape,
})

/** What an account may do and use. */
export const accountTerms = z.strictObject({
  /** Limits and price; what is left out is not limited. */
  plan: plan.prefault({ name: 'unlimited' }),
  /** Anything but `active` answers 402 `payment_required`. */
  subscription: z.enum(['active', 'past_due', 'canceled', 'none']).default('active'),
  suspended: z.boolean().default(false),
})
export type AccountTerms = z.output<typeof accountTerms>

/** Accounts as `startService({ accounts })` and a configuration file give them. */
export const accountOptions = z.strictObject({
  name: z.string().min(1).max(200).default('default'),
  keys: z.array(accountKey).min(1).prefault([{}]),
  ...accountTerms.shape,
  /** Generation credit at the start, in US dollars. */
  creditUsd: z.number().min(0).default(0),
})

/** One account: who may call the management API, and what it may use. */
export type AccountOptions = z.input<typeof accountOptions>
export type AccountKeyOptions = z.input<typeof accountKey>

/** A tenant: what it may use, and what it has used. */
export class Account {
  readonly name: string
  #terms: AccountTerms
  readonly #clock: Clock
  #creditUsd: number
  #simulations = 0
  #monthEndsAt = 0
  #month = ''
  #requests = 0
  /** Those of them that no store knows of. */
  #untold = 0

  constructor(name: string, held: { readonly terms: AccountTerms; readonly creditUsd: number }, clock: Clock) {
    this.name = name
    this.#terms = held.terms
    this.#creditUsd = held.creditUsd
    this.#clock = clock
  }

  get plan(): AccountTerms['plan'] {
    return this.#terms.plan
  }

  get isSuspended(): boolean {
    return this.#terms.suspended
  }

  get hasSubscription(): boolean {
    return this.#terms.subscription === 'active'
  }

  get terms(): AccountTerms {
    return this.#terms
  }

  get creditUsd(): number {
    return this.#creditUsd
  }

  /** Goes on from what a store knows. */
  note({ terms, creditUsd }: { readonly terms: AccountTerms; readonly creditUsd: number }): void {
    this.#terms = terms
    this.#creditUsd = creditUsd
  }

  /**
   * Takes one of the plan's places for a simulation. Call the returned function to give it back.
   *
   * @throws {@link ApiError} `plan_limit` when all are taken.
   */
  reserveSimulation(): () => void {
    if (this.#simulations >= this.plan.simulationLimit) {
      throw this.noPlace(this.#simulations)
    }
    this.#simulations++
    let held = true
    return () => {
      if (held) this.#simulations--
      held = false
    }
  }

  /** What a creation is refused with. @param existing simulations of the account */
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
   * Takes the price of `records` generated records from the credit. Call the returned function to give it back.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is taken then.
   */
  charge(records: number): () => void {
    const priceUsd = this.priceOf(records)
    if (priceUsd > this.#creditUsd) throw this.noCredit(records)
    this.#creditUsd -= priceUsd
    return () => {
      this.#creditUsd += priceUsd
    }
  }

  /** What `records` generated records take from the credit, in US dollars. */
  priceOf(records: number): number {
    return records * this.plan.pricePerRecordUsd
  }

  /** What a creation is refused with whose generated records cost more than there is. */
  noCredit(records: number): ApiError {
    const failure = `Failed to generate ${records} records: they cost`
    return this.#tooLittle(this.priceOf(records), failure, 'Ask for fewer with `volume`.')
  }

  /**
   * Takes the price of a language model's proposal from the credit.
   *
   * @throws {@link ApiError} `no_credit` when the credit is too small; nothing is taken then.
   */
  chargeProposal(): void {
    const priceUsd = this.plan.pricePerProposalUsd
    if (priceUsd > this.#creditUsd) throw this.noCreditForProposal()
    this.#creditUsd -= priceUsd
  }

  /** What a proposal is refused with that costs more than there is. */
  noCreditForProposal(): ApiError {
    const failure = 'Failed to use the language model: a proposal costs'
    return this.#tooLittle(this.plan.pricePerProposalUsd, failure, 'Send `useModel: false` to do without.')
  }

  /** Whether this month's limit of requests to simulated APIs is reached. */
  get isOverRequestLimit(): boolean {
    this.#turnMonth()
    return this.#requests >= this.plan.requestLimit
  }

  /** Requests to simulated APIs that this month's limit leaves, as far as this node knows. */
  get requestsLeft(): number {
    this.#turnMonth()
    return this.plan.requestLimit - this.#requests
  }

  /** Counts a request to a simulated API. */
  countRequest(): void {
    this.#turnMonth()
    this.#requests++
    this.#untold++
  }

  /** Whether something was counted that no store knows of. */
  get hasCounted(): boolean {
    return this.#untold > 0
  }

  /** Takes what was counted since the last call, to be added to what a store knows. */
  takeCounted(): { readonly month: string; readonly requests: number } {
    this.#turnMonth()
    const requests = this.#untold
    this.#untold = 0
    return { month: this.#month, requests }
  }

  /** Goes on from what a store knows of a month, by all nodes. */
  noteTotal(month: string, requests: number): void {
    this.#turnMonth()
    if (month === this.#month) this.#requests = requests + this.#untold
  }

  /** @param simulations where a store counts them */
  usage(simulations: number = this.#simulations): Usage {
    this.#turnMonth()
    return {
      plan: this.plan.name,
      status: this.#terms.subscription,
      creditUsd: this.#creditUsd,
      requestsThisMonth: this.#requests,
      requestLimit: this.plan.requestLimit,
      simulations,
      simulationLimit: this.plan.simulationLimit,
    }
  }

  #tooLittle(priceUsd: number, failure: string, next: string): ApiError {
    const message = `${failure} ${dollars(priceUsd)} and the credit is ${dollars(this.#creditUsd)}. ${next}`
    return new ApiError(402, 'no_credit', message)
  }

  /** Starts a new count when the calendar month (UTC) is over. */
  #turnMonth(): void {
    const now = this.#clock.now()
    if (now < this.#monthEndsAt) return
    this.#monthEndsAt = monthEnd(now)
    this.#month = monthOf(now)
    this.#requests = 0
    this.#untold = 0
  }
}

const dollars = (amount: number): string => `$${amount.toFixed(4).replace(/(\.\d\d)0+$/, '$1')}`
