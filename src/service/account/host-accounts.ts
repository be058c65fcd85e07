import { parseIpRanges } from '../../protocol/ip-range.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import { monthOf } from '../../runtime/date-text.ts'
import { systemRuntime } from '../../runtime/runtime.ts'
import type { OpenLedger } from '../store/ledger.ts'
import { openLedger } from '../store/open-store.ts'
import { hashOfKey, newAccountKey } from './account-key.ts'
import {
  type AccountKeyTerms,
  type AccountOptions,
  type AccountTerms,
  accountKeyTerms,
  accountOptions,
  accountTerms,
  type Scope,
} from './account-options.ts'

/** An account as `backlot account list` shows it. */
export interface ShownAccount extends AccountTerms {
  readonly name: string
  readonly creditUsd: number
  readonly simulations: number
  readonly requestsThisMonth: number
  readonly keys: readonly (AccountKeyTerms & { readonly beginning: string })[]
}

/** A new key. */
export interface MadeKey {
  readonly account: string
  readonly key: string
}

/** Number of characters that identify a key. */
const BEGINNING = 16
/** Fewer characters could match every key of an account. */
const SHORTEST_BEGINNING = 12

/** The accounts of a store, for its operator, while services use it. Each refusal is an Error with the next step. */
export class HostAccounts implements AsyncDisposable {
  readonly #opened: OpenLedger

  private constructor(opened: OpenLedger) {
    this.#opened = opened
  }

  /** @param store the value of `serve --store` */
  static async open(store: string): Promise<HostAccounts> {
    return new HostAccounts(await openLedger(store))
  }

  /** Makes an account, and its first key. */
  async create(options: Pick<AccountOptions, 'name' | 'plan' | 'creditUsd'>): Promise<MadeKey> {
    const { name, plan, subscription, suspended, creditUsd } = parseRequest(accountOptions, options, 'account')
    const terms = JSON.stringify({ plan, subscription, suspended } satisfies AccountTerms)
    if (!(await this.#ledger.addAccount({ name, terms, creditUsd }))) {
      throw new Error(`Failed to create the account: there is one named "${name}". Choose another name.`)
    }
    return this.makeKey(name, {})
  }

  /** Every account, by its name. */
  async list(): Promise<ShownAccount[]> {
    const summaries = await this.#ledger.summaries(monthOf(systemRuntime.clock.now()))
    return summaries.map(({ name, terms, isSuspended, creditUsd, simulations, requests, keys }) => {
      const read = accountTerms.parse(JSON.parse(terms))
      return {
        name,
        ...read,
        suspended: read.suspended || isSuspended,
        creditUsd,
        simulations,
        requestsThisMonth: requests,
        keys: keys.map(({ prefix, terms: ofKey, isRevoked }) => ({
          ...accountKeyTerms.parse(JSON.parse(ofKey)),
          beginning: prefix,
          revoked: isRevoked,
        })),
      }
    })
  }

  async makeKey(
    account: string,
    asked: { scopes?: Scope[] | undefined; ipRanges?: string[] | undefined; expiresAt?: string | undefined },
  ): Promise<MadeKey> {
    const terms = parseRequest(accountKeyTerms, asked, 'key')
    parseIpRanges(terms.ipRanges, '--ip-range')
    const key = newAccountKey(systemRuntime)
    const hash = hashOfKey(key).toString('hex')
    const row = { hash, account, prefix: key.slice(0, BEGINNING), terms: JSON.stringify(terms) }
    if (!(await this.#ledger.addKey(row))) throw noAccount(account)
    return { account, key }
  }

  /**
   * Revokes the keys of an account with this beginning. Returns their number. @param keyBeginning 12 characters or
   * more, up to the whole key
   */
  async revoke(account: string, keyBeginning: string): Promise<number> {
    const beginning = keyBeginning.slice(0, BEGINNING)
    if (beginning.length < SHORTEST_BEGINNING) {
      throw new Error(
        `Failed to revoke: expected ${SHORTEST_BEGINNING} characters or more of a key, got "${beginning}". See \`backlot account list\`.`,
      )
    }
    const revoked = await this.#ledger.revokeKeys(account, beginning)
    if (revoked > 0) return revoked
    throw new Error(
      `Failed to revoke: the account "${account}" has no key that begins with "${beginning}". See \`backlot account list\`.`,
    )
  }

  async suspend(account: string, isSuspended: boolean): Promise<void> {
    if (!(await this.#ledger.suspend(account, isSuspended))) throw noAccount(account)
  }

  /** Adds to the credit of an account, or subtracts from it. Returns the new credit. */
  async addCredit(name: string, usd: number): Promise<number> {
    const isDone = await this.#ledger.addCredit(name, usd)
    const [account] = await this.#ledger.accounts([name])
    if (account === undefined) throw noAccount(name)
    if (isDone) return account.creditUsd
    throw new Error(`Failed to take ${-usd} USD: the account "${name}" has ${account.creditUsd}. Take less.`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.close()
  }

  get #ledger() {
    return this.#opened.ledger
  }
}

function noAccount(name: string): Error {
  return new Error(`Failed to find the account: there is none named "${name}". See \`backlot account list\`.`)
}
