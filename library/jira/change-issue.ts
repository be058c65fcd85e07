import { changesOf } from './fields.ts'
import { happen } from './hooks.ts'
import type { Fields, Jira, Kept, Shown } from './jira.ts'
import { idOf, ref, toTime, valuesOf } from './jira.ts'
import { showIssue } from './show-issue.ts'

/** Causes an event of an issue, with the user and what has changed. */
export const happenTo = (jira: Jira, type: string, issue: Kept, facts: Shown = {}): void =>
  happen(jira, type, (of) => ({ ...facts, user: of.show(of.who), issue: showIssue(of, issue) }), issue)

/** Changes values of an issue, with its changelog and event. */
export function changeIssue(jira: Jira, { id }: Kept, change: Fields, event = 'issue_updated'): void {
  const before = valuesOf(jira.lookUp('issues', id))
  const items = changesOf(jira, before, { ...before, ...change })
  if (items.length === 0) return
  const updated = toTime(jira.now)
  const moved = items.some(({ field }) => field === 'status') ? { statuscategorychangedate: updated } : {}
  jira.records.issues.update(id, { fields: { ...before, ...change, updated, ...moved } })
  noteChange(jira, id, items, event)
}

/** Adds to the changelog of an issue. */
export function noteChange(jira: Jira, issue: unknown, items: Fields[], event = 'issue_updated'): void {
  const id = jira.next('changes')
  jira.records.changes.create({ id, ...jira.stamp, items, _issue: String(issue) })
  const facts = { issue_event_type_name: event, changelog: { id, items } }
  happenTo(jira, 'jira:issue_updated', jira.find('issues', issue), facts)
}

export const isDone = (jira: Jira, { status }: Fields): boolean => idOf(jira.deref(status)?.statusCategory) === '3'

/** Moves an issue, with what its status makes of the resolution. */
export const withStatus = (jira: Jira, status: Fields): Fields =>
  isDone(jira, { status })
    ? { status, resolution: ref('resolutions', 10_000), resolutiondate: toTime(jira.now) }
    : { status, resolution: null, resolutiondate: null }

/** Moves an issue by time: what a plan's `due` steps call. */
export const moveTo = (jira: Jira, issue: Kept, status: string): void =>
  changeIssue(jira, issue, withStatus(jira, ref('statuses', status)), 'issue_generic')
