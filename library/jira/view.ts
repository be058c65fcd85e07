import {
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  known,
  linkTo,
  meOf,
  oldest,
  type Shown,
  showUser,
  textOf,
  textsOf,
  toTime,
  type Work,
} from './context.ts'
import { type Field, fieldsIn, schemaOf, showBrief, showField, showMeta, toPretty } from './fields.ts'
import { isSubtask, showOption, TRANSITIONS } from './scheme.ts'

/** Who made a comment or a worklog, and when. */
const stampOf = (work: Work, { author, updateAuthor, created, updated }: Kept): Shown => {
  const people = { author: showUser(work, author), updateAuthor: showUser(work, updateAuthor) }
  return { ...people, created: toTime(created), updated: toTime(updated) }
}
const showBody = ({ version }: Work, body: Json | undefined): unknown => (version === 2 ? textOf(body) : body)

export function showComment(work: Work, comment: Kept): Shown {
  const { id, issue, body, visibility } = comment
  const facts = { id, ...stampOf(work, comment), body: showBody(work, body), jsdPublic: true, ...known({ visibility }) }
  return { self: linkTo(work, `issue/${issue}/comment/${id}`), ...facts }
}

export function showWorklog(work: Work, worklog: Kept): Shown {
  const { id, issue, comment, started, seconds } = worklog
  const time = { started: toTime(started), timeSpent: toPretty(seconds), timeSpentSeconds: seconds }
  const facts = { id, issueId: issue, ...stampOf(work, worklog), ...time }
  const text = comment !== null && { comment: showBody(work, comment) }
  return { self: linkTo(work, `issue/${issue}/worklog/${id}`), ...facts, ...text }
}

export function showAttachment(work: Work, { id, author, filename, mimeType, size, created }: Kept): Shown {
  const addresses = { self: linkTo(work, `attachment/${id}`), content: linkTo(work, `attachment/content/${id}`) }
  return { ...addresses, id, filename, author: showUser(work, author), created: toTime(created), size, mimeType }
}

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
  [...records.links.where({ inward: id }), ...records.links.where({ outward: id })].sort(
    (one, other) => Number(one.id) - Number(other.id),
  )

const isMine = (work: Work, ids: Json | undefined): boolean => (ids as string[]).includes(meOf(work).id)

export const showVotes = (work: Work, { id, voters }: Kept): Shown => {
  const facts = { votes: (voters as string[]).length, hasVoted: isMine(work, voters) }
  return { self: linkTo(work, `issue/${id}/votes`), ...facts }
}

export const showWatchers = (work: Work, { id, watchers }: Kept): Shown => {
  const facts = { isWatching: isMine(work, watchers), watchCount: (watchers as string[]).length }
  return { self: linkTo(work, `issue/${id}/watchers`), ...facts }
}

export const showChange = (work: Work, { id, author, created, items }: Kept): Shown => {
  return { id, author: showUser(work, author), created: toTime(created), items }
}

/** Fields of an issue that are no values of its own. */
function derived(work: Work, issue: Kept): Shown {
  const { id } = issue
  const all = (collection: 'comments' | 'worklogs' | 'attachments', show: (work: Work, one: Kept) => Shown) =>
    oldest(work, collection, { issue: id }).map((one) => show(work, one))
  const pageOf = ({ length: total }: unknown[]): Shown => ({ maxResults: total, total, startAt: 0 })
  const { original = null, remaining = null, spent = null } = fieldsOf(fieldsOf(issue.values).timetracking)
  const progress = { progress: spent ?? 0, total: Number(spent ?? 0) + Number(remaining ?? 0) }
  const [comments, worklogs] = [all('comments', showComment), all('worklogs', showWorklog)]
  return {
    statuscategorychangedate: toTime(issue.status_at),
    issuelinks: linksOf(work, issue).map((link) => showLink(work, link, id)),
    subtasks: subtasksOf(work, issue).map((one) => showBrief(work, one)),
    comment: { comments, ...pageOf(comments), self: linkTo(work, `issue/${id}/comment`) },
    worklog: { worklogs, ...pageOf(worklogs) },
    attachment: all('attachments', showAttachment),
    votes: showVotes(work, issue),
    watches: showWatchers(work, issue),
    ...{ timespent: spent, timeoriginalestimate: original, timeestimate: remaining },
    ...{ progress, aggregateprogress: progress, workratio: -1, security: null, lastViewed: null },
  }
}

export const subtasksOf = (work: Work, { id }: Kept): Kept[] =>
  oldest(work, 'issues', { parent: id }).filter(({ values }) => isSubtask(values))

const HEAVY = ['comment', 'worklog', 'attachment', 'timetracking']

/** An issue. @param wanted names of fields, `*all`, `*navigable`, `-comment`; by default all */
export function showIssue(work: Work, issue: Kept, wanted: readonly string[] = ['*all'], expand: string[] = []): Shown {
  const isAll = wanted.includes('*all') || wanted.every((name) => name.startsWith('-'))
  const isNavigable = wanted.includes('*navigable')
  const isShown = (name: string): boolean =>
    !wanted.includes(`-${name}`) && (isAll || (isNavigable && !HEAVY.includes(name)) || wanted.includes(name))
  const shown = fieldsIn(work).filter(({ id, name }) => isShown(id) || wanted.includes(name))
  const own = shown.map((field) => [field.id, showField(work, field, issue)])
  const more = Object.entries(derived(work, issue)).filter(([name]) => isShown(name))
  const fields: Record<string, unknown> = Object.fromEntries([...own, ...more])
  if (fields.parent === null) delete fields.parent
  const expansions: Record<string, () => unknown> = {
    changelog: () => {
      const histories = work.records.changes.where({ issue: issue.id }).map((one) => showChange(work, one))
      return { startAt: 0, maxResults: histories.length, total: histories.length, histories }
    },
    transitions: () => showTransitions(work),
    editmeta: () => ({ fields: editMeta(work, issue) }),
    renderedFields: () => toRendered(fields),
  }
  const asked = expand.flatMap((name) => (expansions[name] ? [[name, expansions[name]()]] : []))
  return {
    expand: 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations',
    ...{ id: issue.id, self: linkTo(work, `issue/${issue.id}`), key: issue.key },
    ...Object.fromEntries(asked),
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
      if (fieldsOf(value).type !== 'doc') return [name, null]
      const words = textOf(value).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
      return [name, words.replace(/^.*$/gm, (line) => `<p>${line}</p>`)]
    }),
  )

const ANY_TIME = { hasScreen: false, isGlobal: true, isInitial: false, isAvailable: true, isConditional: false }
export const showTransitions = (work: Work, fields?: Shown): Shown[] =>
  TRANSITIONS.map(({ id, name, to }) => {
    return { id, name, to: showOption(work, 'status', to), ...ANY_TIME, isLooped: false, ...known({ fields }) }
  })

export function editMeta(work: Work, issue: Kept): Shown {
  const project = work.records.projects.get(String(issue.project)) as Kept
  const fields = fieldsIn(work).filter(isEditable)
  return Object.fromEntries(fields.map((field) => [field.id, showMeta(work, field, project)]))
}

export const isEditable = ({ id, isFixed }: Field): boolean => isFixed !== true && id !== 'project'

/** Field names and expansions that a request asks for. */
export function askedOf(given: Fields): { fields: string[] | undefined; expand: string[] } {
  const fields = textsOf(given.fields ?? undefined)
  return { fields: fields.length > 0 ? fields : undefined, expand: textsOf(given.expand ?? undefined) }
}
