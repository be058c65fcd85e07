import type { OperationContext } from '../../src/handlers.ts'
import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { allOf, filled, type Handler, isThere, MOST, paged, pick } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'
const repoOf = (context: OperationContext) => {
  const { status, body } = context.call('GET', filled(context, REPO))
  return status < 400 ? fieldsOf(body) : undefined
}

/** Types of events that feeds show. https://docs.github.com/rest/using-the-rest-api/github-event-types */
const FEED: Readonly<Record<string, string>> = {
  ...{ push: 'PushEvent', create: 'CreateEvent', delete: 'DeleteEvent', fork: 'ForkEvent', watch: 'WatchEvent' },
  ...{ issues: 'IssuesEvent', issue_comment: 'IssueCommentEvent', commit_comment: 'CommitCommentEvent' },
  ...{ pull_request: 'PullRequestEvent', pull_request_review: 'PullRequestReviewEvent' },
  ...{ pull_request_review_comment: 'PullRequestReviewCommentEvent', release: 'ReleaseEvent' },
  ...{ member: 'MemberEvent', repository: 'PublicEvent' },
}
const newestFirst = (rows: readonly JsonObject[] = []) =>
  rows.toSorted((left, right) => Number(right.id) - Number(left.id))
const SHARED = ['repository', 'sender', 'organization', 'installation']

const feed =
  (at: string, where: (context: OperationContext) => JsonObject | undefined, isPublic = false): Handler =>
  (context) => {
    const test = where(context)
    if (test === undefined) return isThere(context, false)
    const rows = newestFirst(context.records.happenings?.where(test)).flatMap((one): JsonObject[] => {
      const type = FEED[String(one.type).split('.')[0] ?? '']
      const sent = fieldsOf(one.payload)
      const [actor, repo] = [fieldsOf(sent.sender), fieldsOf(sent.repository)]
      // A push without commits only makes or removes a ref, which has its own event.
      const isNew = type !== 'PushEvent' || listOf(sent.commits).length > 0
      if (type === undefined || !isNew) return []
      if (isPublic && repo.private === true) return []
      const payload = Object.fromEntries(Object.entries(sent).filter(([name]) => !SHARED.includes(name)))
      return [
        {
          ...{ id: String(one.id), type, payload, public: repo.private !== true, created_at: one.created_at ?? null },
          actor: { ...pick(actor, ['id', 'login', 'url', 'avatar_url']), display_login: actor.login, gravatar_id: '' },
          repo: { ...pick(repo, ['id', 'url']), name: repo.full_name },
        } as JsonObject,
      ]
    })
    return paged(context, at, rows)
  }
const ofUser = ({ records, path }: OperationContext): JsonObject | undefined => {
  const user = records.users?.find({ key: String(path.username).toLowerCase() })
  return user && { 'payload.sender.id': user.id ?? 0 }
}
const ofOrg = ({ records, path }: OperationContext): JsonObject | undefined => {
  const org = records.users?.find({ key: String(path.org).toLowerCase(), type: 'Organization' })
  return org && { 'payload.organization.id': org.id ?? 0 }
}
const ofRepo = (context: OperationContext): JsonObject | undefined => {
  const repo = repoOf(context)
  return repo && { repository_id: repo.id ?? 0 }
}

