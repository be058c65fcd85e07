import {
  type Context,
  type Fields,
  fail,
  fieldsOf,
  issueOf,
  type Json,
  type Kept,
  linkTo,
  meOf,
  nextOf,
  recordOf,
  type Shown,
  showUser,
  toPage,
  type Work,
} from './context.ts'
import { isDocument, toDocument } from './documents.ts'
import { toSeconds } from './fields.ts'
import { happen } from './hooks.ts'
import { changeIssue, noteChange, pathIssue } from './issues.ts'
import { optionOf, showOption } from './scheme.ts'
import { showAttachment, showComment, showLink, showVotes, showWatchers, showWorklog } from './view.ts'

/** A rich text of a request: a document, in version 2 a text. */
function toBody(work: Work, value: Json | undefined, name: string): Fields {
  if (work.version === 2 && typeof value === 'string' && value.trim() !== '') return toDocument(value)
  if (value !== undefined && work.version !== 2 && isDocument(value)) return value
  const isEmpty = value === undefined || value === null || value === ''
  return fail(
    work,
    400,
    isEmpty ? 'Comment body can not be empty!' : 'Comment body is not valid!',
    isEmpty
      ? {}
      : {
          [name]:
            work.version === 2
              ? 'Operation value must be a string'
              : 'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
        },
  )
}

const stamp = (work: Work): Fields => {
  const [me, time] = [meOf(work).id, work.now.toISOString()]
  return { author: me, updateAuthor: me, created: time, updated: time }
}
const edited = (work: Work): Fields => ({ updateAuthor: meOf(work).id, updated: work.now.toISOString() })

const tellComment = (context: Context, verb: string, issue: Kept, comment: Kept): void =>
  happen(
    context,
    `comment_${verb}`,
    (of) => {
      const { id, key, values } = issue
      const { summary, status, issuetype, priority, assignee } = fieldsOf(values)
      const options = {
        status: showOption(of, 'status', status),
        issuetype: showOption(of, 'issuetype', issuetype),
        priority: showOption(of, 'priority', priority),
      }
      return {
        comment: showComment(of, comment),
        issue: {
          id,
          key,
          self: linkTo(of, `issue/${id}`),
          fields: { summary, ...options, assignee: showUser(of, assignee) },
        },
      }
    },
    issue,
  )

export function addComment(context: Context, issue: Kept, { body, visibility = null }: Fields): Kept {
  const facts = { issue: issue.id, body: toBody(context, body, 'body'), visibility, ...stamp(context) }
  const comment = context.records.comments.create({ id: String(nextOf(context, 'comments')), ...facts })
  touch(context, issue)
  tellComment(context, 'created', issue, comment)
  return comment
}

/** Sets when an issue was updated. */
function touch(context: Context, { id }: Kept): void {
  const values = fieldsOf(issueOf(context, id).values)
  context.records.issues.update(id, { values: { ...values, updated: context.now.toISOString() } })
}

/** A part of the issue of the path. */
function partOf(context: Context, collection: 'comments' | 'worklogs', message: string): [Kept, Kept] {
  const issue = pathIssue(context)
  const part = context.records[collection].get(context.path.id)
  return part?.issue === issue.id ? [issue, part] : fail(context, 404, message)
}
const commentOf = (context: Context) =>
  partOf(context, 'comments', `Can not find a comment for the id: ${context.path.id}.`)
const worklogOf = (context: Context) =>
  partOf(context, 'worklogs', `Cannot find worklog with id: '${context.path.id}'.`)

/** Adds seconds to what was spent on an issue, and takes them from the remaining estimate. */
function spend(context: Context, issue: Kept, seconds: number): void {
  const { adjustEstimate = 'auto', newEstimate, reduceBy } = context.query
  const tracking = fieldsOf(fieldsOf(issueOf(context, issue.id).values).timetracking)
  const { spent, remaining } = tracking
  const by = adjustEstimate === 'auto' ? seconds : adjustEstimate === 'manual' ? (toSeconds(reduceBy) ?? 0) : 0
  const left =
    adjustEstimate === 'new'
      ? (toSeconds(newEstimate) ?? 0)
      : remaining == null
        ? null
        : Math.max(0, Number(remaining) - by)
  const now = Number(spent ?? 0) + seconds
  changeIssue(context, issue, { timetracking: { ...tracking, spent: now, remaining: left } })
  const text = (value: Json | undefined): string | null => (value ? String(value) : null)
  noteChange(
    context,
    issueOf(context, issue.id),
    [
      {
        field: 'timespent',
        fieldtype: 'jira',
        fieldId: 'timespent',
        from: text(spent),
        fromString: text(spent),
        to: String(now),
        toString: String(now),
      },
    ],
    'worklog_updated',
  )
}

