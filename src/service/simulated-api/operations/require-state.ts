import { type JsonObject, readField } from '../../../protocol/json.ts'
import type { ActionRefusal, ActionSetting, VerbOutcome } from '../../openapi/action-setting.ts'
import type { Found, Setting } from '../calls/call.ts'
import { Refusal } from '../refusal.ts'

const NO_OUTCOME: VerbOutcome = { toStatus: undefined, sets: [] }

/** Refuses as declared a record in the wrong state: there already, or too late. */
export function requireState(
  { world }: Setting,
  { refusal, verb }: { readonly refusal?: ActionRefusal | undefined; readonly verb: string },
  { collection, key, record }: Found,
  { toStatus, sets }: VerbOutcome = NO_OUTCOME,
): void {
  if (refusal === undefined) return
  const { singular, statusField } = world.collection(collection).model
  const state = statusField === null ? undefined : readField(record, statusField)
  const isThere = toStatus === undefined ? isDone(record, sets) : state === toStatus
  const isWrong = refusal.from === undefined ? isThere : !refusal.from.includes(String(state))
  if (!isWrong) return
  const isFlagged = state === undefined || (refusal.from === undefined && toStatus === undefined)
  const fact = isFlagged ? 'it is done already' : `its \`${statusField?.join('.')}\` is ${state}`
  const next = refusal.from?.length ? ` It must be ${refusal.from.join(' or ')}.` : ''
  throw new Refusal(refusal.status, 'conflict', `Failed to ${verb} ${singular} "${key}": ${fact}.${next}`)
}

/** Whether any record can be in the wrong state: one that has what an action sets, or that it does not lead from. */
export function canRefuse({ from }: ActionRefusal, { toStatus, sets }: VerbOutcome): boolean {
  const isFact = ({ to }: ActionSetting) => to === 'now' || (typeof to === 'object' && 'value' in to)
  return (from ?? toStatus) !== undefined || (sets.length > 0 && sets.every(isFact))
}

/** Whether a record has all flags and times that an action sets. */
function isDone(record: JsonObject, sets: VerbOutcome['sets']): boolean {
  const isSet = ({ field, to }: ActionSetting): boolean => {
    const stored = readField(record, field)
    if (to === 'now') return stored !== undefined && stored !== null && !/^last/i.test(field.at(-1) ?? '')
    return typeof to === 'object' && 'value' in to && stored === to.value
  }
  return sets.length > 0 && sets.every(isSet)
}
