import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { secondsOf } from './answers.ts'
import { filled, GraphqlFault, type Operation, parseOperation, type Selection } from './graphql.ts'
import { htmlOf } from './markdown.ts'
import { REACTIONS } from './reactions.ts'

/** Scalars by type: the field, and after `:` where it stands in the REST answer; `!` for an enum. */
const SCALARS: Readonly<Record<string, string>> = {
  User: 'id:node_id databaseId:id login name email bio company location websiteUrl:blog twitterUsername avatarUrl createdAt updatedAt url:html_url isSiteAdmin:site_admin isHireable:hireable',
  Organization:
    'id:node_id databaseId:id login name description email location websiteUrl:blog twitterUsername avatarUrl createdAt updatedAt url:html_url',
  Repository:
    'id:node_id databaseId:id name nameWithOwner:full_name description url:html_url sshUrl homepageUrl:homepage isPrivate:private isFork:fork isArchived:archived isTemplate visibility! stargazerCount:stargazers_count forkCount:forks_count hasIssuesEnabled:has_issues hasWikiEnabled:has_wiki hasProjectsEnabled:has_projects hasDiscussionsEnabled:has_discussions isDisabled:disabled mirrorUrl forkingAllowed:allow_forking mergeCommitAllowed:allow_merge_commit squashMergeAllowed:allow_squash_merge rebaseMergeAllowed:allow_rebase_merge autoMergeAllowed:allow_auto_merge deleteBranchOnMerge webCommitSignoffRequired diskUsage:size createdAt updatedAt pushedAt',
  Issue:
    'id:node_id databaseId:id fullDatabaseId:id number title body bodyText:body url:html_url state! stateReason! locked activeLockReason! createdAt publishedAt:created_at updatedAt closedAt authorAssociation!',
  PullRequest:
    'id:node_id databaseId:id fullDatabaseId:id number title body bodyText:body url:html_url permalink:html_url locked activeLockReason! isDraft:draft canBeRebased:rebaseable publishedAt:created_at merged createdAt updatedAt closedAt mergedAt additions deletions changedFiles headRefName:head.ref headRefOid:head.sha baseRefName:base.ref baseRefOid:base.sha authorAssociation! maintainerCanModify mergeStateStatus:mergeable_state!',
  AutoMergeRequest:
    'enabledAt:enabled_at mergeMethod:merge_method! commitHeadline:commit_title commitBody:commit_message',
  Label: 'id:node_id name color description isDefault:default',
  Milestone: 'id:node_id number title description state! dueOn createdAt updatedAt closedAt url:html_url',
  IssueComment: 'id:node_id databaseId:id body bodyText:body createdAt updatedAt url:html_url authorAssociation!',
  PullRequestReview:
    'id:node_id databaseId:id body state! submittedAt createdAt:submitted_at url:html_url authorAssociation!',
  PullRequestReviewComment:
    'id:node_id databaseId:id body path line createdAt updatedAt url:html_url diffHunk outdated',
  PullRequestReviewThread: 'path line startLine diffSide:side! startDiffSide:start_side! subjectType!',
  Commit:
    'id:node_id oid:sha message:commit.message committedDate:commit.committer.date authoredDate:commit.author.date url:html_url commitUrl:html_url additions:stats.additions deletions:stats.deletions',
  GitActor: 'name email date',
  Ref: 'id:node_id name prefix',
  Blob: 'oid:sha text byteSize:size isBinary',
  Tree: 'oid:sha',
  TreeEntry: 'name path oid:sha',
  PullRequestCommit: 'id:node_id url:html_url',
  PullRequestChangedFile: 'path:filename additions deletions changeType:status!',
  StatusCheckRollup: 'state!',
  Status: 'state!',
  StatusContext: 'context state! description targetUrl createdAt',
  CheckRun: 'databaseId:id name status! conclusion! detailsUrl startedAt completedAt',
  Release:
    'id:node_id databaseId:id name tagName description:body isDraft:draft isPrerelease:prerelease createdAt publishedAt url:html_url',
  ReleaseAsset: 'id:node_id name size contentType downloadCount downloadUrl:browser_download_url',
  Language: 'name color size',
  Team: 'id:node_id databaseId:id name slug description privacy! url:html_url',
  TimelineEvent:
    'id:node_id createdAt stateReason:state_reason! previousTitle:rename.from currentTitle:rename.to milestoneTitle:milestone.title lockReason:lock_reason!',
  Contributions:
    'totalCommitContributions totalIssueContributions totalPullRequestContributions totalPullRequestReviewContributions',
  ContributionCalendar: 'totalContributions',
  License: 'key name spdxId',
  Topic: 'name',
  Reaction: 'id:node_id content!',
  RateLimit: 'limit remaining used cost resetAt:reset_at',
  SearchResult: 'issueCount:count repositoryCount:count userCount:count',
}
/** Types of a union or an interface: of what is not in a table, `__type` says it. */
const ABSTRACT: Readonly<Record<string, string>> = {
  Actor: 'User',
  RepositoryOwner: 'User',
  Assignee: 'User',
  RequestedReviewer: 'User',
}
const UNIONS = new Set([
  'TimelineItem',
  'Node',
  'SearchResultItem',
  'GitObject',
  'IssueOrPullRequest',
  'StatusCheckRollupContext',
])
const PAGED = new Set(['nodes', 'edges', 'pageInfo'])
const MOST_OF_PAGE = 100

const THREAD = 'author:Actor=user assignees:*User labels:*Label milestone:Milestone'
/**
 * Links by type: the field, the type that it leads to (`*` a connection, `[` a list), and where it is found: a field of the
 * REST answer, after `=` with another name, or after `/` what stands below its path.
 */
const PLAIN_LINKS: Readonly<Record<string, string>> = {
  Repository:
    'owner:RepositoryOwner parent:Repository licenseInfo:License=license stargazers:*User/stargazers watchers:*User/subscribers mentionableUsers:*User/assignees forks:*Repository/forks collaborators:*User/collaborators assignableUsers:*User/assignees latestRelease:Release/releases/latest',
  User: 'organizations:*Organization/orgs followers:*User/followers following:*User/following starredRepositories:*Repository/starred',
  Organization: 'membersWithRole:*User/members teams:*Team/teams',
  TimelineEvent:
    'actor:Actor label:Label assignee:Assignee user:User=assignee requestedReviewer:RequestedReviewer=requested_reviewer milestone:Milestone',
  Issue: THREAD,
  PullRequest: `${THREAD} headRepository:Repository=head.repo headRepositoryOwner:RepositoryOwner=head.user baseRepository:Repository=base.repo commits:*PullRequestCommit/commits files:*PullRequestChangedFile/files reviewRequests:*ReviewRequest=requested_reviewers autoMergeRequest:AutoMergeRequest=auto_merge`,
  IssueComment: 'author:Actor=user',
  PullRequestReview: 'author:Actor=user',
  PullRequestReviewComment: 'author:Actor=user',
  PullRequestReviewThread: '',
  AutoMergeRequest: 'enabledBy:Actor=enabled_by',
  Commit: 'parents:*Commit associatedPullRequests:*PullRequest/pulls',
  StatusCheckRollup: 'contexts:*StatusCheckRollupContext',
  Status: 'contexts:[StatusContext',
  Tree: 'entries:[TreeEntry',
  Release: 'author:User releaseAssets:*ReleaseAsset=assets',
  Reaction: 'user:User',
  GitActor: 'user:User',
}

type Resolve = (rest: JsonObject, args: JsonObject, api: Api) => Json
/** What a field leads to: a type, or nothing for a value that is worked out. */
interface Link {
  readonly of: string
  readonly is: Resolve
  readonly isMany?: boolean
}
const one = (of: string, is: Resolve): Link => ({ of, is })
const many = (of: string, is: Resolve): Link => ({ of, is, isMany: true })
const value = (is: Resolve): Link => ({ of: '', is })
/** One answer of the REST API, or null. */
const answer = (of: string, path: (rest: JsonObject, args: JsonObject) => string): Link =>
  one(of, (rest, args, { get }) => get(path(rest, args)) ?? null)
/** A list of the REST API. */
const list = (of: string, path: (rest: JsonObject) => string): Link => many(of, (rest, _, { all }) => all(path(rest)))

/** Calls of the REST operations, which do the work. */
interface Api {
  readonly context: OperationContext
  readonly get: (path: string) => JsonObject | undefined
  readonly all: (path: string) => JsonObject[]
  readonly act: (method: string, path: string, body?: JsonObject) => JsonObject
}

