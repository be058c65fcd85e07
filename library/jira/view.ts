import {
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  linkTo,
  meOf,
  type Shown,
  showUser,
  textsOf,
  toTime,
  type Work,
} from './context.ts'
import { textOf } from './documents.ts'
import { type Field, fieldsIn, isMine, schemaOf, showBrief, showField, showMeta, toPretty } from './fields.ts'
import { isSubtask, optionOf, showOption, TRANSITIONS } from './scheme.ts'

export const showComment = (
  work: Work,
  { id, issue, author, updateAuthor, body, created, updated, visibility }: Kept,
): Shown => ({
  self: linkTo(work, `issue/${issue}/comment/${id}`),
  id,
  author: showUser(work, author),
  body: work.version === 2 ? textOf(body) : body,
  updateAuthor: showUser(work, updateAuthor),
  created: toTime(created),
  updated: toTime(updated),
  jsdPublic: true,
  ...(visibility != null && { visibility }),
})

export const showWorklog = (
  work: Work,
  { id, issue, author, updateAuthor, comment, created, updated, started, seconds }: Kept,
): Shown => ({
  self: linkTo(work, `issue/${issue}/worklog/${id}`),
  id,
  issueId: issue,
  author: showUser(work, author),
  updateAuthor: showUser(work, updateAuthor),
  ...(comment !== null && { comment: work.version === 2 ? textOf(comment) : comment }),
  created: toTime(created),
  updated: toTime(updated),
  started: toTime(started),
  timeSpent: toPretty(seconds),
  timeSpentSeconds: seconds,
})

export const showAttachment = (work: Work, { id, author, filename, mimeType, size, created }: Kept): Shown => ({
  self: linkTo(work, `attachment/${id}`),
  id,
  filename,
  author: showUser(work, author),
  created: toTime(created),
  size,
  mimeType,
  content: linkTo(work, `attachment/content/${id}`),
})

/** A link, as one of its issues shows it. @param from that issue */
export function showLink(work: Work, { id, type, inward, outward }: Kept, from?: string): Shown {
  const brief = (issue: Json | undefined): Shown => showBrief(work, work.records.issues.get(String(issue)) as Kept)
  return {
    id,
    self: linkTo(work, `issueLink/${id}`),
    type: showOption(work, 'issueLinkType', type),
    ...(from !== inward && { inwardIssue: brief(inward) }),
    ...(from !== outward && { outwardIssue: brief(outward) }),
  }
}

export const linksOf = ({ records }: Work, { id }: Kept): Kept[] =>
  [...records.links.where({ inward: id }), ...records.links.where({ outward: id })].toSorted(byId)
const byId = (one: Kept, other: Kept): number => Number(one.id) - Number(other.id)

export const showVotes = (work: Work, { id, voters }: Kept): Shown => ({
  self: linkTo(work, `issue/${id}/votes`),
  votes: (voters as string[]).length,
  hasVoted: isMine(work, voters),
})

export const showWatchers = (work: Work, { id, watchers }: Kept): Shown => ({
  self: linkTo(work, `issue/${id}/watchers`),
  isWatching: isMine(work, watchers),
  watchCount: (watchers as string[]).length,
})

export const showChange = (work: Work, { id, author, created, items }: Kept): Shown => ({
  id,
  author: showUser(work, author),
  created: toTime(created),
  items,
})

/** Fields of an issue that are no values of its own. */
function derived(work: Work, issue: Kept): Shown {
  const { records } = work
  const of = { issue: issue.id }
  const all = (collection: 'comments' | 'worklogs' | 'attachments') => records[collection].where(of).toReversed()
  const page = (name: string, items: readonly unknown[]): Shown => ({
    [name]: items,
    maxResults: items.length,
    total: items.length,
    startAt: 0,
  })
  const { original = null, remaining = null, spent = null } = fieldsOf(fieldsOf(issue.values).timetracking)
  const progress = { progress: spent ?? 0, total: Number(spent ?? 0) + Number(remaining ?? 0) }
  const subtasks = subtasksOf(work, issue)
  return {
    statuscategorychangedate: toTime(issue.status_at),
    issuelinks: linksOf(work, issue).map((link) => showLink(work, link, issue.id)),
    subtasks: subtasks.map((one) => showBrief(work, one)),
    comment: {
      ...page(
        'comments',
        all('comments').map((one) => showComment(work, one)),
      ),
      self: linkTo(work, `issue/${issue.id}/comment`),
    },
    worklog: page(
      'worklogs',
      all('worklogs').map((one) => showWorklog(work, one)),
    ),
    attachment: all('attachments').map((one) => showAttachment(work, one)),
    votes: showVotes(work, issue),
    watches: showWatchers(work, issue),
    timespent: spent,
    timeoriginalestimate: original,
    timeestimate: remaining,
    progress,
    aggregateprogress: progress,
    workratio: -1,
    security: null,
    lastViewed: null,
  }
}

