import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'

const rows = (list: Json | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])

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