/** Pushes to a repository, by kind. https://docs.github.com/rest/repos/repos#list-repository-activities */
const activity: Handler = (context) => {
  const { records, query } = context
  const repo = repoOf(context)
  if (repo === undefined) return isThere(context, false)
  const merges = new Set(
    records.pulls?.where({ repository_id: repo.id, merged: true }).map((one) => one.merge_commit_sha),
  )
  const rows = newestFirst(records.happenings?.where({ repository_id: repo.id, type: 'push' })).map(
    (one): JsonObject => {
      const { before = null, after = null, ref = null, created, deleted, forced, sender } = fieldsOf(one.payload)
      const kinds = {
        branch_creation: created,
        branch_deletion: deleted,
        force_push: forced,
        pr_merge: merges.has(after),
      }
      const [activity_type = 'push'] = Object.entries(kinds).flatMap(([kind, is]) => (is === true ? [kind] : []))
      const node_id = Buffer.from(`PSH_${one.id}`).toString('base64')
      return {
        id: one.id,
        node_id,
        before,
        after,
        ref,
        timestamp: one.created_at,
        activity_type,
        actor: sender,
      } as JsonObject
    },
  )
  const { ref, actor, activity_type, direction, per_page = 30 } = query as Record<string, string | undefined>
  const found = rows.filter(
    (one) =>
      (ref === undefined || [ref, `refs/heads/${ref}`].includes(String(one.ref))) &&
      (actor === undefined || fieldsOf(one.actor).login === actor) &&
      (activity_type === undefined || one.activity_type === activity_type),
  )
  return (direction === 'asc' ? found.toReversed() : found).slice(0, Math.min(Number(per_page), MOST))
}

const [DAY, WEEKS] = [86_400, 52]

/** Commits of the default branch in the last year: by week, which begins on Sunday, and then by day. */
const commitsByWeek =
  (show: (weeks: { week: number; days: number[]; own: number }[]) => Json): Handler =>
  (context) => {
    const { records, now } = context
    const repo = repoOf(context)
    if (repo === undefined) return isThere(context, false)
    const today = Math.floor(now.getTime() / 1_000 / DAY)
    const sunday = today - ((today + 4) % 7) // 1970 began on a Thursday
    const weeks = Array.from({ length: WEEKS }, (_, at) => ({
      ...{ week: (sunday - 7 * (WEEKS - 1 - at)) * DAY, days: Array<number>(7).fill(0), own: 0 },
    }))
    const { sha } = records.refs?.find({ repository_id: repo.id, ref: `refs/heads/${repo.default_branch}` }) ?? {}
    const tip = records.commits?.find({ repository_id: repo.id, sha: String(sha) })
    const shas = tip === undefined ? [] : [tip.sha, ...(Array.isArray(tip.ancestors) ? tip.ancestors : [])]
    for (const one of shas) {
      const commit = records.commits?.find({ repository_id: repo.id, sha: String(one) })
      const at =
        Math.floor(Date.parse(valueText(fieldsOf(commit?.committer).date)) / 1_000 / DAY) - (weeks[0]?.week ?? 0) / DAY
      const week = weeks[Math.floor(at / 7)]
      if (week === undefined) continue
      week.days[at % 7] = (week.days[at % 7] ?? 0) + 1
      if (commit?.author_id === fieldsOf(repo.owner).id) week.own++
    }
    return show(weeks) as object
  }
const sum = (days: readonly number[]) => days.reduce((total, one) => total + one, 0)

/** The share of seven things that a repository has. https://docs.github.com/rest/metrics/community */
const profile: Handler = (context) => {
  const repo = repoOf(context)
  if (repo === undefined) return isThere(context, false)
  const at = filled(context, REPO)
  const all = ['.github', '', 'docs'].flatMap((folder) => listOf(context.call('GET', `${at}/contents/${folder}`).body))
  const named = (name: RegExp) => {
    const file = all.find((one) => name.test(String(one.name)))
    return file ? { url: file.url ?? null, html_url: file.html_url ?? null } : null
  }
  const code = named(/^code[-_]of[-_]conduct(\.|$)/i)
  const { license = null, description = null, homepage = null, updated_at = null } = repo
  const licence = named(/^licen[sc]e(\.|$)/i)
  const files = {
    code_of_conduct: code && {
      ...{ key: 'other', name: 'Other' },
      url: `${repo.url}/community/code_of_conduct`,
      html_url: code.html_url,
    },
    code_of_conduct_file: code,
    contributing: named(/^contributing(\.|$)/i),
    issue_template: named(/^issue_template(\.|$)/i),
    pull_request_template: named(/^pull_request_template(\.|$)/i),
    license: licence && { ...fieldsOf(license), html_url: licence.html_url },
    readme: named(/^readme(\.|$)/i),
  }
  const { code_of_conduct_file: _, ...counted } = files
  const present = [description, ...Object.values(counted)].filter((one) => one !== null && one !== '').length
  return {
    ...{ health_percentage: Math.floor((present / 7) * 100), description, documentation: homepage, files, updated_at },
    ...(fieldsOf(repo.owner).type === 'Organization' && { content_reports_enabled: false }),
  }
}

