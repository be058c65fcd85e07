import { didYouMean } from '../names/nearest-name.ts'
import type { Json } from './json.ts'

/** The cause of a change: a request to the simulated API, a run of the behaviour plan, a fast-forward, or the owner (ours). */
export type ChangeCause = 'request' | 'behaviour' | 'fast-forward' | 'edit'

/** The body of a webhook delivery (specification, Delivery request). */
export interface WebhookEvent {
  /** UUID of the event; the same in every delivery of it. */
  id: string
  /** Event kind: `task.created`. */
  type: string
  /** World time of the change: ISO 8601, UTC, with milliseconds. */
  created: string
  data: { collection: string; id: string; object: Json }
}

/** One entry of `GET /v1/simulations/{id}/events`: an event and what caused it. */
export interface ChangeEvent extends WebhookEvent {
  cause: ChangeCause
  /** The owner asked for no webhook (ours). */
  quiet?: true
  /** `data.object` is null because later changes displaced it in the log (ours). The record itself is in its collection. */
  omitted?: true
}

/** A subscription's filter: an exact event kind, a prefix of the form `task.*`, or `*` (specification, Subscription). */
export type EventFilter = string

/** Whether `filter` has one of the three legal forms. `.*`, `task*` and `*.created` do not. */
export function isEventFilter(filter: string): boolean {
  if (filter === '*') return true
  const name = filter.endsWith('.*') ? filter.slice(0, -2) : filter
  return name.length > 0 && name.length <= 200 && !/[*\s\p{Cc}]/u.test(name)
}

/** Whether an event of kind `type` passes `filter`: `task.*` means that `type` starts with `task.`. */
export function matchesEventFilter(filter: EventFilter, type: string): boolean {
  if (filter === '*') return true
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter
}

/** Lists the known kinds where none of `kinds` passes `filter`; undefined where one does, or none is known. */
export function explainUnknownKind(filter: EventFilter, kinds: readonly string[]): string | undefined {
  if (kinds.length === 0 || kinds.some((kind) => matchesEventFilter(filter, kind))) return undefined
  return `No event is called "${filter}" here.${didYouMean(filter, kinds)} This simulation emits ${summariseKinds(kinds, filter)}.`
}

/** Most event kinds that a message lists. */
const LISTED_KINDS = 12

/** Most families of kinds (`task.*`) that a message lists: a large library entry has a screenful. */
const LISTED_FAMILIES = 20

/** Kinds as a message lists them; many kinds as families, `task.*`. @param wanted the kind asked for: its family comes alone */
export function summariseKinds(all: readonly string[], wanted = ''): string {
  const family = all.filter((kind) => wanted.includes('.') && kind.startsWith(wanted.replace(/[^.]*$/, '')))
  const kinds = family.length > 0 ? family : all
  if (family.length > 0 || kinds.length <= LISTED_KINDS) return kinds.join(', ')
  const families = [...new Set(kinds.map((kind) => kind.replace(/\.[^.]+$/, '.*')))]
  const rest = families.length - LISTED_FAMILIES
  return rest < 2
    ? families.join(', ')
    : `${families.slice(0, LISTED_FAMILIES).join(', ')} and ${rest} further families`
}
