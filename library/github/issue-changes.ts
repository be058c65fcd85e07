import { comparePull, lacking, totalsOf } from './compare.ts'
import { type Collection, type Fields, type GitHub, type GitHubRequest, idsOf, type Json, textOf } from './github.ts'
import { personOf } from './show-accounts.ts'
import { toIssue, toLabel, toMilestone } from './show-issue.ts'
import { toPull } from './show-pull.ts'
import { repoOf } from './show-repo.ts'
import { mentioned } from './timeline.ts'

/** The records with these ids. */
export const recordsOf = ({ records }: GitHub, collection: Collection, ids: Json | undefined): Fields[] =>
  idsOf(ids).flatMap((id) => {
    const record = records[collection].get(id as number)
    return record === undefined ? [] : [record]
  })

/** The record as it is after the changes so far. */
export const freshIssue = ({ records }: GitHub, { id }: Fields): Fields => records.issues.get(id as number) ?? {}

/** Sends an event of an issue, or of the pull request that it is. */
export function tellIssue(github: GitHub, issue: Fields, action: string, extra: Fields = {}): void {
  const { pulls } = github.records
  const pull = pulls.find({ issue_id: issue.id ?? null })
  const repo = repoOf(github, issue)
  const shown = freshIssue(github, issue)
  if (pull === undefined) {
    github.happen(repo, `issues.${action}`, { action, issue: toIssue(github, shown), ...extra })
    return
  }
  const { base } = (extra.changes ?? {}) as Fields
  if (['opened', 'reopened', 'synchronize'].includes(action) || base !== undefined)
    pulls.update(pull.id as number, { totals: totalsOf(github, comparePull(github, pull)) })
  const pull_request = toPull(github, pulls.get(pull.id as number) ?? pull)
  github.happen(repo, `pull_request.${action}`, { action, number: issue.number ?? null, pull_request, ...extra })
}

/** Adds an event to the timeline of an issue. */
export function addEvent(github: GitHub, issue: Fields, event: string, details: Fields = {}): void {
  const { records, actor, time } = github
  records.issue_events.create({
    ...{ repository_id: issue.repository_id, issue_id: issue.id, event },
    ...{ actor_id: actor?.id, created_at: time, details },
  })
}

/** The ids of a repository's labels with these names; new ones are made. */
export function labelIdsOf({ records }: GitHub, { id: repository_id = null }: Fields, names: Json | undefined): Json[] {
  const ids = idsOf(names).map((one) => {
    const name = typeof one === 'string' ? one : textOf((one as Fields | null)?.name)
    const key = name.toLowerCase()
    const label =
      records.labels.find({ repository_id, key }) ??
      records.labels.create({ repository_id, name, key, color: 'ededed', description: null, default: false })
    return label.id ?? null
  })
  return [...new Set(ids)]
}

/** Sets the labels of an issue, and says which are new and which are gone. */
export function setLabels(github: GitHub, issue: Fields, label_ids: Json[]): void {
  const before = idsOf(issue.label_ids)
  github.update('issues', issue, { label_ids })
  sayLabels(github, issue, 'labeled', lacking(label_ids, before))
  sayLabels(github, issue, 'unlabeled', lacking(before, label_ids))
}

export function sayLabels(github: GitHub, issue: Fields, event: string, ids: readonly Json[]): void {
  for (const id of ids) {
    const label = github.records.labels.get(id as number) ?? {}
    addEvent(github, issue, event, { label: { name: label.name ?? null, color: label.color ?? null } })
    tellIssue(github, issue, event, { label: toLabel(github, label) })
  }
}

/** Sets the assignees of an issue, and says which are new and which are gone. */
export function setAssignees(github: GitHub, issue: Fields, assignee_ids: Json[]): void {
  const before = idsOf(issue.assignee_ids)
  github.update('issues', issue, { assignee_ids })
  sayAssignees(github, issue, 'assigned', lacking(assignee_ids, before))
  sayAssignees(github, issue, 'unassigned', lacking(before, assignee_ids))
}

export function sayAssignees(github: GitHub, issue: Fields, event: string, ids: readonly Json[]): void {
  for (const id of ids) {
    const assignee = personOf(github, id)
    addEvent(github, issue, event, { assignee })
    tellIssue(github, issue, event, { assignee })
  }
}

/** Moves an issue from its milestone to another, or to none. */
export function setMilestone(github: GitHub, issue: Fields, milestone: Fields | undefined): void {
  const old = github.records.milestones.get(issue.milestone_id as number)
  const isNew = old?.id !== milestone?.id
  if (old !== undefined && isNew) {
    tellIssue(github, issue, 'demilestoned', { milestone: toMilestone(github, old) })
    addEvent(github, issue, 'demilestoned', { milestone: { title: old.title ?? null } })
  }
  github.update('issues', issue, { milestone_id: milestone?.id ?? null })
  if (milestone !== undefined && isNew) sayMilestone(github, issue, milestone)
}

export function sayMilestone(github: GitHub, issue: Fields, milestone: Fields): void {
  addEvent(github, issue, 'milestoned', { milestone: { title: milestone.title ?? null } })
  tellIssue(github, issue, 'milestoned', { milestone: toMilestone(github, milestone) })
}

/** Closes an open issue. @param fields others that change with it */
export function close(github: GitHub, issue: Fields, fields: Fields = {}): void {
  const closed_by_id = github.actorId
  github.update('issues', issue, { state: 'closed', closed_at: github.time, closed_by_id, ...fields })
  addEvent(github, issue, 'closed')
  tellIssue(github, issue, 'closed')
}

export function reopen(github: GitHub, issue: Fields, fields: Fields = {}): void {
  github.update('issues', issue, { state: 'open', closed_at: null, closed_by_id: null, ...fields })
  addEvent(github, issue, 'reopened')
  tellIssue(github, issue, 'reopened')
}

/** Notes in the issues that a text mentions that another issue does so. */
export function crossRefer(github: GitHub, source: Fields, text: Json | undefined): void {
  const { repository_id = null, number = null } = source
  for (const other of mentioned(textOf(text))) {
    const issue = github.records.issues.find({ repository_id, number: other })
    if (issue !== undefined && issue.id !== source.id)
      addEvent(github, issue, 'cross-referenced', { source_number: number })
  }
}

/** A new issue, or one of a pull request. */
export function makeIssue(github: GitHub, repo: Fields, fields: Fields): Fields {
  const { records, actorId } = github
  const number = Number(records.repos.get(repo.id as number)?.last_number ?? 0) + 1
  records.repos.update(repo.id as number, { last_number: number })
  const issue = github.create('issues', {
    ...{ repository_id: repo.id ?? null, number, state: 'open', user_id: actorId, is_pull: false, ...fields },
  })
  crossRefer(github, issue, fields.body)
  return issue
}

/** The issue of the path. */
export const issueOf = (github: GitHubRequest): Fields =>
  github.records.issues.find({ repository_id: github.repo.id ?? null, number: Number(github.path.issue_number) }) ??
  github.gone()

/** A test of records: whether one has changed since the time that the query names. */
export function changedSince({ query }: GitHubRequest): (record: Fields) => boolean {
  const { since } = query
  if (since === undefined) return () => true
  return ({ updated_at }) => Date.parse(textOf(updated_at)) >= Date.parse(textOf(since))
}
