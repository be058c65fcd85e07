/** A subscription's filter: an exact event kind, a prefix of the form `task.*`, or `*` (specification, Subscription). */
export type EventFilter = string

/** Whether `filter` has one of the three legal forms. `.*`, `task*` and `*.created` have none. */
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