const notFound = (message: string): never => {
  throw new GraphqlFault({ type: 'NOT_FOUND', message })
}
const orFail = (found: JsonObject | undefined, message: string): JsonObject => found ?? notFound(message)
/** `/repos/octocat/Hello-World`, of anything that belongs to a repository. */
const home = (rest: JsonObject): string => {
  const [, name] = /\/repos\/([^/]+\/[^/?]+)/.exec(String(rest.url ?? rest.repository_url)) ?? []
  return `/repos/${name}`
}
const upper = (value: Json | undefined): Json => (typeof value === 'string' ? value.toUpperCase() : (value ?? null))
const lower = (value: Json | undefined) => String(value).toLowerCase()
/** A single value stands for a list of one, as GraphQL has it. */
const chosen = (value: Json | undefined): string[] =>
  value == null ? [] : (Array.isArray(value) ? value : [value]).map(String)
const typed = (__type: string) => (rest: JsonObject) => ({ ...rest, __type })
const ofThread = (rest: JsonObject) => `${home(rest)}/issues/${rest.number}`
const reactionsOf = (rest: JsonObject) =>
  isJsonObject(rest.reactions) ? restPath(rest.reactions.url ?? '') : `${ofThread(rest)}/reactions`
const ofPull = (rest: JsonObject) => `${home(rest)}/pulls/${rest.number}`
/** The path of the pull request of a review or a comment. */
const pullOf = ({ pull_request_url }: JsonObject) => restPath(pull_request_url ?? '')
const commentsOf: Resolve = (rest, _, { all }) =>
  all(`${pullOf(rest)}/comments`).filter(({ id, in_reply_to_id }) => id === rest.id || in_reply_to_id === rest.id)
const resolverOf = ({ id }: JsonObject, { context }: Api): JsonObject | null => {
  const login = context.records.review_comments?.get(String(id))?.resolved_by
  return login == null ? null : context.call('GET', `/users/${login}`).body
}
/** The path of an address. */
const restPath = (url: Json) => new URL(String(url)).pathname
const whole = (rest: JsonObject, { get }: Api): JsonObject =>
  rest.mergeable === undefined ? (get(ofPull(rest)) ?? rest) : rest

/** Orders as `orderBy` says; the oldest first without it. */
function ordered(rows: JsonObject[], { orderBy }: JsonObject): JsonObject[] {
  const { field = 'CREATED_AT', direction = 'ASC' } = fieldsOf(orderBy)
  const name = lower(field)
  const keyOf = (row: JsonObject) => (name === 'comments' ? Number(row.comments) : String(row[name] ?? row.name ?? ''))
  const sorted = rows
    .toSorted((left, right) => Number(left.number ?? left.id) - Number(right.number ?? right.id))
    .toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0))
  return direction === 'DESC' ? sorted.toReversed() : sorted
}

const issuesAt = (path: string, args: JsonObject, { all }: Api): JsonObject[] => {
  const { states, labels, filterBy } = args
  const filter = fieldsOf(filterBy)
  const query = new URLSearchParams({ state: 'all' })
  for (const name of ['assignee', 'mentioned', 'since']) if (filter[name]) query.set(name, String(filter[name]))
  if (filter.createdBy) query.set('creator', String(filter.createdBy))
  const named = chosen(labels ?? filter.labels)
  const open = chosen(states ?? filter.states)
  const rows = all(`${path}/issues?${query}`).filter(
    (row) =>
      row.pull_request === undefined &&
      (open.length === 0 || open.includes(String(upper(row.state)))) &&
      (named.length === 0 || listOf(row.labels).some(({ name }) => named.includes(String(name)))),
  )
  return ordered(rows, args)
}

const stateOf = ({ state, merged, merged_at }: JsonObject): Json => (merged || merged_at ? 'MERGED' : upper(state))

const pullsAt = (path: string, args: JsonObject, { all }: Api): JsonObject[] => {
  const { states, labels, headRefName, baseRefName } = args
  const rows = all(`${path}/pulls?state=all`).filter(
    (row) =>
      (states == null || chosen(states).includes(String(stateOf(row)))) &&
      (labels == null || listOf(row.labels).some(({ name }) => chosen(labels).includes(String(name)))) &&
      (headRefName == null || fieldsOf(row.head).ref === headRefName) &&
      (baseRefName == null || fieldsOf(row.base).ref === baseRefName),
  )
  return ordered(rows, args)
}

