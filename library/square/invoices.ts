import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'

const rows = (list: Json | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])
const amountOf = (money: Json | undefined): number => (isJsonObject(money) ? Number(money.amount) : 0)

/** The payment requests of an invoice when `left` is still due, and the `next` one that is not paid. */
export function settled(given: Json): JsonObject {
  const { of, left } = given as JsonObject
  const total = rows(of).reduce((sum, { computed_amount_money: due }) => sum + amountOf(due), 0)
  let rest = total - Number(left)
  const requests = rows(of).map((request): JsonObject => {
    const paid = Math.min(rest, amountOf(request.computed_amount_money))
    rest -= paid
    const money = { ...Object(request.computed_amount_money), amount: paid }
    return { ...request, total_completed_amount_money: money }
  })
  const next = requests.find(
    ({ computed_amount_money: due, total_completed_amount_money: done }) => amountOf(done) < amountOf(due),
  )
  if (next === undefined) return { requests, next: null, money: null, is_automatic: false }
  const open = amountOf(next.computed_amount_money) - amountOf(next.total_completed_amount_money)
  const is_automatic = next.automatic_payment_source === 'CARD_ON_FILE'
  return { requests, next, money: { ...Object(next.computed_amount_money), amount: open }, is_automatic }
}

/** Who gets an invoice. */
export function recipientOf(customer: Json): Json {
  if (!isJsonObject(customer)) return null
  const { id = null, given_name, family_name, email_address, phone_number, company_name, address } = customer
  const known = Object.entries({ given_name, family_name, email_address, phone_number, company_name, address })
  return { customer_id: id, ...Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null)) }
}
