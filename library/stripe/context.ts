import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

/** A record. */
export type Kept = JsonObject & { readonly id: string }

/** The collections that handlers read. */
export type Collection =
  | ('account_capabilities' | 'account_links' | 'accounts' | 'active_entitlements' | 'application_fees')
  | ('authorizations' | 'balance_transactions' | 'billing_portal_sessions' | 'calculations' | 'cardholders' | 'charges')
  | ('checkout_sessions' | 'configurations' | 'confirmation_tokens' | 'coupons' | 'credit_balance_transactions')
  | ('credit_grants' | 'credit_notes' | 'customer_balance_transactions' | 'customers' | 'discounts' | 'disputes')
  | ('early_fraud_warnings' | 'entitlement_summaries' | 'events' | 'external_accounts' | 'features' | 'file_links')
  | ('files' | 'invoice_payments' | 'invoiceitems' | 'invoices' | 'issuing_cards' | 'issuing_disputes')
  | (
      | 'issuing_transactions'
      | 'locations'
      | 'mandates'
      | 'meter_events'
      | 'meters'
      | 'payment_intents'
      | 'payment_links'
    )
  | ('payment_method_configurations' | 'payment_methods' | 'payout_schedules' | 'payouts' | 'persons' | 'plans')
  | ('prices' | 'products' | 'promotion_codes' | 'quotes' | 'readers' | 'refunds' | 'registrations' | 'reviews')
  | ('setup_attempts' | 'setup_intents' | 'shipping_rates' | 'subscription_items' | 'subscription_schedules')
  | ('subscriptions' | 'tax_ids' | 'tax_rates' | 'test_clocks' | 'tokens' | 'topups' | 'transactions' | 'transfers')
  | ('upcoming_invoices' | 'value_list_items' | 'value_lists' | 'verification_reports' | 'verification_sessions')
  | 'webhook_endpoints'
export type Collections = Record<Collection, Kept>

/** What a handler gets. */
export type Context = OperationContext<AnyOperation, Collections>
export type Due = DueContext<Collections, Kept>
export type World = WorldContext<Collections>

export const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** Those of these fields that a value has. */
export const only = (from: unknown, ...names: string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(fieldsOf(from)).filter(([name, value]) => names.includes(name) && value !== undefined),
  )

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Times as Stripe has them, in seconds. */
export const secondsOf = ({ now }: Context): number => Math.floor(now.getTime() / 1_000)

/** Refuses a parameter. */
export function refused({ refuse }: Context, param: string | null, message: string, reason?: string): never {
  const facts = { ...(param !== null && { param }), ...(reason !== undefined && { reason }) }
  return refuse(400, { code: 'bad_param', message, ...facts })
}

/** The record with an id, else the refusal of a missing one. */
export function find(context: Context, collection: Collection, id: unknown, param = 'id'): Kept {
  const found = typeof id === 'string' ? context.records[collection].get(id) : undefined
  return found ?? absent(context, collection.slice(0, -1), id, param)
}

export function absent({ refuse }: Context, kind: string, id: unknown, param = 'id'): never {
  const message = `No such ${kind.replaceAll('_', ' ')}: '${id}'`
  const facts = { param, reason: 'resource_missing' }
  return refuse(param === 'id' ? 404 : 400, { code: 'bad_param', message, ...facts })
}

/** A page of items, newest first. */
export function toPage({ query }: Context, url: string, items: readonly JsonObject[]): JsonObject {
  const at = (id: unknown) => items.findIndex((item) => item.id === id)
  const size = Number(query.limit ?? 10)
  const last = query.starting_after === undefined ? 0 : at(query.starting_after) + 1
  const start = query.ending_before === undefined ? last : Math.max(0, at(query.ending_before) - size)
  const end = query.ending_before === undefined ? start + size : at(query.ending_before)
  const has_more = query.ending_before === undefined ? end < items.length : start > 0
  return { object: 'list', data: items.slice(start, end), has_more, url }
}

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
