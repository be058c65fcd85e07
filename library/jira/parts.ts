import { typeOfFile } from '../shared/media-type.ts'
import { changeIssue, noteChange } from './change-issue.ts'
import { isDocument, toDocument } from './documents.ts'
import { toPretty, toSeconds, toTracking } from './fields.ts'
import { happen, tell } from './hooks.ts'
import type { Fields, Jira, Json, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, idOf, listOf, pick, ref, toTime, valuesOf } from './jira.ts'
import { membersOf } from './show-issue.ts'

/** What `update` adds as records of their own. */
export function addParts(jira: Jira, issue: Kept, update: Fields): void {
  const added = (name: string): Fields[] => listOf(update[name]).flatMap(({ add }) => (add ? [fieldsOf(add)] : []))
  const own = { id: issue.id }
  for (const one of added('comment')) addComment(jira, issue, one)
  for (const one of added('worklog')) addWorklog(jira, issue, one)
  for (const one of added('issuelinks')) addLink(jira, { inwardIssue: own, outwardIssue: own, ...one })
}

/** A rich text of a request: a document, in version 2 a text. */
function toBody(jira: Jira, value: Json | undefined): Fields {
  const isText = jira.version === 2
  if (isText && typeof value === 'string' && value.trim() !== '') return toDocument(value)
  if (!isText && isDocument(value)) return value
  if (value == null || value === '') return jira.fail(400, 'Comment body can not be empty!')
  return jira.failField('comment', 'Comment body is not valid!')
}

/** Adds a comment or a worklog to an issue. */
function addPart(jira: Jira, path: 'comment' | 'worklog', { id }: Kept, facts: Fields): Kept {
  const own = { _issue: id, ...jira.stamp, ...jira.edited, ...facts }
  const part = jira.add(`${path}s`, `issue/${id}/${path}`, own)
  tell(jira, `${path}_created`, part)
  return part
}

function addComment(jira: Jira, issue: Kept, { body, visibility = null }: Fields): Kept {
  const fields = { ...valuesOf(jira.find('issues', issue.id)), updated: toTime(jira.now) }
  jira.records.issues.update(issue, { fields })
  return addPart(jira, 'comment', issue, { body: toBody(jira, body), jsdPublic: true, visibility })
}

/** Adds seconds to what was spent on an issue, and takes them from the remaining estimate. */
function spend(jira: Jira, id: unknown, seconds: number): void {
  const { adjustEstimate = 'auto', newEstimate, reduceBy, increaseBy } = jira.query
  const issue = jira.find('issues', id)
  const tracking = fieldsOf(valuesOf(issue).timetracking)
  const { timeSpentSeconds: spent, remainingEstimateSeconds: left, originalEstimateSeconds } = tracking
  const given = (toSeconds(reduceBy) ?? 0) - (toSeconds(increaseBy) ?? 0)
  const by = adjustEstimate === 'auto' ? seconds : adjustEstimate === 'manual' ? given : 0
  const reduced = left == null ? null : Math.max(0, Number(left) - by)
  const remainingEstimate = adjustEstimate === 'new' ? (toSeconds(newEstimate) ?? 0) : reduced
  const timeSpent = Number(spent ?? 0) + seconds
  const timetracking = toTracking({ originalEstimate: originalEstimateSeconds, remainingEstimate, timeSpent })
  changeIssue(jira, issue, { timetracking })
  const item = itemOf('timespent', 'timespent', String(timeSpent), String(timeSpent), spent ? String(spent) : null)
  noteChange(jira, id, [item], 'worklog_updated')
}

/** An item of a changelog, of what is no field. */
const itemOf = (field: string, fieldId: string, to: string, text: string, from: string | null = null): Fields => ({
  ...{ field, fieldtype: 'jira', fieldId, from, fromString: from, to, toString: text },
})

/** The same of what is removed. */
const removedItem: typeof itemOf = (field, fieldId, from, text) => ({
  ...{ ...itemOf(field, fieldId, from, text, from), fromString: text, to: null, toString: null },
})

