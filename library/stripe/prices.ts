import { getOwn, isJsonObject, type Json, type JsonObject, readPath } from '../../src/protocol/json.ts'
import { listOf, money } from './context.ts'

/**
 * The price of a quantity, in whole units: at `unit_amount` (or `unit_amount_decimal`) for each, for each pack of
 * `transform_quantity.divide_by`, or by `tiers` with `up_to` and `flat_amount`: each part of the quantity in the tier
 * where it lies, or with `tiers_mode: volume` all of it in the tier that it reaches. Another currency has its option.
 */
export function amountOf(given: Json | undefined, quantity: number, currency = ''): number {
  if (!isJsonObject(given)) return 0
  const price = { ...given, ...(readPath(given, ['currency_options', currency]) as JsonObject | undefined) }
  const { tiers, tiers_mode: mode } = price
  const size = Number(readPath(price, ['transform_quantity', 'divide_by']) ?? 1)
  const packs = readPath(price, ['transform_quantity', 'round']) === 'down' ? Math.floor : Math.ceil
  if (!Array.isArray(tiers)) return Math.round(packs(quantity / size) * perUnit(price))
  const all = tiers.filter(isJsonObject)
  if (mode === 'volume') {
    const tier = all.find((one) => quantity <= topOf(one)) ?? {}
    return Math.round(quantity * perUnit(tier) + flat(tier))
  }
  let below = 0
  let amount = 0
  for (const tier of all) {
    const units = Math.min(quantity, topOf(tier)) - below
    if (units <= 0) break
    amount += units * perUnit(tier) + flat(tier)
    below = topOf(tier)
  }
  return Math.round(amount)
}

const topOf = (tier: JsonObject): number => (typeof tier.up_to === 'number' ? tier.up_to : Number.POSITIVE_INFINITY)
const perUnit = (price: JsonObject): number => numberIn(price, 'unit_amount')
const flat = (tier: JsonObject): number => numberIn(tier, 'flat_amount')

function numberIn(price: JsonObject, name: string): number {
  return Number(getOwn(price, name) ?? getOwn(price, `${name}_decimal`) ?? 0) || 0
}

/** Methods of payment that take few currencies (https://docs.stripe.com/payments/payment-methods/payment-method-support). */
const CURRENCIES: Readonly<Record<string, string>> = {
  acss_debit: 'cad, usd',
  au_becs_debit: 'aud',
  bacs_debit: 'gbp',
  bancontact: 'eur',
  blik: 'pln',
  boleto: 'brl',
  cashapp: 'usd',
  eps: 'eur',
  fpx: 'myr',
  ideal: 'eur',
  konbini: 'jpy',
  multibanco: 'eur',
  oxxo: 'mxn',
  p24: 'eur, pln',
  paynow: 'sgd',
  promptpay: 'thb',
  sepa_debit: 'eur',
  swish: 'sek',
  twint: 'chf',
  us_bank_account: 'usd',
}

const takes = (method: string, currency: unknown): boolean =>
  typeof currency !== 'string' || (getOwn(CURRENCIES, method)?.split(', ').includes(currency) ?? true)

const typesOf = ({ types }: JsonObject): string[] => (Array.isArray(types) ? types : []).map(String)

/** The methods that take a currency: `{ types: [card, ideal], currency: usd }`. */
export const fitMethods = (given: JsonObject): string[] =>
  typesOf(given).filter((method) => takes(method, given.currency))

/** The first method that does not, with the currencies that it takes. */
export function unfitMethod(given: JsonObject): JsonObject | null {
  const type = typesOf(given).find((method) => !takes(method, given.currency))
  return type === undefined ? null : { type, currencies: CURRENCIES[type] ?? '' }
}

/** Least amounts of payments, where they are not 50 (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const LEAST: Readonly<Record<string, number>> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
}

/** The least amount of a payment in a currency, and its text: `$0.50`. */
export function leastOf(currency: unknown): JsonObject {
  const amount = LEAST[String(currency).toLowerCase()] ?? 50
  return { amount, text: money(amount, currency) }
}

/** The tiers of a price, with their amounts as texts too. */
export function tiersOf(sent: Json): JsonObject[] | null {
  const decimal = (amount: unknown) => (typeof amount === 'number' ? String(amount) : null)
  if (sent === null) return null
  return listOf(sent).map(({ flat_amount = null, unit_amount = null, up_to, ...tier }) => ({
    ...{
      flat_amount,
      flat_amount_decimal: decimal(flat_amount),
      unit_amount,
      unit_amount_decimal: decimal(unit_amount),
    },
    ...{ ...tier, up_to: up_to === 'inf' ? null : Number(up_to) },
  }))
}
