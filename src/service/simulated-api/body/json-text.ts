import { grouped } from '../../../protocol/grouped.ts'
import type { Json } from '../../../protocol/json.ts'
import { JsonExtent } from '../../../protocol/json-extent.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { Refusal } from '../refusal.ts'

const BOUNDS = { depth: 200, names: LIMITS.bodyNames, values: LIMITS.bodyValues }
/** A body other than a list of records is checked and written in one step. */
const BOUNDS_OF_ONE = { ...BOUNDS, values: LIMITS.bodyValuesOfOne }

/** Parses a JSON text. Refuses a malformed text with 400 and the place, and a text beyond a bound. */
export function parseJson(text: string): Json {
  if (text.length > BOUNDS.depth) refuseExcess(text)
  try {
    return JSON.parse(text, HUGE.test(text) ? refuseHuge : undefined) as Json
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    const message = `Failed to parse the body as JSON: ${(cause as Error).message}.`
    throw new Refusal(400, 'invalid_request', message, undefined, { cause, facts: { fault: 'syntax' } })
  }
}

/** Digits that a number beyond the largest one must have. Ids in quotes often have an `e` and digits: with a reviver parsing is slow. */
const HUGE = /\d{309}|(?:^|[:,[\s])-?\d[\d.]*[eE]\+?0*\d{3}/

function refuseHuge(name: string, value: Json): Json {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  const message = `Expected \`${name || 'body'}\` to be a number of at most ${Number.MAX_VALUE}, got a larger one.`
  throw new Refusal(400, 'invalid_request', message, name)
}

/** Throws for a text beyond a bound, before it is parsed. */
function refuseExcess(text: string): void {
  const bounds = /^\s*\[/.test(text) ? BOUNDS : BOUNDS_OF_ONE
  const extent = new JsonExtent(bounds)
  if (extent.take(Buffer.from(text)) || extent.excess === undefined) return
  const most = grouped(bounds[extent.excess])
  const messages = {
    depth: `Expected the body to be nested at most ${most} deep, got more.`,
    names: `Expected each object of the body to have at most ${most} names, got more.`,
    values: `Expected the body to have at most ${most} values, got more. Send it in several requests.`,
  }
  throw new Refusal(400, 'invalid_request', messages[extent.excess])
}