/** The given fields of a worklog. */
function toWorklog(jira: Jira, { comment, started, timeSpent, timeSpentSeconds }: Fields): Fields {
  if (started !== undefined && Number.isNaN(Date.parse(String(started))))
    jira.failField('started', 'Error parsing time, expected yyyy-MM-ddTHH:mm:ss.SSSZ.')
  const seconds = timeSpentSeconds ?? (timeSpent === undefined ? undefined : (toSeconds(timeSpent) ?? 0))
  if (seconds !== undefined && Number(seconds) < 60) jira.failField('timeLogged', 'Invalid time duration entered.')
  return {
    ...(comment !== undefined && { comment: toBody(jira, comment) }),
    ...(started !== undefined && { started: toTime(String(started)) }),
    ...(seconds !== undefined && { timeSpent: toPretty(seconds), timeSpentSeconds: seconds }),
  }
}

function addWorklog(jira: Jira, issue: Kept, given: Fields): Kept {
  const facts = toWorklog(jira, given)
  if (facts.timeSpent === undefined) jira.failField('timeLogged', 'You must indicate the time spent working.')
  const worklog = addPart(jira, 'worklog', issue, { issueId: issue.id, started: toTime(jira.now), ...facts })
  spend(jira, issue.id, Number(facts.timeSpentSeconds))
  return worklog
}

/** Links two issues. */
function addLink(jira: Jira, { type, inwardIssue, outwardIssue, comment }: Fields): void {
  const { id, name, key = id ?? name } = fieldsOf(type)
  const found = jira.lookUp('link_types', key) ?? jira.fail(404, `No issue link type with name '${key}' found.`)
  const named = ({ id, key = id ?? '' }: Fields): Kept => jira.find('issues', key)
  const [inward, outward] = [named(fieldsOf(inwardIssue)), named(fieldsOf(outwardIssue))]
  if (inward.id === outward.id) jira.fail(400, 'You cannot link an issue to itself.')
  const ends = { inwardIssue: ref('issues', inward.id), outwardIssue: ref('issues', outward.id) }
  const link = jira.add('links', 'issueLink', { type: ref('link_types', found.id), ...ends })
  tellLink(jira, 'created', link)
  noteLink(jira, link)
  if (comment !== undefined) addComment(jira, inward, fieldsOf(comment))
}

/** Adds a link to the changelogs of its issues. */
function noteLink(jira: Jira, { type, inwardIssue, outwardIssue }: Kept, toItem = itemOf): void {
  const { inward, outward } = fieldsOf(jira.deref(type))
  const note = (one: unknown, words: Json | undefined, other: unknown): void => {
    const key = String(jira.deref(other)?.key)
    noteChange(jira, idOf(one), [toItem('Link', 'issuelinks', key, `This issue ${words} ${key}`)])
  }
  note(inwardIssue, outward, outwardIssue)
  note(outwardIssue, inward, inwardIssue)
}

const tellLink = (jira: Jira, verb: string, { id, inwardIssue, outwardIssue, type }: Kept): void =>
  happen(jira, `issuelink_${verb}`, (of) => {
    const [sourceIssueId, destinationIssueId] = [Number(idOf(inwardIssue)), Number(idOf(outwardIssue))]
    return { issueLink: { id: Number(id), sourceIssueId, destinationIssueId, issueLinkType: of.show(type) } }
  })

/** Adds a user to watchers or voters, or removes one. */
function join(jira: Jira, list: '_watchers' | '_voters', isIn: boolean, id: unknown = jira.me.accountId): void {
  const { issue } = jira
  const user = jira.lookUp('users', id) ?? jira.fail(404, 'The user does not exist.')
  const others = listOf(issue[list]).filter((one) => one.id !== user.accountId)
  jira.records.issues.update(issue, { [list]: isIn ? [...others, ref('users', id)] : others })
}

