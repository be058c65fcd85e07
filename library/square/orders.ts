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

/** The field of a fulfillment's details that each state sets. */
const TIMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pickup_details: {
    RESERVED: 'accepted_at',
    PREPARED: 'ready_at',
    COMPLETED: 'picked_up_at',
    CANCELED: 'canceled_at',
    FAILED: 'rejected_at',
  },
  shipment_details: {
    RESERVED: 'in_progress_at',
    PREPARED: 'packaged_at',
    COMPLETED: 'shipped_at',
    CANCELED: 'canceled_at',
    FAILED: 'failed_at',
  },
  delivery_details: {
    RESERVED: 'in_progress_at',
    PREPARED: 'ready_at',
    COMPLETED: 'delivered_at',
    CANCELED: 'canceled_at',
    FAILED: 'rejected_at',
  },
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
  const moves = list.flatMap(({ uid, state }) =>
    before.get(uid) === state
      ? []
      : [{ fulfillment_uid: uid ?? null, old_state: before.get(uid) ?? 'PROPOSED', new_state: state ?? null }],
  )
  return { list, moves }
}