const secondsOf = (context: Context, { timeSpent, timeSpentSeconds }: Fields): number => {
  const seconds = timeSpentSeconds ?? (timeSpent === undefined ? undefined : toSeconds(timeSpent))
  if (timeSpent === undefined && timeSpentSeconds === undefined)
    return fail(context, 400, [], { timeLogged: 'You must indicate the time spent working.' })
  return typeof seconds === 'number' && seconds >= 60
    ? seconds
    : fail(context, 400, [], { timeLogged: 'Invalid time duration entered.' })
}

export function addWorklog(context: Context, issue: Kept, given: Fields): Kept {
  const seconds = secondsOf(context, given)
  const { comment, started } = given
  const begin = started === undefined ? context.now : new Date(String(started))
  if (Number.isNaN(begin.getTime()))
    return fail(context, 400, [], { started: 'Error parsing time, expected yyyy-MM-ddTHH:mm:ss.SSSZ.' })
  const facts = {
    issue: issue.id,
    comment: comment === undefined ? null : toBody(context, comment, 'comment'),
    seconds,
    started: begin.toISOString(),
  }
  const worklog = context.records.worklogs.create({
    id: String(nextOf(context, 'worklogs')),
    ...facts,
    ...stamp(context),
  })
  happen(context, 'worklog_created', (of) => ({ worklog: showWorklog(of, worklog) }), issue)
  spend(context, issue, seconds)
  return worklog
}

/** Links two issues. */
export function addLink(context: Context, { type, inwardIssue, outwardIssue, comment }: Fields): void {
  const { id, name } = fieldsOf(type)
  const found =
    optionOf('issueLinkType', id ?? name) ?? fail(context, 404, `No issue link type with name '${name ?? id}' found.`)
  const [inward, outward] = [inwardIssue, outwardIssue].map((one) =>
    issueOf(context, fieldsOf(one).key ?? fieldsOf(one).id),
  ) as [Kept, Kept]
  if (inward.id === outward.id) fail(context, 400, 'You cannot link an issue to itself.')
  const link = context.records.links.create({
    id: String(nextOf(context, 'links')),
    type: found.id,
    inward: inward.id,
    outward: outward.id,
  })
  tellLink(context, 'created', link)
  const item = (words: unknown, other: Kept): Fields => ({
    field: 'Link',
    fieldtype: 'jira',
    fieldId: 'issuelinks',
    from: null,
    fromString: null,
    to: other.key ?? null,
    toString: `This issue ${words} ${other.key}`,
  })
  noteChange(context, inward, [item(found.outward, outward)])
  noteChange(context, outward, [item(found.inward, inward)])
  if (comment !== undefined) addComment(context, inward, fieldsOf(comment))
}

const tellLink = (context: Context, verb: string, { id, inward, outward, type }: Kept): void =>
  happen(context, `issuelink_${verb}`, (of) => {
    const issueLink = {
      id: Number(id),
      sourceIssueId: Number(inward),
      destinationIssueId: Number(outward),
      issueLinkType: showOption(of, 'issueLinkType', type),
    }
    return { issueLink }
  })

const noContent = (context: Context): object => context.respond({ status: 204 })
const linkOf = (context: Context): Kept =>
  recordOf(context, 'links', context.path.linkId, `No issue link with id '${context.path.linkId}' exists.`)
const attachmentOf = (context: Context): Kept =>
  recordOf(context, 'attachments', context.path.id, `The attachment with id '${context.path.id}' does not exist`)

/** Adds a user to watchers or voters, or removes one. */
function join(context: Context, list: 'watchers' | 'voters', user: string, isIn: boolean): object {
  const issue = pathIssue(context)
  const others = (issue[list] as string[]).filter((one) => one !== user)
  context.records.issues.update(issue.id, { [list]: isIn ? [...others, user] : others })
  return noContent(context)
}

const watcherOf = (context: Context, accountId: unknown): string => {
  const user = accountId === undefined ? meOf(context) : context.records.users.get(String(accountId))
  return user?.id ?? fail(context, 404, 'The user does not exist.')
}