/** Comments or worklogs of an issue: a list of them, and one. */
const partsOf = (
  path: 'comment' | 'worklog',
  create: (jira: Jira, issue: Kept, body: Fields) => Kept,
  toFacts: (jira: Jira, body: Fields) => Fields,
): Operations => {
  const name = `${path}s` as const
  const list = `issue/{issueIdOrKey}/${path}`
  return {
    [`GET ${list}`]: (jira) => {
      const all = jira.all(name, { _issue: jira.issue.id })
      if (String(jira.query.orderBy).startsWith('-')) all.reverse()
      const most = path === 'comment' ? 100 : 5_000
      const { isLast: _, ...page } = jira.page(all, (one) => jira.whole(name, one), name, most)
      return page
    },
    [`POST ${list}`]: (jira) => jira.whole(name, create(jira, jira.issue, jira.body)),
    [`GET ${list}/{id}`]: (jira) => jira.whole(name, jira.find(name)),
    [`PUT ${list}/{id}`]: (jira) => {
      const { id, timeSpentSeconds: before } = jira.find(name)
      const changed = jira.records[name].update(id, { ...toFacts(jira, jira.body), ...jira.edited })
      tell(jira, `${path}_updated`, changed)
      const more = Number(changed.timeSpentSeconds) - Number(before)
      if (more) spend(jira, changed._issue, more)
      return jira.whole(name, changed)
    },
    [`DELETE ${list}/{id}`]: (jira) => {
      const { _issue, timeSpentSeconds } = tell(jira, `${path}_deleted`, jira.remove(name))
      if (timeSpentSeconds !== undefined) spend(jira, _issue, -Number(timeSpentSeconds))
    },
  }
}

/** Comments or worklogs with the ids of a request. */
const named = (jira: Jira, name: 'comments' | 'worklogs'): Kept[] =>
  [jira.body.ids ?? []].flat().flatMap((id) => jira.records[name].get(String(id)) ?? [])

/** Worklogs that were changed since a time, with the time of each. */
function toChanged(jira: Jira, changed: readonly (readonly [id: unknown, at: number])[]): Shown {
  const since = Number(jira.query.since ?? 0)
  const values = changed.flatMap(([id, updatedTime]) =>
    updatedTime < since ? [] : [{ worklogId: Number(id), updatedTime, properties: [] }],
  )
  const until = values.at(-1)?.updatedTime ?? since
  return { values, since, until, self: jira.link(`worklog/updated?since=${since}`), lastPage: true }
}

const toRemoteLink = ({ body }: Jira): Fields => pick(body, 'globalId', 'relationship', 'object', 'application')

