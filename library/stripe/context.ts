import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

/** A record. */
export type Kept = JsonObject & { readonly id: string }

/** The collections that pages read. */
type Collections = Record<
  | 'account_links'
  | 'accounts'
  | 'billing_portal_sessions'
  | 'checkout_sessions'
  | 'configurations'
  | 'customers'
  | 'invoices'
  | 'payment_intents'
  | 'payment_links'
  | 'payment_methods'
  | 'prices'
  | 'products'
  | 'promotion_codes'
  | 'setup_intents'
  | 'shipping_rates'
  | 'subscriptions',
  Kept
>

/** What the handler of a page gets. */
export type Context = OperationContext<AnyOperation, Collections>

export const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `$40.00`. */
export function money(amount: unknown, currency: unknown, currencyDisplay: 'symbol' | 'code' = 'symbol'): string {
  const form = { style: 'currency', currency: textOf(currency) || 'usd', currencyDisplay } as const
  const format = new Intl.NumberFormat('en-US', form)
  return format.format(Number(amount) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** `1 December 2026`, of seconds. */
export const day = (seconds: unknown): string =>
  new Date(Number(seconds) * 1_000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** The words of a price's period: `per month`, `every 3 months`. */
export function period(price: JsonObject): string | undefined {
  const { interval, interval_count: count } = fieldsOf(price.recurring)
  if (interval === undefined) return undefined
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`
}

/** The message of an error's body. */
export const problemOf = (body: JsonObject): string => textOf(fieldsOf(body.error).message) || 'That did not work.'

/** The page of an address that leads nowhere. */
export const missing = (what: string) => ({
  title: 'Not found',
  parts: [{ alert: `There is no such ${what}.` }],
  status: 404,
})