const showRemote = (context: Context, { id, global_id, relationship, object, application }: Kept): Shown => ({
  id: Number(id),
  self: linkTo(context, `issue/${context.path.issueIdOrKey}/remotelink/${id}`),
  ...(global_id !== null && { globalId: global_id }),
  ...(relationship !== null && { relationship }),
  application: application ?? {},
  object,
})

export const talk = {
  'GET /rest/api/3/issue/{issueIdOrKey}/comment': (context: Context) => {
    const all = context.records.comments.where({ issue: pathIssue(context).id })
    const sorted = String(context.query.orderBy).startsWith('-') ? all : all.toReversed()
    const { isLast: _, ...page } = toPage(context, sorted, (one) => showComment(context, one), 'comments')
    return page
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/comment': (context: Context) =>
    showComment(context, addComment(context, pathIssue(context), context.body)),
  'GET /rest/api/3/issue/{issueIdOrKey}/comment/{id}': (context: Context) =>
    showComment(context, commentOf(context)[1]),
  'PUT /rest/api/3/issue/{issueIdOrKey}/comment/{id}': (context: Context) => {
    const [issue, { id }] = commentOf(context)
    const comment = context.records.comments.update(id, {
      body: toBody(context, context.body.body, 'body'),
      ...edited(context),
    })
    tellComment(context, 'updated', issue, comment)
    return showComment(context, comment)
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/comment/{id}': (context: Context) => {
    const [issue, comment] = commentOf(context)
    context.records.comments.remove(comment.id)
    tellComment(context, 'deleted', issue, comment)
    return noContent(context)
  },
  'GET /rest/api/3/issue/{issueIdOrKey}/worklog': (context: Context) => {
    const all = context.records.worklogs.where({ issue: pathIssue(context).id }).toReversed()
    const { isLast: _, ...page } = toPage(context, all, (one) => showWorklog(context, one), 'worklogs')
    return page
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/worklog': (context: Context) =>
    showWorklog(context, addWorklog(context, pathIssue(context), context.body)),
  'GET /rest/api/3/issue/{issueIdOrKey}/worklog/{id}': (context: Context) =>
    showWorklog(context, worklogOf(context)[1]),
  'PUT /rest/api/3/issue/{issueIdOrKey}/worklog/{id}': (context: Context) => {
    const [issue, worklog] = worklogOf(context)
    const { comment, started, timeSpent, timeSpentSeconds } = context.body
    const seconds =
      timeSpent === undefined && timeSpentSeconds === undefined
        ? Number(worklog.seconds)
        : secondsOf(context, context.body)
    const changed = context.records.worklogs.update(worklog.id, {
      seconds,
      ...(comment !== undefined && { comment: toBody(context, comment, 'comment') }),
      ...(started !== undefined && { started: new Date(String(started)).toISOString() }),
      ...edited(context),
    })
    happen(context, 'worklog_updated', (of) => ({ worklog: showWorklog(of, changed) }), issue)
    if (seconds !== worklog.seconds) spend(context, issue, seconds - Number(worklog.seconds))
    return showWorklog(context, changed)
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/worklog/{id}': (context: Context) => {
    const [issue, worklog] = worklogOf(context)
    context.records.worklogs.remove(worklog.id)
    happen(context, 'worklog_deleted', (of) => ({ worklog: showWorklog(of, worklog) }), issue)
    spend(context, issue, -Number(worklog.seconds))
    return noContent(context)
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/attachments': (context: Context) => {
    const issue = pathIssue(context)
    if (context.headers['x-atlassian-token'] !== 'no-check')
      return context.respond({ status: 403, headers: { 'content-type': 'text/plain' }, body: 'XSRF check failed' })
    if (context.files.length === 0) return fail(context, 400, 'No file was attached.')
    return context.files.map(({ name, type, size, base64 }) => {
      const facts = { issue: issue.id, filename: name, mimeType: type ?? 'application/octet-stream', size, base64 }
      const { author, created } = stamp(context) as { author: string; created: string }
      const one = context.records.attachments.create({
        id: String(nextOf(context, 'attachments')),
        ...facts,
        author,
        created,
      })
      happen(context, 'attachment_created', (of) => ({ attachment: showAttachment(of, one) }), issue)
      noteChange(context, issue, [
        {
          field: 'Attachment',
          fieldtype: 'jira',
          fieldId: 'attachment',
          from: null,
          fromString: null,
          to: one.id,
          toString: name,
        },
      ])
      return showAttachment(context, one)
    })
  },
  'GET /rest/api/3/attachment/meta': () => ({ enabled: true, uploadLimit: 8 * 2 ** 20 }),
  'GET /rest/api/3/attachment/{id}': (context: Context) => {
    const one = attachmentOf(context)
    return { ...showAttachment(context, one), id: Number(one.id) }
  },
  'GET /rest/api/3/attachment/content/{id}': (context: Context) => {
    const { base64, mimeType, filename } = attachmentOf(context)
    if (base64 === null) return fail(context, 413, 'Files over 8 MB are not kept.')
    const headers = {
      'content-type': String(mimeType),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(String(filename))}`,
    }
    return context.respond({ status: 200, headers, body: Buffer.from(String(base64), 'base64') })
  },
  'DELETE /rest/api/3/attachment/{id}': (context: Context) => {
    const one = attachmentOf(context)
    context.records.attachments.remove(one.id)
    happen(context, 'attachment_deleted', (of) => ({ attachment: showAttachment(of, one) }))
    return noContent(context)
  },
  'POST /rest/api/3/issueLink': (context: Context) => {
    addLink(context, context.body)
    return context.respond({ status: 201 })
  },
  'GET /rest/api/3/issueLink/{linkId}': (context: Context) => showLink(context, linkOf(context)),
  'DELETE /rest/api/3/issueLink/{linkId}': (context: Context) => {
    const link = linkOf(context)
    context.records.links.remove(link.id)
    tellLink(context, 'deleted', link)
    return noContent(context)
  },
  'GET /rest/api/3/issue/{issueIdOrKey}/watchers': (context: Context) => {
    const issue = pathIssue(context)
    return {
      ...showWatchers(context, issue),
      watchers: (issue.watchers as string[]).map((id) => showUser(context, id)),
    }
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/watchers': (context: Context) => {
    const accountId: unknown = context.body
    return join(context, 'watchers', watcherOf(context, typeof accountId === 'string' ? accountId : undefined), true)
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/watchers': (context: Context) =>
    join(context, 'watchers', watcherOf(context, context.query.accountId), false),
  'GET /rest/api/3/issue/{issueIdOrKey}/votes': (context: Context) => {
    const issue = pathIssue(context)
    return { ...showVotes(context, issue), voters: (issue.voters as string[]).map((id) => showUser(context, id)) }
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/votes': (context: Context) => {
    const me = meOf(context).id
    if (fieldsOf(pathIssue(context).values).reporter === me)
      return fail(context, 404, 'You cannot vote for an issue you have reported.')
    return join(context, 'voters', me, true)
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/votes': (context: Context) =>
    join(context, 'voters', meOf(context).id, false),
  'GET /rest/api/3/issue/{issueIdOrKey}/remotelink': (context: Context) =>
    context.records.remote_links
      .where({ issue: pathIssue(context).id })
      .toReversed()
      .map((one) => showRemote(context, one)),
  'POST /rest/api/3/issue/{issueIdOrKey}/remotelink': (context: Context) => {
    const { globalId = null, relationship = null, object = null, application = null } = context.body
    const { remote_links } = context.records
    const issue = pathIssue(context).id
    const { url, title } = fieldsOf(object)
    if (typeof url !== 'string' || typeof title !== 'string')
      return fail(context, 400, [], {
        [typeof url === 'string' ? 'title' : 'url']: `'${typeof url === 'string' ? 'title' : 'url'}' is required.`,
      })
    const old = globalId === null ? undefined : remote_links.find({ issue, global_id: globalId })
    const facts = { issue, global_id: globalId, relationship, object, application }
    const { id } = old
      ? remote_links.update(old.id, facts)
      : remote_links.create({ id: String(nextOf(context, 'remote_links')), ...facts })
    return context.respond({
      status: old ? 200 : 201,
      body: { id: Number(id), self: linkTo(context, `issue/${context.path.issueIdOrKey}/remotelink/${id}`) },
    })
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/remotelink/{linkId}': (context: Context) => {
    pathIssue(context)
    context.records.remote_links.remove(
      recordOf(context, 'remote_links', context.path.linkId, 'The remote issue link does not exist.').id,
    )
    return noContent(context)
  },
}