const refAt = (rest: JsonObject, name: Json | undefined, { get }: Api): Json => {
  const short = String(name).replace(/^refs\//, '')
  const path = /^(heads|tags)\//.test(short) ? short : `heads/${short}`
  const found = get(`${home(rest)}/git/ref/${path}`)
  const prefix = `refs/${path.split('/')[0]}/`
  return found === undefined ? null : { ...found, prefix, name: path.split('/').slice(1).join('/') }
}

/** What all checks and statuses of a commit come to. */
function rollup(rest: JsonObject, { get }: Api): Json {
  const runs = listOf(get(`${home(rest)}/commits/${rest.sha}/check-runs?per_page=100`)?.check_runs)
  const combined = get(`${home(rest)}/commits/${rest.sha}/status`) ?? {}
  const statuses = listOf(combined.statuses)
  if (runs.length === 0 && statuses.length === 0) return null
  const failed = ['failure', 'timed_out', 'action_required', 'startup_failure', 'cancelled']
  const states = [
    ...runs.map(({ status, conclusion }) =>
      status !== 'completed' ? 'pending' : failed.includes(String(conclusion)) ? 'failure' : 'success',
    ),
    ...(statuses.length > 0 ? [String(combined.state)] : []),
  ]
  const state = ['error', 'failure', 'pending'].find((bad) => states.includes(bad)) ?? 'success'
  return { state, contexts: [...runs.map(typed('CheckRun')), ...statuses.map(typed('StatusContext'))] }
}

/** What the reviews of a pull request come to; null without a demand for them. */
function decision(rest: JsonObject, { all, get }: Api): Json {
  const last = new Map<string, string>()
  for (const { user, state } of all(`${ofPull(rest)}/reviews`))
    if (state !== 'COMMENTED' && state !== 'PENDING') last.set(String(fieldsOf(user).login), String(state))
  const states = [...last.values()]
  if (states.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED'
  if (states.includes('APPROVED')) return 'APPROVED'
  const rules = get(`${home(rest)}/branches/${fieldsOf(rest.base).ref}/protection`)
  return rules?.required_pull_request_reviews ? 'REVIEW_REQUIRED' : null
}

/** `fixes #12`, which closes an issue. */
export const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,15})\b/gi
/** `LabeledEvent` is `labeled` in REST, but for these. */
const EVENTS: Readonly<Record<string, string>> = {
  commented: 'IssueComment',
  renamed: 'RenamedTitleEvent',
  convert_to_draft: 'ConvertToDraftEvent',
}
const pascal = (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Commits, what happened, and reviews, in the order of time. */
function timelineOf(rest: JsonObject, { itemTypes }: JsonObject, { all }: Api): JsonObject[] {
  const isPull = rest.head !== undefined
  const events = all(`${ofThread(rest)}/timeline`).map((row) => {
    const name = String(row.event)
    return typed(EVENTS[name] ?? `${pascal(name)}Event`)(row)
  })
  const commits = isPull ? all(`${ofPull(rest)}/commits`).map(typed('PullRequestCommit')) : []
  const reviews = isPull ? all(`${ofPull(rest)}/reviews`).map(typed('PullRequestReview')) : []
  const timeOf = (row: JsonObject) => String(row.created_at ?? row.submitted_at ?? '')
  const wanted = chosen(itemTypes).map((name) => pascal(name.toLowerCase()))
  return [
    ...commits,
    ...[...events, ...reviews].toSorted((left, right) => timeOf(left).localeCompare(timeOf(right))),
  ].filter(({ __type }) => wanted.length === 0 || wanted.includes(String(__type)))
}
/** Of what a person writes. */
const authored: Record<string, Link> = {
  bodyHTML: value(({ body }) => htmlOf(String(body ?? ''))),
  viewerDidAuthor: value(({ user }, _, { get }) => get('/user')?.login === fieldsOf(user).login),
  viewerCanUpdate: value((rest, _, { get }) => {
    const { login } = get('/user') ?? {}
    return login === fieldsOf(rest.user).login || fieldsOf(get(home(rest))?.permissions).push === true
  }),
  lastEditedAt: value(() => null),
  editor: one('Actor', () => null),
  includesCreatedEdit: value(() => false),
  isMinimized: value(() => false),
  minimizedReason: value(() => null),
  reactionGroups: one('[ReactionGroup', (rest, _, { all }) => {
    const given = all(reactionsOf(rest))
    return REACTIONS.map((content) => ({ content, given: given.filter((one) => one.content === content) }))
  }),
}
const reactors: Link = many('User', ({ given }) => listOf(given).map(({ user }) => fieldsOf(user)))
const CONTENTS: Readonly<Record<string, string>> = { '+1': 'THUMBS_UP', '-1': 'THUMBS_DOWN' }

const threads: Record<string, Link> = {
  ...authored,
  comments: list('IssueComment', (rest) => `${ofThread(rest)}/comments`),
  repository: answer('Repository', home),
  reactions: list('Reaction', (rest) => `${ofThread(rest)}/reactions`),
  participants: many('User', (rest, _, { all }) => {
    const people = listOf([rest, ...all(`${ofThread(rest)}/comments`)].map(({ user }) => user))
    return lastOf([...people, ...listOf(rest.assignees)], ({ login }) => login)
  }),
  closed: value(({ state }) => state === 'closed'),
  timelineItems: many('TimelineItem', timelineOf),
}
/** The last row of each key. */
const lastOf = (rows: readonly JsonObject[], keyOf: (row: JsonObject) => Json | undefined): JsonObject[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]
const commitAt = (rest: JsonObject, rev: Json | undefined, { get }: Api): Json => {
  const found = get(`${home(rest)}/commits/${rev}`)
  return found === undefined ? null : typed('Commit')(found)
}
const ofOwner: Record<string, Link> = {
  repositories: many('Repository', (rest, args, { all }) =>
    ordered(all(`/${rest.type === 'Organization' ? 'orgs' : 'users'}/${rest.login}/repos?type=all`), args),
  ),
  repository: one('Repository', (rest, { name }, api) => repositoryAt(api, rest.login, name)),
}
/** Issues or pull requests that a person opened. */
function ofAuthor(kind: string, { login }: JsonObject, args: JsonObject, { all, get }: Api): JsonObject[] {
  const names = chosen(args.states)
  const rows = all(`/search/issues?q=${encodeURIComponent(`author:${login} is:${kind}`)}`)
  return ordered(
    rows.map((row) => (kind === 'pr' ? (get(restPath(fieldsOf(row.pull_request).url ?? '')) ?? row) : row)),
    args,
  ).filter((row) => names.length === 0 || names.includes(String(stateOf(row))))
}
const repositoryAt = ({ get }: Api, owner: Json | undefined, name: Json | undefined): JsonObject =>
  orFail(get(`/repos/${owner}/${name}`), `Could not resolve to a Repository with the name '${owner}/${name}'.`)
const pullAt = (rest: JsonObject, number: Json | undefined, { get }: Api) =>
  orFail(get(`${home(rest)}/pulls/${number}`), `Could not resolve to a PullRequest with the number of ${number}.`)
const issueAt = (rest: JsonObject, number: Json | undefined, { get }: Api) => {
  const found = get(`${home(rest)}/issues/${number}`)
  return found === undefined || found.pull_request
    ? notFound(`Could not resolve to an Issue with the number of ${number}.`)
    : found
}

const COLORS: Readonly<Record<string, string>> = {
  CSS: '#663399',
  Go: '#00ADD8',
  HTML: '#e34c26',
  JavaScript: '#f1e05a',
  Python: '#3572A5',
  Ruby: '#701516',
  Shell: '#89e051',
  TypeScript: '#3178c6',
}
/** The languages of a repository, the largest first. */
const languagesOf = (rest: JsonObject, { get }: Api): JsonObject[] =>
  Object.entries(get(`${home(rest)}/languages`) ?? {})
    .map(([name, size]) => ({ name, size, color: COLORS[name] ?? null }))
    .toSorted((left, right) => Number(right.size) - Number(left.size))

/** A file or a folder of the REST API as an object of Git. */
function objectOf(found: Json | undefined, isFolder: boolean): Json {
  if (found === undefined) return null
  if (Array.isArray(found) || isFolder) return { __type: 'Tree', sha: '', entries: found }
  const file = fieldsOf(found)
  const text = Buffer.from(String(file.content ?? ''), 'base64').toString()
  return { ...file, __type: 'Blob', text, isBinary: false, is_binary: false }
}

const contributionsOf: Resolve = ({ id }, _, { context: { records } }) => {
  const user_id = Number(id)
  const counts = {
    total_commit_contributions: records.commits?.count({ author_id: user_id }) ?? 0,
    total_issue_contributions: records.issues?.count({ user_id, is_pull: false }) ?? 0,
    total_pull_request_contributions: records.issues?.count({ user_id, is_pull: true }) ?? 0,
    total_pull_request_review_contributions: records.reviews?.count({ user_id }) ?? 0,
  }
  return { ...counts, total_contributions: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

const OWN_LINKS: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  Query: {
    viewer: answer('User', () => '/user'),
    repository: one('Repository', (_, { owner, name }, api) => repositoryAt(api, owner, name)),
    user: one('User', (_, args, { get }) =>
      orFail(get(`/users/${args.login}`), `Could not resolve to a User with the login of '${args.login}'.`),
    ),
    organization: one('Organization', (_, args, { get }) =>
      orFail(get(`/orgs/${args.login}`), `Could not resolve to an Organization with the login of '${args.login}'.`),
    ),
    repositoryOwner: answer('RepositoryOwner', (_, { login }) => `/users/${login}`),
    node: one('Node', (_, { id }, api) => nodeOf(id, api)),
    nodes: one('[Node', (_, { ids }, api) => chosen(ids).map((id) => nodeOf(id, api))),
    rateLimit: one('RateLimit', (_, __, { context }) => {
      const reset_at = new Date(context.now.getTime() + 3_600_000).toISOString()
      return { limit: 5_000, remaining: 4_999, used: 1, cost: 1, reset_at }
    }),
    search: many('SearchResultItem', (_, { query, type }, { context }) => {
      const kind = { REPOSITORY: 'repositories', USER: 'users' }[String(type)] ?? 'issues'
      const { body } = context.call('GET', `/search/${kind}?per_page=100&q=${encodeURIComponent(String(query))}`)
      const typeOf = (row: JsonObject): Json => {
        if (kind === 'issues') return row.pull_request ? 'PullRequest' : 'Issue'
        return kind === 'users' ? (row.type ?? 'User') : 'Repository'
      }
      return listOf(body.items).map((row) => ({ ...row, __type: typeOf(row) }))
    }),
  },
  TimelineEvent: {
    commit: one('Commit', (rest, _, api) => (rest.commit_id == null ? null : commitAt(rest, rest.commit_id, api))),
  },
  Contributions: { contributionCalendar: one('ContributionCalendar', (rest) => rest) },
  TreeEntry: {
    type: value(({ type }) => (type === 'dir' ? 'tree' : 'blob')),
    object: one('GitObject', ({ url, type }, _, { get }) => {
      const { pathname, search } = new URL(String(url))
      return objectOf(get(`${pathname}${search}`), type === 'dir')
    }),
  },
  User: {
    ...ofOwner,
    contributionsCollection: one('Contributions', contributionsOf),
    issues: many('Issue', (rest, args, api) => ofAuthor('issue', rest, args, api)),
    pullRequests: many('PullRequest', (rest, args, api) => ofAuthor('pr', rest, args, api)),
    isViewer: value((rest, _, { get }) => get('/user')?.login === rest.login),
  },
  Organization: ofOwner,
  Repository: {
    viewerCanAdminister: value(({ permissions }) => fieldsOf(permissions).admin === true),
    viewerHasStarred: value(
      (rest, _, { context }) => context.call('GET', home(rest).replace('/repos', '/user/starred')).status < 400,
    ),
    isEmpty: value((rest, _, { all }) => all(`${home(rest)}/branches`).length === 0),
    hasVulnerabilityAlertsEnabled: value(
      (rest, _, { context }) => context.call('GET', `${home(rest)}/vulnerability-alerts`).status < 400,
    ),
    isMirror: value(() => false),
    isInOrganization: value(({ owner }) => fieldsOf(owner).type === 'Organization'),
    viewerPermission: value(({ permissions }) => {
      const { admin, push } = fieldsOf(permissions)
      return admin ? 'ADMIN' : push ? 'WRITE' : 'READ'
    }),
    defaultBranchRef: one('Ref', (rest, _, api) => refAt(rest, rest.default_branch, api)),
    ref: one('Ref', (rest, { qualifiedName }, api) => refAt(rest, qualifiedName, api)),
    refs: many('Ref', (rest, { refPrefix }, { all }) => {
      const prefix = String(refPrefix ?? 'refs/heads/')
      const rows = all(`${home(rest)}/git/matching-refs/${prefix.replace(/^refs\//, '')}`)
      return rows.map((row) => ({ ...row, prefix, name: String(row.ref).slice(prefix.length) }))
    }),
    object: one('GitObject', (rest, { expression, oid }, api) => {
      const [named = '', path] = String(expression ?? oid).split(':')
      const rev = named === 'HEAD' ? String(rest.default_branch) : named
      if (path === undefined) return commitAt(rest, rev, api)
      const below = path === '' ? '' : `/${path}`
      return objectOf(api.get(`${home(rest)}/contents${below}?ref=${encodeURIComponent(rev)}`), false)
    }),
    issue: one('Issue', (rest, { number }, api) => issueAt(rest, number, api)),
    pullRequest: one('PullRequest', (rest, { number }, api) => pullAt(rest, number, api)),
    issueOrPullRequest: one('IssueOrPullRequest', (rest, { number }, api) => {
      const found = orFail(
        api.get(`${home(rest)}/issues/${number}`),
        `Could not resolve to an issue or pull request with the number of ${number}.`,
      )
      return found.pull_request ? typed('PullRequest')(pullAt(rest, number, api)) : typed('Issue')(found)
    }),
    issues: many('Issue', (rest, args, api) => issuesAt(home(rest), args, api)),
    pullRequests: many('PullRequest', (rest, args, api) => pullsAt(home(rest), args, api)),
    labels: many('Label', (rest, { query }, { all }) =>
      all(`${home(rest)}/labels`).filter(({ name }) => query == null || String(name).includes(String(query))),
    ),
    label: answer('Label', (rest, { name }) => `${home(rest)}/labels/${encodeURIComponent(String(name))}`),
    milestones: many('Milestone', (rest, args, { all }) =>
      ordered(all(`${home(rest)}/milestones?state=all`), args).filter(
        ({ state }) => args.states == null || chosen(args.states).includes(String(upper(state))),
      ),
    ),
    milestone: answer('Milestone', (rest, { number }) => `${home(rest)}/milestones/${number}`),
    releases: many('Release', (rest, args, { all }) => ordered(all(`${home(rest)}/releases`), args)),
    release: answer('Release', (rest, { tagName }) => `${home(rest)}/releases/tags/${tagName}`),
    primaryLanguage: one('Language', (rest, _, api) => languagesOf(rest, api)[0] ?? null),
    languages: many('Language', (rest, _, api) => languagesOf(rest, api)),
    repositoryTopics: many('RepositoryTopic', ({ topics }) => chosen(topics).map((name) => ({ name }))),
  },
  RepositoryTopic: { topic: one('Topic', (rest) => rest) },
  Issue: threads,
  PullRequest: {
    ...threads,
    mergedBy: one('Actor', (rest, _, api) => whole(rest, api).merged_by ?? null),
    mergeCommit: one('Commit', (rest, _, api) => {
      const { merged, merge_commit_sha } = whole(rest, api)
      return merged ? (api.get(`${home(rest)}/commits/${merge_commit_sha}`) ?? null) : null
    }),
    headRef: one('Ref', (rest, _, api) => refAt(fieldsOf(fieldsOf(rest.head).repo), fieldsOf(rest.head).ref, api)),
    baseRef: one('Ref', (rest, _, api) => refAt(rest, fieldsOf(rest.base).ref, api)),
    reviews: many('PullRequestReview', (rest, { states }, { all }) =>
      all(`${ofPull(rest)}/reviews`).filter(({ state }) => states == null || chosen(states).includes(String(state))),
    ),
    reviewThreads: many('PullRequestReviewThread', (rest, _, { all }) =>
      all(`${ofPull(rest)}/comments`).filter(({ in_reply_to_id }) => in_reply_to_id == null),
    ),
    latestReviews: many('PullRequestReview', (rest, _, { all }) =>
      lastOf(all(`${ofPull(rest)}/reviews`), ({ user }) => fieldsOf(user).login),
    ),
    closingIssuesReferences: many('Issue', (rest, _, { get }) =>
      [...String(rest.body ?? '').matchAll(CLOSING)].flatMap(
        ([, number]) => get(`${home(rest)}/issues/${number}`) ?? [],
      ),
    ),
    statusCheckRollup: one('StatusCheckRollup', (rest, _, api) =>
      rollup({ url: rest.url ?? null, sha: fieldsOf(rest.head).sha ?? null }, api),
    ),
    state: value(stateOf),
    mergeable: value(
      (rest, _, api) => ({ true: 'MERGEABLE', false: 'CONFLICTING' })[String(whole(rest, api).mergeable)] ?? 'UNKNOWN',
    ),
    reviewDecision: value((rest, _, api) => decision(rest, api)),
    isCrossRepository: value(({ head, base }) => fieldsOf(fieldsOf(head).repo).id !== fieldsOf(fieldsOf(base).repo).id),
    totalCommentsCount: value((rest, _, api) => {
      const { comments, review_comments } = whole(rest, api)
      return Number(comments) + Number(review_comments)
    }),
    isInMergeQueue: value(() => false),
    latestOpinionatedReviews: many('PullRequestReview', (rest, _, { all }) =>
      lastOf(
        all(`${ofPull(rest)}/reviews`).filter(({ state }) => state !== 'COMMENTED' && state !== 'PENDING'),
        ({ user }) => fieldsOf(user).login,
      ),
    ),
    merged: value(({ merged, merged_at }) => Boolean(merged ?? merged_at)),
  },
  IssueComment: { ...authored, issue: one('Issue', (rest, _, { get }) => get(restPath(rest.issue_url ?? '')) ?? null) },
  PullRequestReviewComment: authored,
  ReactionGroup: {
    content: value(({ content }) => CONTENTS[String(content)] ?? upper(content)),
    ...{ users: reactors, reactors },
    viewerHasReacted: value(({ given }, _, { get }) =>
      listOf(given).some(({ user }) => fieldsOf(user).login === get('/user')?.login),
    ),
  },
  Release: {
    tag: one('Ref', (rest, _, api) => refAt(rest, `tags/${rest.tag_name}`, api)),
    tagCommit: one('Commit', (rest, _, api) => commitAt(rest, rest.tag_name, api)),
    isLatest: value((rest, _, { get }) => get(`${home(rest)}/releases/latest`)?.id === rest.id),
  },
  ReviewRequest: { requestedReviewer: one('RequestedReviewer', (rest) => rest) },
  PullRequestCommit: { commit: one('Commit', (rest) => rest) },
  PullRequestReview: {
    comments: list('PullRequestReviewComment', (rest) => `${pullOf(rest)}/reviews/${rest.id}/comments`),
  },
  // a thread is its first comment
  PullRequestReviewThread: {
    id: value(({ id }) => Buffer.from(`PRRT_${id}`).toString('base64')),
    isResolved: value((rest, _, api) => resolverOf(rest, api) !== null),
    isCollapsed: value((rest, _, api) => resolverOf(rest, api) !== null),
    isOutdated: value(({ position }) => position === null),
    resolvedBy: one('User', (rest, _, api) => resolverOf(rest, api)),
    pullRequest: one('PullRequest', (rest, _, { get }) => get(pullOf(rest)) ?? null),
    comments: many('PullRequestReviewComment', commentsOf),
  },
  Milestone: {
    issues: many('Issue', (rest, args, api) =>
      issuesAt(home(rest), args, api).filter(({ milestone }) => fieldsOf(milestone).number === rest.number),
    ),
  },
  Commit: {
    statusCheckRollup: one('StatusCheckRollup', (rest, _, api) => rollup(rest, api)),
    history: many('Commit', (rest, { path, since }, { all }) =>
      all(`${home(rest)}/commits?sha=${rest.sha}${path ? `&path=${path}` : ''}${since ? `&since=${since}` : ''}`),
    ),
    author: one('GitActor', ({ commit, author = null }) => ({ ...fieldsOf(fieldsOf(commit).author), user: author })),
    committer: one('GitActor', ({ commit, committer = null }) => ({
      ...fieldsOf(fieldsOf(commit).committer),
      user: committer,
    })),
    abbreviatedOid: value(({ sha }) => String(sha).slice(0, 7)),
    messageHeadline: value(({ commit }) => String(fieldsOf(commit).message).split('\n')[0] ?? ''),
    messageBody: value(({ commit }) => String(fieldsOf(commit).message).split('\n').slice(1).join('\n').trim()),
    authors: many('GitActor', ({ commit, author = null }) => [{ ...fieldsOf(fieldsOf(commit).author), user: author }]),
    committedViaWeb: value(() => false),
    status: one('Status', (rest, _, { get }) => {
      const { state, statuses } = get(`${home(rest)}/commits/${rest.sha}/status`) ?? {}
      return listOf(statuses).length === 0 ? null : { state: state ?? null, contexts: statuses ?? [] }
    }),
    changedFilesIfAvailable: value((rest, _, { get }) => listOf(get(restPath(rest.url ?? ''))?.files).length),
  },
  Ref: { target: one('GitObject', (rest, _, api) => commitAt(rest, fieldsOf(rest.object).sha, api)) },
  Label: {
    issues: many('Issue', (rest, args, api) => issuesAt(home(rest), { ...args, labels: [rest.name ?? ''] }, api)),
  },
}

/** What the lists of a type stand below. */
const PATHS: Readonly<Record<string, (rest: JsonObject) => string>> = {
  Repository: home,
  User: ({ login }) => `/users/${login}`,
  Organization: ({ login }) => `/orgs/${login}`,
  PullRequest: ofPull,
  Commit: (rest) => `${home(rest)}/commits/${rest.sha}`,
}

/** All links of a type. */
const linksOf = (type: string): Record<string, Link> => {
  const plain = (PLAIN_LINKS[type]?.split(' ') ?? []).map((text): [string, Link] => {
    const [, name = '', kind, of = '', at, below] = /^(\w+):(\*?)(\[?\w+)(?:=([\w.]+))?(\/.*)?$/.exec(text) ?? []
    const path = (rest: JsonObject) => `${PATHS[type]?.(rest)}${below}`
    if (below !== undefined) return [name, kind ? list(of, path) : answer(of, path)]
    const found = (rest: JsonObject): Json => readField(rest, (at ?? name).split('.')) ?? null
    return [name, kind ? many(of, found) : one(of, found)]
  })
  return { ...Object.fromEntries(plain), ...OWN_LINKS[type] }
}
const LINKS: Readonly<Record<string, Readonly<Record<string, Link>>>> = Object.fromEntries(
  Object.keys({ ...PLAIN_LINKS, ...OWN_LINKS }).map((type) => [type, linksOf(type)]),
)

/** The first letters of a node's id, and where it is found. */
const NODES: Readonly<
  Record<string, readonly [type: string, collection: string, path: (record: JsonObject) => string]>
> = {
  I: ['Issue', 'issues', ({ number }) => `/issues/${number}`],
  PR: ['PullRequest', 'pulls', ({ number }) => `/pulls/${number}`],
  LA: ['Label', 'labels', ({ name }) => `/labels/${encodeURIComponent(String(name))}`],
  PRRT: ['PullRequestReviewThread', 'review_comments', ({ id }) => `/pulls/comments/${id}`],
  PRR: ['PullRequestReview', 'reviews', ({ pull_number, id }) => `/pulls/${pull_number}/reviews/${id}`],
  PRRC: ['PullRequestReviewComment', 'review_comments', ({ id }) => `/pulls/comments/${id}`],
  IC: ['IssueComment', 'comments', ({ id }) => `/issues/comments/${id}`],
  MI: ['Milestone', 'milestones', ({ number }) => `/milestones/${number}`],
  REF: ['Ref', 'refs', ({ ref }) => `/git/ref/${String(ref).slice('refs/'.length)}`],
  RE: ['Release', 'releases', ({ id }) => `/releases/${id}`],
  Repository: ['Repository', 'repos', () => ''],
  R: ['Repository', 'repos', () => ''],
}

function nodeOf(id: Json | undefined, { context, get }: Api): JsonObject {
  const [, kind = '', key = ''] =
    /^(?:\d+:)?([A-Za-z]+)_?(\d+)$/.exec(Buffer.from(String(id), 'base64').toString()) ?? []
  const missing = `Could not resolve to a node with the global id of '${id}'`
  if (kind === 'User' || kind === 'Organization' || kind === 'Bot') {
    const user = orFail(context.records.users?.get(key), missing)
    return { ...orFail(get(`/users/${user.login}`), missing), __type: kind }
  }
  const [__type, collection, path] = NODES[kind] ?? notFound(missing)
  const record = orFail(context.records[collection]?.get(key), missing)
  const repository =
    collection === 'repos' ? record : orFail(context.records.repos?.get(String(record.repository_id)), missing)
  return { ...orFail(get(`/repos/${repository.full_name}${path(record)}`), missing), __type }
}

/** The fault of an input without a needed field, as it is written in the query or in a variable. */
function withoutInput({ name, args }: Selection, needed: string): GraphqlFault {
  const [field = '', of = field.endsWith('Id') || field === 'id' ? 'ID' : 'String'] = needed.split(':')
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const { variable } = fieldsOf(args.input as Json)
  return new GraphqlFault({
    message:
      variable === undefined
        ? `Argument '${field}' on InputObject '${type}' is required. Expected type ${of}!`
        : `Variable $${variable} of type ${type}! was provided invalid value for ${field} (Expected value to not be null)`,
  })
}

type Mutate = (input: JsonObject, api: Api) => Record<string, JsonObject>
interface Mutation {
  readonly of: Readonly<Record<string, string>>
  readonly is: Mutate
  /** The field of the input that names the node. */
  readonly id: string
}
const mutation = (of: Mutation['of'], is: Mutate, id = 'id'): Mutation => ({ of, is, id })
const labelsOf = (ids: Json | undefined, api: Api) => chosen(ids).map((id) => nodeOf(id, api).name ?? '')
const loginsOf = (ids: Json | undefined, api: Api) => chosen(ids).map((id) => nodeOf(id, api).login ?? '')
const pathOf = (node: JsonObject) => (node.__type === 'PullRequest' ? ofPull(node) : ofThread(node))

/** The given fields of an input, by their names in REST. */
const given = (input: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(names).flatMap(([rest, name]) => (input[name] == null ? [] : [[rest, input[name]]])),
  )
const updated = (input: JsonObject, api: Api): JsonObject => ({
  ...given(input, { title: 'title', body: 'body' }),
  ...(input.state != null && { state: lower(input.state) }),
  ...(input.labelIds != null && { labels: labelsOf(input.labelIds, api) }),
  ...(input.assigneeIds != null && { assignees: loginsOf(input.assigneeIds, api) }),
  ...(input.milestoneId != null && { milestone: nodeOf(input.milestoneId, api).number ?? null }),
})
type Body = (input: JsonObject, api: Api) => JsonObject
/** A mutation that sends a request about a node, and answers the node as it is then. */
const acting = (
  field: string,
  of: string,
  id: string,
  method: string,
  path: (node: JsonObject) => string,
  body?: Body,
) =>
  mutation(
    { [field]: of },
    (input, api) => {
      api.act(method, path(nodeOf(input[id], api)), body?.(input, api))
      return { [field]: nodeOf(input[id], api) }
    },
    id,
  )
const onIssue = (id: string, body: Body) => acting('issue', 'Issue', id, 'PATCH', pathOf, body)
const onPull = (body: Body) => acting('pullRequest', 'PullRequest', 'pullRequestId', 'PATCH', pathOf, body)
/** A mutation of a part of an issue or a pull request. */
const onPart = (field: string, id: string, method: string, part: string, body?: Body) =>
  acting(field, 'Node', id, method, (node) => `${ofThread(node)}/${part}`, body)
const merging = (node: JsonObject) => `${ofPull(node)}/merge`
/** A mutation of a thread of a review, and its webhook. */
const resolving = (action: 'resolved' | 'unresolved') =>
  mutation({ thread: 'PullRequestReviewThread' }, ({ threadId }, api) => {
    const { get, context } = api
    const thread = nodeOf(threadId, api)
    const { review_comments, happenings } = context.records
    const [sender, repository] = [get('/user') ?? {}, get(home(thread)) ?? {}]
    const pull_request = get(pullOf(thread)) ?? {}
    review_comments?.update(String(thread.id), { resolved_by: action === 'resolved' ? (sender.login ?? null) : null })
    const parts = { node_id: threadId ?? '', comments: commentsOf(thread, {}, api) }
    happenings?.create({
      type: `pull_request_review_thread.${action}`,
      repository_id: repository.id ?? 0,
      created_at: secondsOf(context),
      payload: { action, thread: parts, pull_request, repository, sender },
    })
    return { thread }
  })
/** https://docs.github.com/graphql/reference/mutations#enablepullrequestautomerge */
const autoMerging = (isOn: boolean) =>
  mutation({ pullRequest: 'PullRequest' }, (input, api) => {
    const { get, context } = api
    const pull = whole(nodeOf(input.pullRequestId, api), api)
    const [sender, repository] = [get('/user') ?? {}, get(home(pull)) ?? {}]
    const fail = (message: string, type = 'UNPROCESSABLE'): never => {
      throw new GraphqlFault({ type, message })
    }
    const name = `${isOn ? 'Enable' : 'Disable'}PullRequestAutoMerge`
    if (fieldsOf(repository.permissions).push !== true)
      fail(`${sender.login} does not have the correct permissions to execute \`${name}\``, 'FORBIDDEN')
    if (isOn && repository.allow_auto_merge !== true) fail('Auto merge is not allowed for this repository')
    if (isOn && (pull.state !== 'open' || ['clean', 'unstable'].includes(String(pull.mergeable_state))))
      fail(`Pull request Pull request is in ${pull.state === 'open' ? pull.mergeable_state : 'closed'} status`)
    const merge = {
      ...{
        enabled_at: secondsOf(context),
        enabled_by_id: sender.id ?? null,
        merge_method: lower(input.mergeMethod ?? 'merge'),
      },
      ...given(input, { commit_title: 'commitHeadline', commit_message: 'commitBody' }),
    }
    context.records.pulls?.update(String(pull.id), { auto_merge: isOn ? merge : null })
    const pull_request = get(ofPull(pull)) ?? {}
    const action = `auto_merge_${isOn ? 'enabled' : 'disabled'}`
    context.records.happenings?.create({
      ...{ type: `pull_request.${action}`, repository_id: repository.id ?? 0, created_at: secondsOf(context) },
      payload: { action, number: pull.number ?? null, pull_request, repository, sender },
    })
    return { pullRequest: pull_request }
  })
/** A new comment of a review, in the names of REST. */
const onLine = (thread: JsonObject): JsonObject =>
  given(thread, {
    ...{ path: 'path', body: 'body', position: 'position', line: 'line', side: 'side' },
    ...{ start_line: 'startLine', start_side: 'startSide', subject_type: 'subjectType' },
  })
const starred = (method: string) =>
  acting('starrable', 'Node', 'starrableId', method, (node) => home(node).replace('/repos', '/user/starred'))

/** https://docs.github.com/graphql/reference/mutations#createcommitonbranch */
const commitOnBranch: Mutate = (input, api) => {
  const { repositoryNameWithOwner, branchName, id } = fieldsOf(input.branch)
  const ref = id == null ? undefined : nodeOf(id, api)
  const at = ref === undefined ? `/repos/${repositoryNameWithOwner}` : home(ref)
  const branch = ref === undefined ? String(branchName) : String(ref.ref).slice('refs/heads/'.length)
  const head =
    api.get(`${at}/git/ref/heads/${branch}`) ?? notFound(`Could not resolve to a Ref with the name ${branch}.`)
  const sha = String(fieldsOf(head.object).sha)
  if (input.expectedHeadOid !== sha)
    throw new GraphqlFault({
      type: 'STALE_DATA',
      message: `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`,
    })
  const { additions, deletions } = fieldsOf(input.fileChanges)
  const base_tree = fieldsOf(api.get(`${at}/git/commits/${sha}`)?.tree).sha ?? null
  const files = listOf(additions).map(({ path, contents }): JsonObject => {
    const blob = api.act('POST', `${at}/git/blobs`, { content: contents ?? '', encoding: 'base64' })
    return { path: path ?? '', mode: '100644', type: 'blob', sha: blob.sha ?? null }
  })
  const gone = listOf(deletions).map(
    ({ path }): JsonObject => ({ path: path ?? '', mode: '100644', type: 'blob', sha: null }),
  )
  const tree = api.act('POST', `${at}/git/trees`, { base_tree, tree: [...files, ...gone] }).sha ?? null
  const { headline, body } = fieldsOf(input.message)
  const message = body ? `${headline}\n\n${body}` : String(headline)
  const commit = api.act('POST', `${at}/git/commits`, { message, tree, parents: [sha] })
  api.act('PATCH', `${at}/git/refs/heads/${branch}`, { sha: commit.sha ?? null })
  const rest = { url: `https://api.github.example${at}` }
  return { commit: fieldsOf(commitAt(rest, commit.sha, api)), ref: fieldsOf(refAt(rest, branch, api)) }
}
const reactionOf = (content: Json | undefined) =>
  Object.keys(CONTENTS).find((name) => CONTENTS[name] === content) ?? lower(content)
const refOf = (node: JsonObject) => `${home(node)}/git/${node.ref}`

/** The needed fields of inputs that are not only a node's id; after `:` a type other than `ID` and `String`. */
const NEEDS: Readonly<Record<string, string>> = {
  createCommitOnBranch: 'branch:CommittableBranch message:CommitMessage expectedHeadOid:GitObjectID',
  createRef: 'repositoryId name oid:GitObjectID',
  updateRef: 'refId oid:GitObjectID',
  deleteRef: 'refId',
  createIssue: 'repositoryId title',
  createPullRequest: 'repositoryId baseRefName headRefName title',
  addPullRequestReview: 'pullRequestId',
  dismissPullRequestReview: 'pullRequestReviewId message',
  addPullRequestReviewThread: 'path body',
  addPullRequestReviewThreadReply: 'pullRequestReviewThreadId body',
  enablePullRequestAutoMerge: 'pullRequestId',
  disablePullRequestAutoMerge: 'pullRequestId',
  requestReviews: 'pullRequestId',
  resolveReviewThread: 'threadId',
  unresolveReviewThread: 'threadId',
  createLabel: 'repositoryId name color',
  createRepository: 'name visibility:RepositoryVisibility',
  addComment: 'subjectId body',
  updateIssueComment: 'id body',
  addLabelsToLabelable: 'labelableId labelIds:[ID!]',
  removeLabelsFromLabelable: 'labelableId labelIds:[ID!]',
  addAssigneesToAssignable: 'assignableId assigneeIds:[ID!]',
  removeAssigneesFromAssignable: 'assignableId assigneeIds:[ID!]',
  addReaction: 'subjectId content:ReactionContent',
  removeReaction: 'subjectId content:ReactionContent',
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createCommitOnBranch: mutation({ commit: 'Commit', ref: 'Ref' }, commitOnBranch),
  createRef: mutation({ ref: 'Ref' }, (input, api) => {
    const repository = nodeOf(input.repositoryId, api)
    api.act('POST', `${home(repository)}/git/refs`, { ref: input.name ?? '', sha: input.oid ?? '' })
    return { ref: fieldsOf(refAt(repository, input.name, api)) }
  }),
  updateRef: mutation({ ref: 'Ref' }, (input, api) => {
    const node = nodeOf(input.refId, api)
    api.act('PATCH', refOf(node), { sha: input.oid ?? '', force: input.force ?? false })
    return { ref: fieldsOf(refAt(node, node.ref, api)) }
  }),
  deleteRef: mutation({}, (input, api) => {
    api.act('DELETE', refOf(nodeOf(input.refId, api)))
    return {}
  }),
  createIssue: mutation({ issue: 'Issue' }, (input, api) => ({
    issue: api.act('POST', `${home(nodeOf(input.repositoryId, api))}/issues`, updated(input, api)),
  })),
  updateIssue: onIssue('id', updated),
  closeIssue: onIssue('issueId', ({ stateReason }) => ({
    state: 'closed',
    state_reason: lower(stateReason ?? 'completed'),
  })),
  reopenIssue: onIssue('issueId', () => ({ state: 'open' })),
  createPullRequest: mutation({ pullRequest: 'PullRequest' }, (input, api) => ({
    pullRequest: api.act('POST', `${home(nodeOf(input.repositoryId, api))}/pulls`, {
      draft: false,
      ...given(input, { title: 'title', body: 'body', head: 'headRefName', base: 'baseRefName', draft: 'draft' }),
    }),
  })),
  updatePullRequest: onPull(updated),
  closePullRequest: onPull(() => ({ state: 'closed' })),
  reopenPullRequest: onPull(() => ({ state: 'open' })),
  markPullRequestReadyForReview: onPull(() => ({ draft: false })),
  convertPullRequestToDraft: onPull(() => ({ draft: true })),
  enablePullRequestAutoMerge: autoMerging(true),
  disablePullRequestAutoMerge: autoMerging(false),
  mergePullRequest: acting('pullRequest', 'PullRequest', 'pullRequestId', 'PUT', merging, (input) => ({
    merge_method: lower(input.mergeMethod ?? 'merge'),
    ...given(input, { commit_title: 'commitHeadline', commit_message: 'commitBody', sha: 'expectedHeadOid' }),
  })),
  addPullRequestReview: mutation({ pullRequestReview: 'PullRequestReview' }, (input, api) => ({
    pullRequestReview: api.act('POST', `${ofPull(nodeOf(input.pullRequestId, api))}/reviews`, {
      ...given(input, { body: 'body', event: 'event', commit_id: 'commitOID' }),
      comments: listOf(input.threads ?? input.comments).map((thread) => onLine(thread)),
    }),
  })),
  dismissPullRequestReview: mutation({ pullRequestReview: 'PullRequestReview' }, (input, api) => {
    const review = nodeOf(input.pullRequestReviewId, api)
    const message = input.message ?? ''
    return {
      pullRequestReview: api.act('PUT', `${pullOf(review)}/reviews/${review.id}/dismissals`, { message }),
    }
  }),
  addPullRequestReviewThread: mutation({ thread: 'PullRequestReviewThread' }, (input, api) => {
    const pull = nodeOf(input.pullRequestId, api)
    const commit_id = fieldsOf(pull.head).sha ?? ''
    return { thread: api.act('POST', `${ofPull(pull)}/comments`, { ...onLine(input), commit_id }) }
  }),
  addPullRequestReviewThreadReply: mutation({ comment: 'PullRequestReviewComment' }, (input, api) => {
    const { id, ...thread } = nodeOf(input.pullRequestReviewThreadId, api)
    return { comment: api.act('POST', `${pullOf(thread)}/comments/${id}/replies`, { body: input.body ?? '' }) }
  }),
  updatePullRequestBranch: acting(
    'pullRequest',
    'PullRequest',
    'pullRequestId',
    'PUT',
    (node) => `${ofPull(node)}/update-branch`,
  ),
  createLabel: mutation({ label: 'Label' }, (input, api) => ({
    label: api.act('POST', `${home(nodeOf(input.repositoryId, api))}/labels`, {
      ...given(input, { name: 'name', color: 'color', description: 'description' }),
    }),
  })),
  updateRepository: acting('repository', 'Repository', 'repositoryId', 'PATCH', home, (input) =>
    given(input, {
      name: 'name',
      description: 'description',
      homepage: 'homepageUrl',
      has_issues: 'hasIssuesEnabled',
      has_wiki: 'hasWikiEnabled',
    }),
  ),
  createRepository: mutation({ repository: 'Repository' }, (input, api) => ({
    repository: api.act('POST', '/user/repos', {
      ...given(input, { name: 'name', description: 'description', homepage: 'homepageUrl' }),
      private: input.visibility !== 'PUBLIC',
    }),
  })),
  clearLabelsFromLabelable: onPart('labelable', 'labelableId', 'DELETE', 'labels'),
  resolveReviewThread: resolving('resolved'),
  unresolveReviewThread: resolving('unresolved'),
  requestReviews: mutation({ pullRequest: 'PullRequest' }, (input, api) => ({
    pullRequest: api.act('POST', `${ofPull(nodeOf(input.pullRequestId, api))}/requested_reviewers`, {
      reviewers: loginsOf(input.userIds, api),
    }),
  })),
  addComment: mutation({ commentEdge: 'Edge:IssueComment', subject: 'Node' }, ({ subjectId, body = null }, api) => {
    const subject = nodeOf(subjectId, api)
    const node = api.act('POST', `${ofThread(subject)}/comments`, { body })
    return { commentEdge: { node, cursor: cursorOf(0) }, subject }
  }),
  updateIssueComment: mutation({ issueComment: 'IssueComment' }, (input, api) => ({
    issueComment: api.act('PATCH', `${home(nodeOf(input.id, api))}/issues/comments/${nodeOf(input.id, api).id}`, {
      body: input.body ?? null,
    }),
  })),
  deleteIssueComment: mutation({}, (input, api) => {
    const comment = nodeOf(input.id, api)
    api.act('DELETE', `${home(comment)}/issues/comments/${comment.id}`)
    return {}
  }),
  addLabelsToLabelable: onPart('labelable', 'labelableId', 'POST', 'labels', ({ labelIds }, api) => ({
    labels: labelsOf(labelIds, api),
  })),
  removeLabelsFromLabelable: mutation({ labelable: 'Node' }, ({ labelIds, labelableId }, api) => {
    for (const name of labelsOf(labelIds, api))
      api.act('DELETE', `${ofThread(nodeOf(labelableId, api))}/labels/${encodeURIComponent(String(name))}`)
    return { labelable: nodeOf(labelableId, api) }
  }),
  addAssigneesToAssignable: onPart('assignable', 'assignableId', 'POST', 'assignees', ({ assigneeIds }, api) => ({
    assignees: loginsOf(assigneeIds, api),
  })),
  removeAssigneesFromAssignable: onPart(
    'assignable',
    'assignableId',
    'DELETE',
    'assignees',
    ({ assigneeIds }, api) => ({
      assignees: loginsOf(assigneeIds, api),
    }),
  ),
  lockLockable: onPart('lockedRecord', 'lockableId', 'PUT', 'lock', ({ lockReason }) =>
    lockReason == null ? {} : { lock_reason: lower(lockReason).replace('_', lockReason === 'OFF_TOPIC' ? '-' : ' ') },
  ),
  unlockLockable: onPart('unlockedRecord', 'lockableId', 'DELETE', 'lock'),
  addStar: starred('PUT'),
  removeStar: starred('DELETE'),
  addReaction: mutation({ reaction: 'Reaction', subject: 'Node' }, ({ subjectId, content }, api) => {
    const subject = nodeOf(subjectId, api)
    return { reaction: api.act('POST', reactionsOf(subject), { content: reactionOf(content) }), subject }
  }),
  removeReaction: mutation({ reaction: 'Reaction', subject: 'Node' }, ({ subjectId, content }, api) => {
    const subject = nodeOf(subjectId, api)
    const login = api.get('/user')?.login
    const isOwn = (one: JsonObject) => one.content === reactionOf(content) && fieldsOf(one.user).login === login
    const reaction = orFail(api.all(reactionsOf(subject)).find(isOwn), 'Reaction not found')
    api.act('DELETE', `${reactionsOf(subject)}/${reaction.id}`)
    return { reaction, subject }
  }),
}

const scalarOf = (type: string, name: string): string | undefined =>
  SCALARS[type]?.split(' ').find((word) => word.replace(/[:!].*$/, '') === name)

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What a list leaves out of these stands in the answer at their address. */
const SHORTENED = new Set(['User', 'Repository', 'PullRequest', 'Commit'])

function scalar(type: string, name: string, rest: JsonObject, { get }: Api): Json {
  const word = scalarOf(type, name) ?? name
  const path = (word.replace('!', '').split(':')[1] ?? snake(name)).split('.')
  let found = readField(rest, path)
  if (found === undefined && SHORTENED.has(type) && rest.url) found = readField(get(restPath(rest.url)) ?? {}, path)
  return word.endsWith('!') ? upper(found) : (found ?? null)
}

/** `Connection:User` is `UserConnection`, `Payload:addStar` is `AddStarPayload`. */
const wholeName = (type: string): string =>
  type.replace(/^(\w+):(.)(.*)$/, (_, kind, first: string, rest) => first.toUpperCase() + rest + kind)
const tableOf = (type: string) => ABSTRACT[type] ?? (/^[A-Z]\w+Event$/.test(type) ? 'TimelineEvent' : type)
const fits = (on: string, type: string, declared: string) =>
  on === type || on === declared || on === 'Actor' || on === 'Node' || UNIONS.has(on)

/** One request: its answer, its faults, and how its parts are found. */
class Execution {
  readonly #operation: Operation
  readonly #api: Api
  readonly errors: JsonObject[] = []

  constructor(operation: Operation, api: Api) {
    this.#operation = operation
    this.#api = api
  }

  /** Notes fields that do not exist. */
  check(type: string, selections: readonly Selection[], path: string[]): void {
    for (const { name, below, alias, on, line, column } of selections) {
      const own = on ?? type
      const at = [...path, alias]
      const next = this.#typeBelow(own, name)
      if (next === undefined && name !== '__typename' && !UNIONS.has(own))
        this.errors.push({
          path: at,
          extensions: { code: 'undefinedField', typeName: wholeName(own), fieldName: name },
          locations: [{ line, column }],
          message: `Field '${name}' doesn't exist on type '${wholeName(own)}'`,
        })
      else if (next && below === undefined)
        this.errors.push({
          path: at,
          extensions: { code: 'selectionMismatch', nodeName: `field '${name}'`, typeName: wholeName(next) },
          locations: [{ line, column }],
          message: `Field must have selections (field '${name}' returns ${wholeName(next)} but has no selections. Did you mean '${name} { ... }'?)`,
        })
      else if (next && below) this.check(next, below, at)
    }
  }

  /** The type below a field; an empty text for a scalar; undefined without such a field. */
  #typeBelow(type: string, name: string): string | undefined {
    const [, kind = '', of = ''] = /^(Connection|Edge|Payload):(.*)$/.exec(type) ?? []
    if (kind === 'Connection' && /Count$/.test(name)) return ''
    if (kind === 'Connection') return { nodes: of, edges: `Edge:${of}`, pageInfo: 'PageInfo' }[name]
    if (kind === 'Edge') return { node: of, cursor: '', ...(of === 'Language' && { size: '' }) }[name]
    if (kind === 'Payload') return name === 'clientMutationId' ? '' : MUTATIONS[of]?.of[name]
    if (type === 'PageInfo') return /^(has(Next|Previous)Page|(start|end)Cursor)$/.test(name) ? '' : undefined
    if (type === 'Mutation') return name in MUTATIONS ? `Payload:${name}` : undefined
    const link = LINKS[tableOf(type)]?.[name]
    if (link === undefined) return scalarOf(tableOf(type), name) === undefined ? undefined : ''
    return link.isMany ? `Connection:${link.of}` : link.of.replace('[', '')
  }

  run(): JsonObject {
    const { kind, selections } = this.#operation
    return this.#project(kind === 'query' ? 'Query' : 'Mutation', {}, selections, [])
  }

  #args = ({ args }: Selection): JsonObject =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, filled(value, this.#operation.variables)]))

  #project(declared: string, rest: JsonObject, selections: readonly Selection[], path: Json[]): JsonObject {
    const type = ABSTRACT[declared] ? String(rest.type ?? 'User') : String(rest.__type ?? declared)
    const answer: JsonObject = {}
    for (const selection of selections) {
      const { name, alias, on } = selection
      if (on !== undefined && !fits(on, type, declared)) continue
      const value =
        name === '__typename'
          ? wholeName(type)
          : this.#field(type === 'Bot' ? 'User' : type, rest, selection, [...path, alias])
      const before = answer[alias]
      answer[alias] = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value
    }
    return answer
  }

  #field(type: string, rest: JsonObject, selection: Selection, path: Json[]): Json {
    const { name, below = [] } = selection
    return this.#caught(selection, path, () => {
      const of = this.#typeBelow(type, name)
      const found = this.#found(type, rest, selection)
      if (!of || found === null) return found
      if (!Array.isArray(found)) return this.#project(of, fieldsOf(found), below, path)
      return listOf(found).map((row, at) => this.#project(of, row, below, [...path, at]))
    })
  }

  /** What the field of an answer has, not yet projected. */
  #found(type: string, rest: JsonObject, selection: Selection): Json {
    const { name, below = [] } = selection
    const args = this.#args(selection)
    if (type === 'Mutation') {
      const input = fieldsOf(args.input)
      const { is, id } = MUTATIONS[name] as Mutation
      const missing = (NEEDS[name] ?? id).split(' ').find((one) => input[one.split(':')[0] ?? ''] == null)
      if (missing !== undefined) throw withoutInput(selection, missing)
      return { clientMutationId: input.clientMutationId ?? null, ...is(input, this.#api) }
    }
    if (type.startsWith('Connection:')) return rest[/Count$/.test(name) ? 'totalCount' : name] ?? null
    if (/^(?:Edge|Payload):|^PageInfo$/.test(type)) return rest[name] ?? null
    const link = LINKS[tableOf(type)]?.[name]
    if (link === undefined) return scalar(tableOf(type), name, rest, this.#api)
    if (link.isMany) checkPage(name, below, args)
    const found = link.is(rest, args, this.#api)
    return link.isMany ? connection(listOf(found), args) : found
  }

  #caught(selection: Selection, path: Json[], act: () => Json): Json {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof GraphqlFault)) throw error
      const { type, ...fault } = error.error
      const { line, column } = selection
      this.errors.push({ ...(type && { type }), path, locations: [{ line, column }], ...fault } as JsonObject)
      return null
    }
  }
}

