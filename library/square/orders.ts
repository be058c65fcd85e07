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

function timesOf(RESERVED: string, PREPARED: string, COMPLETED: string, FAILED: string) {
  return { RESERVED, PREPARED, COMPLETED, CANCELED: 'canceled_at', FAILED }
}
/** The field of a fulfillment's details that each state sets. */
const TIMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pickup_details: timesOf('accepted_at', 'ready_at', 'picked_up_at', 'rejected_at'),
  shipment_details: timesOf('in_progress_at', 'packaged_at', 'shipped_at', 'failed_at'),
  delivery_details: timesOf('in_progress_at', 'ready_at', 'delivered_at', 'rejected_at'),
}

/** Fulfillments with the times of their new states, and the `moves` from the states that they had. */
export function fulfilled(given: Json): JsonObject {
  const { of, was, at } = given as JsonObject
  const before = new Map(rows(was).map(({ uid, state }) => [uid, state]))
  const list = rows(of).map((one) => {
    if (before.get(one.uid) === one.state) return one
    const timed = Object.entries(TIMES).flatMap(([details, times]) => {
      if (!isJsonObject(one[details])) return []
      const set = times[String(one.state)]
      const placed = before.has(one.uid) ? {} : { placed_at: at ?? null }
      return [[details, { ...placed, ...one[details], ...(set !== undefined && { [set]: at ?? null }) }]]
    })
    return { ...one, ...Object.fromEntries(timed) }
  })
  const moves = list
    .filter(({ uid, state }) => before.get(uid) !== state)
    .map(({ uid = null, state = null }) => {
      return { fulfillment_uid: uid, old_state: before.get(uid) ?? 'PROPOSED', new_state: state }
    })
  return { list, moves }
}

/** The phase of a plan in which a period is, the first being 0. */
export function phaseAt(given: Json): Json {
  const { of, at } = given as JsonObject
  const phases = rows(of).toSorted((a, b) => Number(a.ordinal ?? 0) - Number(b.ordinal ?? 0))
  let end = 0
  for (const phase of phases) {
    end += Number(phase.periods ?? Number.POSITIVE_INFINITY)
    if (Number(at) < end) return phase
  }
  return phases.at(-1) ?? null
}

/** An order with the taxes of its items, if its pricing options say that they apply by themselves. */
export function autoTaxed(given: Json): Json {
  const { of, goods } = given as JsonObject
  if (!isJsonObject(of) || !isJsonObject(of.pricing_options) || of.pricing_options.auto_apply_taxes !== true)
    return of ?? null
  const byId = new Map(rows(goods).map((one) => [one.id, one]))
  const taxesOf = ({ catalog_object_id: id }: JsonObject): string[] => {
    const variation = byId.get(id ?? null)?.item_variation_data
    const item = isJsonObject(variation) ? byId.get(variation.item_id ?? null)?.item_data : undefined
    return isJsonObject(item) && Array.isArray(item.tax_ids) ? item.tax_ids.map(String) : []
  }
  const used = new Set(rows(of.line_items).flatMap(taxesOf))
  const taxes = [...used].map((id) => ({ uid: id, catalog_object_id: id, scope: 'LINE_ITEM', auto_applied: true }))
  const line_items = rows(of.line_items).map((line) => {
    const applied = taxesOf(line).map((tax_uid) => ({ tax_uid }))
    return { ...line, applied_taxes: [...rows(line.applied_taxes), ...applied] }
  })
  return { ...of, line_items, taxes: [...rows(of.taxes), ...taxes] }
}

/** Who gets an invoice. */
export function recipientOf(customer: Json): Json {
  if (!isJsonObject(customer)) return null
  const { id = null, given_name, family_name, email_address, phone_number, company_name, address } = customer
  const known = Object.entries({ given_name, family_name, email_address, phone_number, company_name, address })
  return { customer_id: id, ...Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null)) }
}