/** An archive is at another host, whose bytes are not simulated. https://docs.github.com/rest/repos/contents#download-a-repository-archive-zip */
const archive =
  (kind: string): Handler =>
  (context) => {
    const { path, call, respond } = context
    const repo = repoOf(context)
    const ref = valueText(path.ref)
    if (repo === undefined || call('GET', `${filled(context, REPO)}/commits/${encodeURIComponent(ref)}`).status >= 400)
      return isThere(context, false)
    const isBranch = call('GET', `${filled(context, REPO)}/branches/${encodeURIComponent(ref)}`).status < 400
    const full = isBranch ? `refs/heads/${ref}` : ref
    const Location = `https://codeload.github.example/${repo.full_name}/legacy.${kind}/${full}`
    return respond({ status: 302, headers: { Location }, body: null })
  }

/** Whom issues of a repository can be assigned to: all its own people, and for an issue who wrote in it. */
const assignable = (context: OperationContext): JsonObject[] => {
  const { records, path } = context
  const { id = 0, owner } = repoOf(context) ?? {}
  const account = records.users?.get(String(fieldsOf(owner).id))
  const own = account?.type === 'Organization' && Array.isArray(account.members) ? account.members : [account?.id]
  const issue = records.issues?.find({ repository_id: id, number: Number(path.issue_number ?? 0) })
  const writers = issue ? [issue, ...(records.comments?.where({ issue_id: issue.id }) ?? [])] : []
  const others = [...(records.collaborators?.where({ repository_id: id, pending: false }) ?? []), ...writers]
  const ids = new Set([...own, records.users?.find({ me: true })?.id, ...others.map(({ user_id }) => user_id)])
  return allOf(context, '/users').filter((user) => ids.has(user.id))
}
const isAssignable: Handler = (context) => {
  const login = String(context.path.assignee).toLowerCase()
  return isThere(
    context,
    assignable(context).some((user) => String(user.login).toLowerCase() === login),
  )
}

export const activities: Record<string, Handler> = {
  'GET /events': feed('/events', () => ({}), true),
  [`GET ${REPO}/events`]: feed(`${REPO}/events`, ofRepo),
  'GET /orgs/{org}/events': feed('/orgs/{org}/events', ofOrg, true),
  'GET /users/{username}/events': feed('/users/{username}/events', ofUser),
  'GET /users/{username}/events/public': feed('/users/{username}/events/public', ofUser, true),
  [`GET ${REPO}/activity`]: activity,
  [`GET ${REPO}/stats/commit_activity`]: commitsByWeek((weeks) =>
    weeks.map(({ week, days }) => ({ days, total: sum(days), week })),
  ),
  [`GET ${REPO}/stats/participation`]: commitsByWeek((weeks) => ({
    all: weeks.map(({ days }) => sum(days)),
    owner: weeks.map(({ own }) => own),
  })),
  [`GET ${REPO}/community/profile`]: profile,
  [`GET ${REPO}/zipball/{ref}`]: archive('zip'),
  [`GET ${REPO}/tarball/{ref}`]: archive('tar.gz'),
  [`GET ${REPO}/assignees`]: (context) =>
    repoOf(context) ? paged(context, `${REPO}/assignees`, assignable(context)) : isThere(context, false),
  [`GET ${REPO}/assignees/{assignee}`]: isAssignable,
  [`GET ${REPO}/issues/{issue_number}/assignees/{assignee}`]: isAssignable,
}