/** Operations on the parts of issues. */
export const parts: Operations = {
  ...partsOf('comment', addComment, (jira, { body, visibility }) => ({
    body: toBody(jira, body),
    ...(visibility !== undefined && { visibility }),
  })),
  ...partsOf('worklog', addWorklog, toWorklog),
  'POST comment/list': (jira) => jira.list('comments', named(jira, 'comments')),
  'POST worklog/list': (jira) => jira.shown('worklogs', named(jira, 'worklogs')),
  'GET worklog/updated': (jira) => {
    const changed = jira.all('worklogs').map(({ id, updated }) => [id, Date.parse(String(updated))] as const)
    return toChanged(jira, changed)
  },
  'GET worklog/deleted': (jira) => {
    const deleted = jira.all('happenings', { 'body.webhookEvent': 'worklog_deleted' }).map(({ body }) => {
      const { worklog, timestamp } = fieldsOf(body)
      return [idOf(worklog), Number(timestamp)] as const
    })
    return toChanged(jira, deleted)
  },
  'POST issue/{issueIdOrKey}/attachments': (jira) => {
    const { files = [], headers, respond } = jira.of
    const { id: _issue } = jira.issue
    if (headers?.['x-atlassian-token'] !== 'no-check') return respond?.({ status: 403, body: 'XSRF check failed' })
    if (files.length === 0) jira.fail(400, 'No file was attached.')
    return files.map(({ name: filename, type, size, base64 }) => {
      const mimeType = type === null || type === 'application/octet-stream' ? typeOfFile(filename) : type
      const facts = { filename, mimeType, size, _base64: base64, _issue }
      const one = tell(jira, 'attachment_created', jira.add('attachments', 'attachment', { ...facts, ...jira.stamp }))
      noteChange(jira, _issue, [itemOf('Attachment', 'attachment', String(one.id), filename)])
      return jira.whole('attachments', one)
    })
  },
  'GET attachment/{id}': (jira) => {
    const one = jira.find('attachments')
    return { ...jira.whole('attachments', one), id: Number(one.id) }
  },
  'GET attachment/content/{id}': (jira) => {
    const { _base64, mimeType, filename } = jira.find('attachments')
    if (_base64 === null) jira.fail(413, 'Files over 8 MB are not kept.')
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(String(filename))}`
    const headers = { 'content-type': String(mimeType), 'content-disposition': disposition }
    return jira.of.respond?.({ status: 200, headers, body: Buffer.from(String(_base64), 'base64') })
  },
  'DELETE attachment/{id}': (jira) => {
    const { id, filename, _issue } = tell(jira, 'attachment_deleted', jira.remove('attachments'))
    noteChange(jira, _issue, [removedItem('Attachment', 'attachment', String(id), String(filename))])
  },
  'POST issueLink': (jira) => jira.respond(201, addLink(jira, jira.body)),
  'GET issueLink/{linkId}': (jira) => jira.whole('links', jira.find('links')),
  'DELETE issueLink/{linkId}': (jira) => {
    const link = jira.remove('links')
    tellLink(jira, 'deleted', link)
    noteLink(jira, link, removedItem)
  },
  'POST issue/watching': (jira) => {
    const issues = [jira.body.issueIds ?? []].flat().flatMap((id) => jira.lookUp('issues', id) ?? [])
    const isMine = (one: Kept) => listOf(one._watchers).some(({ id }) => id === jira.me.accountId)
    return { issuesIsWatching: Object.fromEntries(issues.map((one) => [one.id, isMine(one)])) }
  },
  'GET issue/{issueIdOrKey}/watchers': (jira) => membersOf(jira, jira.issue, '_watchers', 'watchers'),
  'POST issue/{issueIdOrKey}/watchers': (jira) => {
    const accountId: unknown = jira.body
    return join(jira, '_watchers', true, typeof accountId === 'string' ? accountId : undefined)
  },
  'DELETE issue/{issueIdOrKey}/watchers': (jira) => join(jira, '_watchers', false, jira.query.accountId),
  'GET issue/{issueIdOrKey}/votes': (jira) => membersOf(jira, jira.issue, '_voters', 'voters'),
  'POST issue/{issueIdOrKey}/votes': (jira) =>
    idOf(valuesOf(jira.issue).reporter) === jira.me.accountId
      ? jira.fail(404, 'You cannot vote for an issue you have reported.')
      : join(jira, '_voters', true),
  'DELETE issue/{issueIdOrKey}/votes': (jira) => join(jira, '_voters', false),
  'POST issue/{issueIdOrKey}/notify': (jira) => void jira.issue,
  'GET issue/{issueIdOrKey}/remotelink': (jira) => {
    const { globalId } = jira.query
    const all = jira.shown('remote_links', jira.all('remote_links', { _issue: jira.issue.id }))
    if (globalId === undefined) return all
    return all.find((one) => one.globalId === globalId) ?? jira.fail(404, `There is no remote link ${globalId}.`)
  },
  'POST issue/{issueIdOrKey}/remotelink': (jira) => {
    const { globalId = null, object } = jira.body
    const { remote_links } = jira.records
    const { id: _issue } = jira.issue
    const absent = ['url', 'title'].find((name) => typeof fieldsOf(object)[name] !== 'string')
    if (absent !== undefined) jira.failField(absent, `'${absent}' is required.`)
    const old = globalId === null ? undefined : remote_links.find({ _issue, globalId })
    const given = toRemoteLink(jira)
    const add = () => jira.add('remote_links', `issue/${_issue}/remotelink`, { _issue, application: {}, ...given })
    const link = old ? remote_links.update(old, given) : add()
    return jira.respond(old ? 200 : 201, jira.whole('remote_links', link, ['id']))
  },
  'GET issue/{issueIdOrKey}/remotelink/{linkId}': (jira) => jira.whole('remote_links', jira.find('remote_links')),
  'PUT issue/{issueIdOrKey}/remotelink/{linkId}': (jira) => void jira.change('remote_links', toRemoteLink(jira)),
  'DELETE issue/{issueIdOrKey}/remotelink/{linkId}': (jira) => void jira.remove('remote_links'),
  'DELETE issue/{issueIdOrKey}/remotelink': (jira) => {
    const { globalId = null } = jira.query
    for (const one of jira.all('remote_links', { _issue: jira.issue.id, globalId }))
      jira.records.remote_links.remove(one)
  },
}