const cursorOf = (place: number): string => Buffer.from(`cursor:v2:${place + 1}`).toString('base64')
const placeOf = (cursor: Json): number =>
  Number(/\d+$/.exec(Buffer.from(String(cursor), 'base64').toString())?.[0] ?? 0)

/** A page of a list. */
function connection(all: readonly JsonObject[], { first, last, after, before }: JsonObject): JsonObject {
  let from = after == null ? 0 : placeOf(after)
  let to = before == null ? all.length : placeOf(before) - 1
  if (first != null) to = Math.min(to, from + Number(first))
  if (last != null) from = Math.max(from, to - Number(last))
  const nodes = all.slice(from, to)
  const edges = nodes.map((node, at) => ({ node, cursor: cursorOf(from + at), size: node.size ?? null }))
  const [startCursor, endCursor] = [edges.at(0)?.cursor ?? null, edges.at(-1)?.cursor ?? null]
  const pageInfo = { hasNextPage: to < all.length, hasPreviousPage: from > 0, startCursor, endCursor }
  return { nodes, edges, pageInfo, totalCount: all.length }
}

/** Refuses a list without `first` and `last`, and a page that is too long. */
function checkPage(name: string, below: readonly Selection[], { first, last }: JsonObject): void {
  if (first == null && last == null) {
    if (!below.some((one) => PAGED.has(one.name))) return
    throw new GraphqlFault({
      type: 'MISSING_PAGINATION_BOUNDARIES',
      message: `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    })
  }
  const [limit, asked] = first == null ? ['last', last] : ['first', first]
  if (Number(asked) > MOST_OF_PAGE)
    throw new GraphqlFault({
      type: 'EXCESSIVE_PAGINATION',
      message: `Requesting ${asked} records on the \`${name}\` connection exceeds the \`${limit}\` limit of ${MOST_OF_PAGE} records.`,
    })
}

function apiOf(context: OperationContext): Api {
  const get = (path: string) => {
    const { status, body } = context.call('GET', path)
    return status < 400 ? body : undefined
  }
  return {
    context,
    get,
    all: (path) => {
      const rows: JsonObject[] = []
      for (let page = 1; page <= MOST_OF_PAGE; page++) {
        const answer = get(`${path}${path.includes('?') ? '&' : '?'}per_page=${MOST_OF_PAGE}&page=${page}`)
        const found = listOf(answer?.items ?? answer)
        rows.push(...found)
        if (found.length < MOST_OF_PAGE) break
      }
      return rows
    },
    act: (method, path, body = {}) => {
      const { status, body: answer } = context.call(method, path, body)
      if (status < 400) return fieldsOf(answer)
      const [fault] = listOf(fieldsOf(answer).errors)
      const message = String(fault?.message ?? fieldsOf(answer).message ?? 'Something went wrong')
      throw new GraphqlFault({
        type: status === 404 ? 'NOT_FOUND' : status === 403 ? 'FORBIDDEN' : 'UNPROCESSABLE',
        message,
      })
    },
  }
}

/** `POST /graphql`: the answer has `data`, `errors`, or both. */
export function graphql(context: OperationContext): object {
  const { query, variables, operationName } = context.body
  try {
    const operation = parseOperation(
      String(query ?? ''),
      operationName == null ? undefined : String(operationName),
      fieldsOf(variables),
    )
    const execution = new Execution(operation, apiOf(context))
    const type = operation.kind === 'query' ? 'Query' : 'Mutation'
    execution.check(type, operation.selections, [operation.kind])
    if (execution.errors.length > 0) return { errors: execution.errors }
    const data = execution.run()
    return { data, ...(execution.errors.length > 0 && { errors: execution.errors }) }
  } catch (error) {
    if (!(error instanceof GraphqlFault)) throw error
    return { errors: [error.error] }
  }
}