export const subtasksOf = ({ records }: Work, { id }: Kept): Kept[] =>
  records.issues
    .where({ parent: id })
    .filter(({ values }) => isSubtask(values))
    .toReversed()

/** An issue. @param wanted names of fields, `*all`, `*navigable`, `-comment`; by default all */
export function showIssue(
  work: Work,
  issue: Kept,
  wanted: readonly string[] = ['*all'],
  expand: readonly string[] = [],
): Shown {
  const all = fieldsIn(work)
  const more = derived(work, issue)
  const out = new Set(wanted.filter((name) => name.startsWith('-')).map((name) => name.slice(1)))
  const heavy = new Set(['comment', 'worklog', 'attachment', 'timetracking'])
  const isAll = wanted.includes('*all') || wanted.every((name) => name.startsWith('-'))
  const isNavigable = wanted.includes('*navigable')
  const isShown = (name: string): boolean =>
    !out.has(name) && (isAll || (isNavigable && !heavy.has(name)) || wanted.includes(name))
  const shown = all.filter(({ id, name }) => isShown(id) || wanted.includes(name))
  const fields = Object.fromEntries([
    ...shown.map((field) => [field.id, showField(work, field, issue)]),
    ...Object.entries(more).filter(([name]) => isShown(name)),
  ])
  if (fields.parent === null) delete fields.parent
  const asks = (name: string): boolean => expand.includes(name)
  const histories = asks('changelog')
    ? work.records.changes.where({ issue: issue.id }).map((one) => showChange(work, one))
    : []
  return {
    expand: 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations',
    id: issue.id,
    self: linkTo(work, `issue/${issue.id}`),
    key: issue.key,
    ...(asks('changelog') && {
      changelog: { startAt: 0, maxResults: histories.length, total: histories.length, histories },
    }),
    ...(asks('transitions') && { transitions: showTransitions(work) }),
    ...(asks('editmeta') && { editmeta: { fields: editMeta(work, issue) } }),
    ...(asks('renderedFields') && { renderedFields: toRendered(fields) }),
    ...toNames(shown, expand),
    fields,
  }
}

/** What `names` and `schema` of `expand` add. */
export const toNames = (fields: readonly Field[], expand: readonly string[]): Shown => ({
  ...(expand.includes('names') && { names: Object.fromEntries(fields.map(({ id, name }) => [id, name])) }),
  ...(expand.includes('schema') && { schema: Object.fromEntries(fields.map((field) => [field.id, schemaOf(field)])) }),
})

/** Rich texts as HTML: paragraphs of plain words. */
const toRendered = (fields: Shown): Shown =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const { type } = fieldsOf(value)
      const words = type === 'doc' ? textOf(value).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`) : ''
      return [
        name,
        type === 'doc'
          ? words
              .split('\n')
              .map((line) => `<p>${line}</p>`)
              .join('\n')
          : null,
      ]
    }),
  )

export const showTransitions = (work: Work, fields?: Shown): Shown[] =>
  TRANSITIONS.map(({ id, name, to }) => ({
    id,
    name,
    to: showOption(work, 'status', to),
    hasScreen: false,
    isGlobal: true,
    isInitial: false,
    isAvailable: true,
    isConditional: false,
    isLooped: false,
    ...(fields && { fields }),
  }))

export function editMeta(work: Work, issue: Kept): Shown {
  const project = work.records.projects.get(String(issue.project)) as Kept
  const fields = fieldsIn(work).filter((field) => isEditable(field))
  return Object.fromEntries(fields.map((field) => [field.id, showMeta(work, field, project)]))
}

export const isEditable = ({ id, isFixed }: Field): boolean => isFixed !== true && id !== 'project'
export const isOnCreate = ({ isFixed }: Field): boolean => isFixed !== true

/** Field names and expansions that a request asks for. */
export const askedOf = (given: Fields): { fields: string[]; expand: string[] } => ({
  fields: textsOf(given.fields ?? undefined),
  expand: textsOf(given.expand ?? undefined),
})

export { meOf, optionOf }
