import type { JournaledMap } from '../../world/journaled-map.ts'
import { type ApiResponse, withHeaders } from '../exchange.ts'
import type { RuleConfig } from './rule-config.ts'

/** A caller's usage. `since`: start of its window, or the time of the last filling of its bucket. */
export interface RateAccount {
  readonly since: number
  readonly left: number
}

/** Most counted callers; the one without calls for the longest time is dropped first. */
const MOST_ACCOUNTS = 10_000

/** Whether a request may pass, and the data of its headers. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds, rounded up, until the next allowed request (or the end of the window). */
  readonly resetSeconds: number
}

/** The accounts of callers by rule and caller; the latest caller last. */
export type RateAccounts = JournaledMap<RateAccount>

/** Counts one request of a caller, by its rule and its name, at world time `at`. */
export function takeAllowance(
  accounts: RateAccounts,
  name: string,
  config: RuleConfig<'rateLimit'>,
  at: number,
): Allowance {
  const before = accounts.get(name) ?? { since: at, left: capacityOf(config) }
  const account = config.algorithm === 'fixed' ? renewWindow(before, config, at) : fillBucket(before, config, at)
  const isAllowed = account.left >= 1
  const left = isAllowed ? account.left - 1 : account.left
  accounts.set(name, { ...account, left })
  if (accounts.size > MOST_ACCOUNTS) accounts.delete(accounts.names().next().value as string)
  return {
    isAllowed,
    limit: config.limit,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil(waitMs({ ...account, left }, config, at) / 1000)),
  }
}

/** Names of a limit of requests: `x-ratelimit-remaining-requests` of OpenAI, `X-RateLimit-Reset` of GitHub. */
const OWN_NAME = /^(?:[a-z]+-)*ratelimit-(?:requests-)?(limit|max|remaining|reset)(?:-requests)?$/i

/** An answer with a caller's allowance: in headers of a style, and in those that the API itself has for it. */
export function withAllowance(
  response: ApiResponse,
  { limit, remaining, resetSeconds }: Allowance,
  style: RuleConfig<'rateLimit'>['headers'],
  at: number,
): ApiResponse {
  if (style === 'none') return response
  const prefix = style === 'x' ? 'X-RateLimit' : 'RateLimit'
  const own = Object.entries(response.headers).flatMap(([name, shown]): [string, string][] => {
    const part = OWN_NAME.exec(name)?.[1]?.toLowerCase()
    if (part === undefined) return []
    if (part === 'reset') return [[name, resetLike(String(shown), resetSeconds, at)]]
    return [[name, String(part === 'remaining' ? remaining : limit)]]
  })
  const styled = withHeaders(response, {
    [`${prefix}-Limit`]: String(limit),
    [`${prefix}-Remaining`]: String(remaining),
    [`${prefix}-Reset`]: String(resetSeconds),
  })
  return withHeaders(styled, Object.fromEntries(own))
}

/** The time of a reset in the form that the API has for it: a time, a time of Unix, a duration, or seconds. */
function resetLike(shown: string, seconds: number, at: number): string {
  if (/^\d{4}-/.test(shown)) return new Date(at + seconds * 1000).toISOString()
  if (/[a-z]$/.test(shown)) return `${seconds}s`
  return String(Number(shown) > 1e9 ? Math.ceil(at / 1000) + seconds : seconds)
}

const capacityOf = ({ algorithm, burst, limit }: RuleConfig<'rateLimit'>): number =>
  algorithm === 'tokenBucket' ? (burst ?? limit) : limit

function renewWindow(account: RateAccount, config: RuleConfig<'rateLimit'>, at: number): RateAccount {
  const windowMs = config.windowSeconds * 1000
  const passed = Math.floor((at - account.since) / windowMs)
  return passed < 1 ? account : { since: account.since + passed * windowMs, left: config.limit }
}

function fillBucket(account: RateAccount, config: RuleConfig<'rateLimit'>, at: number): RateAccount {
  const perMs = config.limit / (config.windowSeconds * 1000)
  return { since: at, left: Math.min(capacityOf(config), account.left + (at - account.since) * perMs) }
}

function waitMs(account: RateAccount, config: RuleConfig<'rateLimit'>, at: number): number {
  const windowMs = config.windowSeconds * 1000
  if (config.algorithm === 'fixed') return account.since + windowMs - at
  return ((1 - Math.min(1, account.left)) * windowMs) / config.limit
}
