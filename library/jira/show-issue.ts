import { htmlOf } from './documents.ts'
import { type Field, fieldsIn, showField, showMeta } from './fields.ts'
import type { Fields, Jira, Json, Kept, Shown } from './jira.ts'
import { fieldsOf, idOf, isSubtask, known, ref, textsOf, valuesOf } from './jira.ts'

export const isOnCreate = ({ _fixed }: Field): boolean => _fixed !== true
export const isEditable = (field: Field): boolean => isOnCreate(field) && field.id !== 'project'

export const subtasksOf = (jira: Jira, { id }: Kept): Kept[] =>
  jira.all('issues', { 'fields.parent': ref('issues', id) }).filter((one) => isSubtask(valuesOf(one)))

/** Fields of an issue that are no values of its own. */
function derived(jira: Jira, issue: Kept): Shown {
  const page = (name: 'comments' | 'worklogs' | 'attachments') => {
    const all = jira.shown(name, jira.all(name, { _issue: issue.id }))
    return { [name]: all, maxResults: all.length, total: all.length, startAt: 0 }
  }
  const subtasks = subtasksOf(jira, issue)
  const [own, all] = [trackingOf([issue]), trackingOf([issue, ...subtasks])]
  return {
    statuscategorychangedate: valuesOf(issue).statuscategorychangedate,
    issuelinks: linksOf(jira, issue),
    subtasks: subtasks.map((one) => jira.brief('issues', one)),
    comment: { ...page('comments'), self: jira.link(`issue/${issue.id}/comment`) },
    worklog: page('worklogs'),
    attachment: page('attachments').attachments,
    votes: membersOf(jira, issue, '_voters'),
    watches: membersOf(jira, issue, '_watchers'),
    ...{ timespent: own.spent, timeoriginalestimate: own.original, timeestimate: own.left, progress: own.progress },
    ...{ aggregatetimespent: all.spent, aggregatetimeoriginalestimate: all.original, aggregatetimeestimate: all.left },
    ...{ aggregateprogress: all.progress, security: null, lastViewed: null },
    workratio: own.original === null ? -1 : Math.floor((100 * Number(own.spent)) / own.original),
  }
}

/** Sums of what was estimated and spent on issues, in seconds. */
function trackingOf(issues: readonly Kept[]) {
  const sumOf = (name: string): number | null => {
    const values = issues.map((one) => fieldsOf(valuesOf(one).timetracking)[name] ?? null)
    return values.every((one) => one === null) ? null : values.reduce<number>((sum, one) => sum + Number(one), 0)
  }
  const [spent, left] = [sumOf('timeSpentSeconds'), sumOf('remainingEstimateSeconds')]
  const total = Number(spent) + Number(left)
  const percent = total > 0 ? { percent: Math.floor((100 * Number(spent)) / total) } : {}
  return {
    spent,
    left,
    original: sumOf('originalEstimateSeconds'),
    progress: { progress: spent ?? 0, total, ...percent },
  }
}

/** An issue. @param given names of fields, `*all`, `*navigable`, `-comment`, and expansions */
export function showIssue(jira: Jira, issue: Kept, given: Fields = {}, usual = '*all'): Shown {
  const [named, expand] = [textsOf(given.fields), textsOf(given.expand)]
  const wanted = named.length > 0 ? named : [usual]
  const isAll = wanted.includes('*all') || wanted.every((name) => name.startsWith('-'))
  const isLight = (name: string) =>
    wanted.includes('*navigable') && !/^(comment|worklog|attachment|timetracking)$/.test(name)
  const isShown = (name: string) => !wanted.includes(`-${name}`) && (isAll || isLight(name) || wanted.includes(name))
  const shown = fieldsIn(jira).filter(({ id, name }) => isShown(id) || wanted.includes(name))
  const own = shown.map((field) => [field.id, showField(jira, field, issue)])
  const more = Object.entries(derived(jira, issue)).filter(([name]) => isShown(name))
  const { parent, ...others }: Shown = Object.fromEntries([...own, ...more])
  const fields = { ...others, ...known({ parent }) }
  const expansions: Readonly<Record<string, () => unknown>> = {
    changelog: () => {
      const histories = jira.shown('changes', jira.records.changes.where({ _issue: issue.id }))
      return { startAt: 0, maxResults: histories.length, total: histories.length, histories }
    },
    transitions: () => jira.shown('transitions'),
    editmeta: () => ({ fields: metaOf(jira, projectOf(jira, issue), isEditable) }),
    renderedFields: () => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, htmlOf(value)])),
  }
  const asked = expand.flatMap((name) => (expansions[name] ? [[name, expansions[name]()]] : []))
  const all = 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations'
  const whole = { expand: all, id: issue.id, self: jira.link(`issue/${issue.id}`), key: issue.key }
  return { ...whole, ...Object.fromEntries(asked), ...toNames(shown, expand), fields }
}

/** What `names` and `schema` of `expand` add. */
export const toNames = (fields: readonly Field[], expand: readonly string[]): Shown => ({
  ...(expand.includes('names') && { names: Object.fromEntries(fields.map(({ id, name }) => [id, name])) }),
  ...(expand.includes('schema') && { schema: Object.fromEntries(fields.map(({ id, schema }) => [id, schema])) }),
})

/** Fields of `createmeta` and `editmeta`. */
export function metaOf(jira: Jira, project: Kept, test: (field: Field) => boolean): Shown {
  const fields = fieldsIn(jira).filter(test)
  return Object.fromEntries(fields.map((one) => [one.id, showMeta(jira, one, project)]))
}

/** The project of an issue. */
export const projectOf = (jira: Jira, issue: Kept): Kept => jira.find('projects', idOf(valuesOf(issue).project))

/** The links of an issue, each with the other issue. */
export const linksOf = (jira: Jira, { id }: Kept): Shown[] =>
  ['inwardIssue', 'outwardIssue']
    .flatMap((side) => jira.records.links.where({ [side]: ref('issues', id) }).map((one) => ({ ...one, [side]: null })))
    .map((one) => jira.whole('links', one))
    .sort((one, other) => Number(one.id) - Number(other.id))

/** Watchers or voters of an issue. */
export function membersOf(jira: Jira, issue: Kept, list: '_watchers' | '_voters', name?: string): Shown {
  const all = issue[list] as Json[]
  const isIn = all.some((one) => idOf(one) === jira.me.accountId)
  const facts =
    list === '_voters' ? { votes: all.length, hasVoted: isIn } : { isWatching: isIn, watchCount: all.length }
  const self = jira.link(`issue/${issue.id}/${list === '_voters' ? 'votes' : 'watchers'}`)
  return { self, ...facts, ...(name !== undefined && { [name]: jira.show(all) }) }
}
