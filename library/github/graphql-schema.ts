import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { filled, GraphqlFault, type Operation, parseOperation, type Selection } from './graphql.ts'

/** Scalars by type: the field, and after `:` where it stands in the REST answer; `!` for an enum. */
const SCALARS: Readonly<Record<string, string>> = {
  User: 'id:node_id databaseId:id login name email bio company location websiteUrl:blog avatarUrl createdAt updatedAt url:html_url isSiteAdmin:site_admin',
  Organization: 'id:node_id databaseId:id login name description email avatarUrl createdAt updatedAt url:html_url',
  Repository:
    'id:node_id databaseId:id name nameWithOwner:full_name description url:html_url sshUrl homepageUrl:homepage isPrivate:private isFork:fork isArchived:archived isTemplate visibility! stargazerCount:stargazers_count forkCount:forks_count hasIssuesEnabled:has_issues hasWikiEnabled:has_wiki diskUsage:size createdAt updatedAt pushedAt',
  Issue:
    'id:node_id databaseId:id number title body bodyText:body url:html_url state! stateReason! locked activeLockReason! createdAt updatedAt closedAt authorAssociation!',
  PullRequest:
    'id:node_id databaseId:id number title body bodyText:body url:html_url locked isDraft:draft merged createdAt updatedAt closedAt mergedAt additions deletions changedFiles headRefName:head.ref headRefOid:head.sha baseRefName:base.ref baseRefOid:base.sha authorAssociation! maintainerCanModify mergeStateStatus:mergeable_state!',
  Label: 'id:node_id name color description isDefault:default',
  Milestone: 'id:node_id number title description state! dueOn createdAt updatedAt closedAt url:html_url',
  IssueComment: 'id:node_id databaseId:id body bodyText:body createdAt updatedAt url:html_url authorAssociation!',
  PullRequestReview:
    'id:node_id databaseId:id body state! submittedAt createdAt:submitted_at url:html_url authorAssociation!',
  PullRequestReviewComment:
    'id:node_id databaseId:id body path line createdAt updatedAt url:html_url diffHunk outdated',
  Commit:
    'id:node_id oid:sha message:commit.message committedDate:commit.committer.date authoredDate:commit.author.date url:html_url additions:stats.additions deletions:stats.deletions',
  GitActor: 'name email date',
  Ref: 'id:node_id name prefix',
  Blob: 'oid:sha text byteSize:size isBinary',
  Tree: 'oid:sha',
  TreeEntry: 'name path type oid:sha',
  PullRequestCommit: 'id:node_id url:html_url',
  PullRequestChangedFile: 'path:filename additions deletions changeType:status!',
  StatusCheckRollup: 'state!',
  StatusContext: 'context state! description targetUrl createdAt',
  CheckRun: 'databaseId:id name status! conclusion! detailsUrl startedAt completedAt',
  Release:
    'id:node_id databaseId:id name tagName description:body isDraft:draft isPrerelease:prerelease createdAt publishedAt url:html_url',
  ReleaseAsset: 'id:node_id name size contentType downloadCount downloadUrl:browser_download_url',
  Language: 'name',
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
const UNIONS = new Set(['Node', 'SearchResultItem', 'GitObject', 'IssueOrPullRequest', 'StatusCheckRollupContext'])
const CONNECTION = new Set(['nodes', 'edges', 'totalCount', 'pageInfo'])
const MOST_OF_PAGE = 100

type Resolve = (rest: JsonObject, args: JsonObject, api: Api) => Json
interface Link {
  readonly of: string
  readonly is: Resolve
  readonly isMany?: boolean
}
const one = (of: string, is: Resolve): Link => ({ of, is })
const many = (of: string, is: Resolve): Link => ({ of, is, isMany: true })

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
const chosen = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])
const typed = (__type: string) => (rest: JsonObject) => ({ ...rest, __type })
const ofThread = (rest: JsonObject) => `${home(rest)}/issues/${rest.number}`
const ofPull = (rest: JsonObject) => `${home(rest)}/pulls/${rest.number}`
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

const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,15})\b/gi
const login = (value: Json | undefined): Json => (value == null ? null : fieldsOf(value))
const threads: Record<string, Link> = {
  author: one('Actor', ({ user }) => login(user)),
  assignees: many('User', ({ assignees }) => listOf(assignees)),
  labels: many('Label', ({ labels }) => listOf(labels)),
  milestone: one('Milestone', ({ milestone }) => login(milestone)),
  comments: many('IssueComment', (rest, _, { all }) => all(`${ofThread(rest)}/comments`)),
  repository: one('Repository', (rest, _, { get }) => get(home(rest)) ?? null),
  reactions: many('Reaction', (rest, _, { all }) => all(`${ofThread(rest)}/reactions`)),
  participants: many('User', (rest, _, { all }) => {
    const people = [
      rest.user,
      ...listOf(rest.assignees),
      ...all(`${ofThread(rest)}/comments`).map(({ user }) => user ?? null),
    ]
    return [...new Map(listOf(people).map((person) => [person.login, person])).values()]
  }),
}
const ofOwner: Record<string, Link> = {
  repositories: many('Repository', (rest, args, { all }) =>
    ordered(all(`/${rest.type === 'Organization' ? 'orgs' : 'users'}/${rest.login}/repos?type=all`), args),
  ),
  repository: one('Repository', (rest, { name }, api) => repositoryAt(api, rest.login, name)),
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
const actorOf = (who: Json | undefined): JsonObject => fieldsOf(who)

const LINKS: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  Query: {
    viewer: one('User', (_, __, { get }) => get('/user') ?? null),
    repository: one('Repository', (_, { owner, name }, api) => repositoryAt(api, owner, name)),
    user: one('User', (_, args, { get }) =>
      orFail(get(`/users/${args.login}`), `Could not resolve to a User with the login of '${args.login}'.`),
    ),
    organization: one('Organization', (_, args, { get }) =>
      orFail(get(`/orgs/${args.login}`), `Could not resolve to an Organization with the login of '${args.login}'.`),
    ),
    repositoryOwner: one('RepositoryOwner', (_, args, { get }) => get(`/users/${args.login}`) ?? null),
    node: one('Node', (_, { id }, api) => nodeOf(id, api)),
    nodes: one('[Node', (_, { ids }, api) => chosen(ids).map((id) => nodeOf(id, api))),
    rateLimit: one('RateLimit', (_, __, { context }) => {
      const reset_at = new Date(context.now.getTime() + 3_600_000).toISOString()
      return { limit: 5_000, remaining: 4_999, used: 1, cost: 1, reset_at }
    }),
    search: many('SearchResultItem', (_, { query, type }, { context }) => {
      const kind = { REPOSITORY: 'repositories', USER: 'users' }[String(type)] ?? 'issues'
      const { body } = context.call('GET', `/search/${kind}?per_page=100&q=${encodeURIComponent(String(query))}`)
      const type_ = (row: JsonObject) =>
        kind === 'repositories'
          ? 'Repository'
          : kind === 'users'
            ? String(row.type)
            : row.pull_request
              ? 'PullRequest'
              : 'Issue'
      return listOf(body.items).map((row) => ({ ...row, __type: type_(row) }))
    }),
  },
  User: { ...ofOwner, organizations: many('Organization', (rest, _, { all }) => all(`/users/${rest.login}/orgs`)) },
  Organization: {
    ...ofOwner,
    membersWithRole: many('User', (rest, _, { all }) => all(`/orgs/${rest.login}/members`)),
  },
  Repository: {
    owner: one('RepositoryOwner', ({ owner }) => actorOf(owner)),
    parent: one('Repository', ({ parent }) => login(parent)),
    defaultBranchRef: one('Ref', (rest, _, api) => refAt(rest, rest.default_branch, api)),
    ref: one('Ref', (rest, { qualifiedName }, api) => refAt(rest, qualifiedName, api)),
    refs: many('Ref', (rest, { refPrefix }, { all }) => {
      const prefix = String(refPrefix ?? 'refs/heads/')
      const rows = all(`${home(rest)}/git/matching-refs/${prefix.replace(/^refs\//, '')}`)
      return rows.map((row) => ({ ...row, prefix, name: String(row.ref).slice(prefix.length) }))
    }),
    object: one('GitObject', (rest, { expression, oid }, { get }) => {
      const [rev = '', path] = String(expression ?? oid).split(':')
      if (path === undefined) return mapped(get(`${home(rest)}/commits/${rev}`), typed('Commit'))
      const found = get(`${home(rest)}/contents/${path}?ref=${encodeURIComponent(rev)}`)
      if (found === undefined) return null
      if (Array.isArray(found)) return { __type: 'Tree', sha: '', entries: found }
      const text = Buffer.from(String(found.content ?? ''), 'base64').toString()
      return { ...found, __type: 'Blob', text, isBinary: false, is_binary: false }
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
    label: one(
      'Label',
      (rest, { name }, { get }) => get(`${home(rest)}/labels/${encodeURIComponent(String(name))}`) ?? null,
    ),
    milestones: many('Milestone', (rest, args, { all }) =>
      ordered(all(`${home(rest)}/milestones?state=all`), args).filter(
        ({ state }) => args.states == null || chosen(args.states).includes(String(upper(state))),
      ),
    ),
    milestone: one('Milestone', (rest, { number }, { get }) => get(`${home(rest)}/milestones/${number}`) ?? null),
    releases: many('Release', (rest, args, { all }) => ordered(all(`${home(rest)}/releases`), args)),
    release: one('Release', (rest, { tagName }, { get }) => get(`${home(rest)}/releases/tags/${tagName}`) ?? null),
    latestRelease: one('Release', (rest, _, { get }) => get(`${home(rest)}/releases/latest`) ?? null),
    primaryLanguage: one('Language', ({ language }) => (language == null ? null : { name: language })),
    licenseInfo: one('License', ({ license }) => login(license)),
    repositoryTopics: many('RepositoryTopic', ({ topics }) => chosen(topics).map((name) => ({ name }))),
    stargazers: many('User', (rest, _, { all }) => all(`${home(rest)}/stargazers`)),
    forks: many('Repository', (rest, _, { all }) => all(`${home(rest)}/forks`)),
    collaborators: many('User', (rest, _, { all }) => all(`${home(rest)}/collaborators`)),
    assignableUsers: many('User', (rest, _, { all }) => all(`${home(rest)}/assignees`)),
  },
  RepositoryTopic: { topic: one('Topic', (rest) => rest) },
  Issue: threads,
  PullRequest: {
    ...threads,
    mergedBy: one('Actor', (rest, _, api) => login(whole(rest, api).merged_by)),
    mergeCommit: one('Commit', (rest, _, api) => {
      const { merged, merge_commit_sha } = whole(rest, api)
      return merged ? (api.get(`${home(rest)}/commits/${merge_commit_sha}`) ?? null) : null
    }),
    headRef: one('Ref', (rest, _, api) => refAt(fieldsOf(fieldsOf(rest.head).repo), fieldsOf(rest.head).ref, api)),
    baseRef: one('Ref', (rest, _, api) => refAt(rest, fieldsOf(rest.base).ref, api)),
    headRepository: one('Repository', ({ head }) => login(fieldsOf(head).repo)),
    commits: many('PullRequestCommit', (rest, _, { all }) => all(`${ofPull(rest)}/commits`)),
    files: many('PullRequestChangedFile', (rest, _, { all }) => all(`${ofPull(rest)}/files`)),
    reviews: many('PullRequestReview', (rest, { states }, { all }) =>
      all(`${ofPull(rest)}/reviews`).filter(({ state }) => states == null || chosen(states).includes(String(state))),
    ),
    latestReviews: many('PullRequestReview', (rest, _, { all }) => [
      ...new Map(all(`${ofPull(rest)}/reviews`).map((row) => [fieldsOf(row.user).login, row])).values(),
    ]),
    reviewRequests: many('ReviewRequest', ({ requested_reviewers }) => listOf(requested_reviewers)),
    closingIssuesReferences: many('Issue', (rest, _, { get }) =>
      [...String(rest.body ?? '').matchAll(CLOSING)].flatMap(
        ([, number]) => get(`${home(rest)}/issues/${number}`) ?? [],
      ),
    ),
    statusCheckRollup: one('StatusCheckRollup', (rest, _, api) =>
      rollup({ url: rest.url ?? null, sha: fieldsOf(rest.head).sha ?? null }, api),
    ),
  },
  ReviewRequest: { requestedReviewer: one('RequestedReviewer', (rest) => rest) },
  PullRequestCommit: { commit: one('Commit', (rest) => rest) },
  IssueComment: { author: one('Actor', ({ user }) => login(user)) },
  PullRequestReview: {
    author: one('Actor', ({ user }) => login(user)),
    comments: many('PullRequestReviewComment', (rest, _, { all }) =>
      all(`${new URL(String(rest.pull_request_url)).pathname}/reviews/${rest.id}/comments`),
    ),
  },
  PullRequestReviewComment: { author: one('Actor', ({ user }) => login(user)) },
  Milestone: {
    issues: many('Issue', (rest, args, api) =>
      issuesAt(home(rest), args, api).filter(({ milestone }) => fieldsOf(milestone).number === rest.number),
    ),
  },
  Commit: {
    author: one('GitActor', ({ commit }) => login(fieldsOf(commit).author)),
    committer: one('GitActor', ({ commit }) => login(fieldsOf(commit).committer)),
    statusCheckRollup: one('StatusCheckRollup', (rest, _, api) => rollup(rest, api)),
    history: many('Commit', (rest, { path, since }, { all }) =>
      all(`${home(rest)}/commits?sha=${rest.sha}${path ? `&path=${path}` : ''}${since ? `&since=${since}` : ''}`),
    ),
    associatedPullRequests: many('PullRequest', (rest, _, { all }) => all(`${home(rest)}/commits/${rest.sha}/pulls`)),
    parents: many('Commit', ({ parents }) => listOf(parents)),
  },
  StatusCheckRollup: { contexts: many('StatusCheckRollupContext', ({ contexts }) => contexts ?? []) },
  GitActor: { user: one('User', () => null) },
  Tree: { entries: one('[TreeEntry', ({ entries }) => entries ?? []) },
  Ref: {
    target: one('GitObject', (rest, _, { get }) =>
      mapped(get(`${home(rest)}/commits/${fieldsOf(rest.object).sha}`), typed('Commit')),
    ),
  },
  Release: {
    author: one('User', ({ author }) => login(author)),
    releaseAssets: many('ReleaseAsset', ({ assets }) => listOf(assets)),
  },
  Label: {
    issues: many('Issue', (rest, args, api) => issuesAt(home(rest), { ...args, labels: [rest.name ?? ''] }, api)),
  },
  Reaction: { user: one('User', ({ user }) => login(user)) },
}

/** Fields that are worked out of several. */
const COMPUTED: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  User: { isViewer: (rest, _, { get }) => get('/user')?.login === rest.login },
  Repository: {
    viewerPermission: (rest) =>
      fieldsOf(rest.permissions).admin ? 'ADMIN' : fieldsOf(rest.permissions).push ? 'WRITE' : 'READ',
  },
  Issue: { closed: ({ state }) => state === 'closed' },
  PullRequest: {
    state: (rest) => stateOf(rest),
    closed: ({ state }) => state === 'closed',
    mergeable: (rest, _, api) =>
      ({ true: 'MERGEABLE', false: 'CONFLICTING' })[String(whole(rest, api).mergeable)] ?? 'UNKNOWN',
    reviewDecision: (rest, _, api) => decision(rest, api),
    isCrossRepository: ({ head, base }) => fieldsOf(fieldsOf(head).repo).id !== fieldsOf(fieldsOf(base).repo).id,
    additions: (rest, _, api) => whole(rest, api).additions ?? 0,
    deletions: (rest, _, api) => whole(rest, api).deletions ?? 0,
    changedFiles: (rest, _, api) => whole(rest, api).changed_files ?? 0,
    merged: ({ merged, merged_at }) => Boolean(merged ?? merged_at),
  },
  Commit: {
    abbreviatedOid: ({ sha }) => String(sha).slice(0, 7),
    messageHeadline: ({ commit }) => String(fieldsOf(commit).message).split('\n')[0] ?? '',
  },
  Ref: {},
}

/** The first letters of a node's id, and where it is found. */
const NODES: Readonly<
  Record<string, readonly [type: string, collection: string, path: (record: JsonObject) => string]>
> = {
  I: ['Issue', 'issues', ({ number }) => `/issues/${number}`],
  PR: ['PullRequest', 'pulls', ({ number }) => `/pulls/${number}`],
  LA: ['Label', 'labels', ({ name }) => `/labels/${encodeURIComponent(String(name))}`],
  IC: ['IssueComment', 'comments', ({ id }) => `/issues/comments/${id}`],
  MI: ['Milestone', 'milestones', ({ number }) => `/milestones/${number}`],
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

const mapped = (value: JsonObject | undefined, to: (value: JsonObject) => Json): Json =>
  value === undefined ? null : to(value)

type Mutate = (input: JsonObject, api: Api) => Record<string, JsonObject>
interface Mutation {
  readonly of: Readonly<Record<string, string>>
  readonly is: Mutate
}
const mutation = (of: Mutation['of'], is: Mutate): Mutation => ({ of, is })
const labelsOf = (ids: Json | undefined, api: Api) => chosen(ids).map((id) => nodeOf(id, api).name ?? '')
const loginsOf = (ids: Json | undefined, api: Api) => chosen(ids).map((id) => nodeOf(id, api).login ?? '')
const pathOf = (node: JsonObject) => (node.__type === 'PullRequest' ? ofPull(node) : ofThread(node))

/** Changes an issue or a pull request; what it is then. */
const changed = (id: Json | undefined, body: JsonObject, api: Api): JsonObject => {
  const node = nodeOf(id, api)
  api.act('PATCH', pathOf(node), body)
  return nodeOf(id, api)
}
const updated = (input: JsonObject, api: Api): JsonObject => ({
  ...(input.title != null && { title: input.title }),
  ...(input.body != null && { body: input.body }),
  ...(input.state != null && { state: lower(input.state) }),
  ...(input.labelIds != null && { labels: labelsOf(input.labelIds, api) }),
  ...(input.assigneeIds != null && { assignees: loginsOf(input.assigneeIds, api) }),
  ...(input.milestoneId != null && { milestone: nodeOf(input.milestoneId, api).number ?? null }),
})
const thread = (field: string, id: string, type: string, body: (input: JsonObject, api: Api) => JsonObject) =>
  mutation({ [field]: type }, (input, api) => ({ [field]: changed(input[id], body(input, api), api) }))
/** A mutation of what has a part: the part is sent to its path. */
const part = (
  field: string,
  id: string,
  method: string,
  path: string,
  body: (input: JsonObject, api: Api) => JsonObject,
) =>
  mutation({ [field]: 'Node' }, (input, api) => {
    const node = nodeOf(input[id], api)
    api.act(method, `${ofThread(node)}/${path}`, body(input, api))
    return { [field]: nodeOf(input[id], api) }
  })

const starred = (method: string) =>
  mutation({ starrable: 'Node' }, ({ starrableId }, api) => {
    api.act(method, home(nodeOf(starrableId, api)).replace('/repos', '/user/starred'))
    return { starrable: nodeOf(starrableId, api) }
  })

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createIssue: mutation({ issue: 'Issue' }, (input, api) => ({
    issue: api.act('POST', `${home(nodeOf(input.repositoryId, api))}/issues`, updated(input, api)),
  })),
  updateIssue: thread('issue', 'id', 'Issue', updated),
  closeIssue: thread('issue', 'issueId', 'Issue', ({ stateReason }) => ({
    state: 'closed',
    state_reason: lower(stateReason ?? 'completed'),
  })),
  reopenIssue: thread('issue', 'issueId', 'Issue', () => ({ state: 'open' })),
  createPullRequest: mutation({ pullRequest: 'PullRequest' }, (input, api) => ({
    pullRequest: api.act('POST', `${home(nodeOf(input.repositoryId, api))}/pulls`, {
      title: input.title ?? null,
      body: input.body ?? null,
      head: input.headRefName ?? null,
      base: input.baseRefName ?? null,
      draft: input.draft ?? false,
    }),
  })),
  updatePullRequest: thread('pullRequest', 'pullRequestId', 'PullRequest', updated),
  closePullRequest: thread('pullRequest', 'pullRequestId', 'PullRequest', () => ({ state: 'closed' })),
  reopenPullRequest: thread('pullRequest', 'pullRequestId', 'PullRequest', () => ({ state: 'open' })),
  markPullRequestReadyForReview: thread('pullRequest', 'pullRequestId', 'PullRequest', () => ({ draft: false })),
  convertPullRequestToDraft: thread('pullRequest', 'pullRequestId', 'PullRequest', () => ({ draft: true })),
  mergePullRequest: mutation({ pullRequest: 'PullRequest' }, (input, api) => {
    const { mergeMethod, commitHeadline, commitBody, expectedHeadOid } = input
    api.act('PUT', `${ofPull(nodeOf(input.pullRequestId, api))}/merge`, {
      merge_method: lower(mergeMethod ?? 'merge'),
      ...(commitHeadline != null && { commit_title: commitHeadline }),
      ...(commitBody != null && { commit_message: commitBody }),
      ...(expectedHeadOid != null && { sha: expectedHeadOid }),
    })
    return { pullRequest: nodeOf(input.pullRequestId, api) }
  }),
  addPullRequestReview: mutation({ pullRequestReview: 'PullRequestReview' }, (input, api) => ({
    pullRequestReview: api.act('POST', `${ofPull(nodeOf(input.pullRequestId, api))}/reviews`, {
      ...(input.body != null && { body: input.body }),
      ...(input.event != null && { event: input.event }),
    }),
  })),
  requestReviews: mutation({ pullRequest: 'PullRequest' }, (input, api) => ({
    pullRequest: api.act('POST', `${ofPull(nodeOf(input.pullRequestId, api))}/requested_reviewers`, {
      reviewers: loginsOf(input.userIds, api),
    }),
  })),
  addComment: mutation({ commentEdge: 'IssueComment+', subject: 'Node' }, (input, api) => {
    const subject = nodeOf(input.subjectId, api)
    return { commentEdge: api.act('POST', `${ofThread(subject)}/comments`, { body: input.body ?? null }), subject }
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
  addLabelsToLabelable: part('labelable', 'labelableId', 'POST', 'labels', ({ labelIds }, api) => ({
    labels: labelsOf(labelIds, api),
  })),
  removeLabelsFromLabelable: mutation({ labelable: 'Node' }, ({ labelIds, labelableId }, api) => {
    for (const name of labelsOf(labelIds, api))
      api.act('DELETE', `${ofThread(nodeOf(labelableId, api))}/labels/${encodeURIComponent(String(name))}`)
    return { labelable: nodeOf(labelableId, api) }
  }),
  addAssigneesToAssignable: part('assignable', 'assignableId', 'POST', 'assignees', ({ assigneeIds }, api) => ({
    assignees: loginsOf(assigneeIds, api),
  })),
  removeAssigneesFromAssignable: part('assignable', 'assignableId', 'DELETE', 'assignees', ({ assigneeIds }, api) => ({
    assignees: loginsOf(assigneeIds, api),
  })),
  lockLockable: part('lockedRecord', 'lockableId', 'PUT', 'lock', ({ lockReason }) =>
    lockReason == null ? {} : { lock_reason: lower(lockReason).replace('_', lockReason === 'OFF_TOPIC' ? '-' : ' ') },
  ),
  unlockLockable: part('unlockedRecord', 'lockableId', 'DELETE', 'lock', () => ({})),
  addStar: starred('PUT'),
  removeStar: starred('DELETE'),
  addReaction: mutation({ reaction: 'Reaction' }, ({ subjectId, content }, api) => {
    const name = { THUMBS_UP: '+1', THUMBS_DOWN: '-1' }[String(content)] ?? lower(content)
    return { reaction: api.act('POST', `${ofThread(nodeOf(subjectId, api))}/reactions`, { content: name }) }
  }),
}

const scalarOf = (type: string, name: string): string | undefined =>
  SCALARS[type]?.split(' ').find((word) => word.replace(/[:!].*$/, '') === name)

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function scalar(word: string, rest: JsonObject): Json {
  const [name = '', path] = word.replace('!', '').split(':')
  const value = (path ?? snake(name)).split('.').reduce<Json | undefined>((at, key) => fieldsOf(at)[key], rest)
  return word.endsWith('!') ? upper(value) : (value ?? null)
}

const tableOf = (type: string) => ABSTRACT[type] ?? type
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
          extensions: { code: 'undefinedField', typeName: own, fieldName: name },
          locations: [{ line, column }],
          message: `Field '${name}' doesn't exist on type '${own}'`,
        })
      else if (next && below === undefined)
        this.errors.push({
          path: at,
          extensions: { code: 'selectionMismatch', nodeName: `field '${name}'`, typeName: next },
          locations: [{ line, column }],
          message: `Field must have selections (field '${name}' returns ${next} but has no selections. Did you mean '${name} { ... }'?)`,
        })
      else if (next && below) this.check(next, below, at)
    }
  }

  /** The type below a field; an empty text for a scalar; undefined without such a field. */
  #typeBelow(type: string, name: string): string | undefined {
    const [, kind = '', of = ''] = /^(Connection|Edge|Payload):(.*)$/.exec(type) ?? []
    if (kind === 'Connection') {
      if (name === 'nodes') return of
      if (name === 'edges') return `Edge:${of}`
      if (name === 'pageInfo') return 'PageInfo'
      return name === 'totalCount' || /Count$/.test(name) ? '' : undefined
    }
    if (kind === 'Edge') return name === 'node' ? of : name === 'cursor' ? '' : undefined
    if (kind === 'Payload') {
      const next = MUTATIONS[of]?.of[name]
      return name === 'clientMutationId' ? '' : next?.endsWith('+') ? `Edge:${next.slice(0, -1)}` : next
    }
    if (type === 'PageInfo') return /^(has(Next|Previous)Page|(start|end)Cursor)$/.test(name) ? '' : undefined
    if (type === 'Mutation') return name in MUTATIONS ? `Payload:${name}` : undefined
    const link = LINKS[tableOf(type)]?.[name]
    if (link !== undefined) return link.isMany ? `Connection:${link.of}` : link.of.replace('[', '')
    return scalarOf(tableOf(type), name) !== undefined || COMPUTED[tableOf(type)]?.[name] ? '' : undefined
  }

  run(): JsonObject {
    const { kind, selections } = this.#operation
    return kind === 'query' ? this.#project('Query', {}, selections, []) : this.#mutate(selections)
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
        name === '__typename' ? type : this.#field(type === 'Bot' ? 'User' : type, rest, selection, [...path, alias])
      const before = answer[alias]
      answer[alias] = isObject(before) && isObject(value) ? { ...before, ...value } : value
    }
    return answer
  }

  #field(type: string, rest: JsonObject, selection: Selection, path: Json[]): Json {
    const { name, below = [] } = selection
    const computed = COMPUTED[type]?.[name]
    const link = LINKS[type]?.[name]
    return this.#caught(selection, path, () => {
      if (computed) return computed(rest, this.#args(selection), this.#api)
      if (link === undefined) return scalar(scalarOf(type, name) ?? name, rest)
      const args = this.#args(selection)
      if (link.isMany) checkPage(name, below, args)
      const found = link.is(rest, args, this.#api)
      const of = link.of.replace('[', '')
      if (link.isMany) return this.#connection(of, listOf(found), args, below, path)
      if (Array.isArray(found)) return listOf(found).map((row, at) => this.#project(of, row, below, [...path, at]))
      return found === null ? null : this.#project(of, fieldsOf(found), below, path)
    })
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

  #connection(of: string, all: JsonObject[], args: JsonObject, below: readonly Selection[], path: Json[]): JsonObject {
    const { first, last, after, before } = args
    const placeOf = (cursor: Json) => Number(/\d+$/.exec(Buffer.from(String(cursor), 'base64').toString())?.[0] ?? 0)
    let from = after == null ? 0 : placeOf(after)
    let to = before == null ? all.length : placeOf(before) - 1
    if (first != null) to = Math.min(to, from + Number(first))
    if (last != null) from = Math.max(from, to - Number(last))
    const cursorOf = (place: number) => Buffer.from(`cursor:v2:${place + 1}`).toString('base64')
    const rows = all.slice(from, to)
    const answer: JsonObject = {}
    for (const { name, alias, below: inner = [] } of below) {
      const shown = () => rows.map((row, at) => this.#project(of, row, inner, [...path, alias, at]))
      if (name === 'nodes') answer[alias] = shown()
      else if (name === 'edges')
        answer[alias] = rows.map((row, at) =>
          Object.fromEntries(
            inner.map((part) => [
              part.alias,
              part.name === 'node'
                ? this.#project(of, row, part.below ?? [], [...path, alias, at, part.alias])
                : cursorOf(from + at),
            ]),
          ),
        )
      else if (name === 'pageInfo') {
        const info: JsonObject = {
          hasNextPage: to < all.length,
          hasPreviousPage: from > 0,
          startCursor: rows.length > 0 ? cursorOf(from) : null,
          endCursor: rows.length > 0 ? cursorOf(to - 1) : null,
        }
        answer[alias] = Object.fromEntries(inner.map((part) => [part.alias, info[part.name] ?? null]))
      } else answer[alias] = name === '__typename' ? `${of}Connection` : all.length
    }
    return answer
  }

  #mutate(selections: readonly Selection[]): JsonObject {
    const answer: JsonObject = {}
    for (const selection of selections) {
      const { name, alias, below = [] } = selection
      answer[alias] = this.#caught(selection, [alias], () => {
        const input = fieldsOf(this.#args(selection).input)
        const made = MUTATIONS[name]?.is(input, this.#api) ?? {}
        const shown = (part: Selection): Json => {
          const rest = made[part.name]
          const of = MUTATIONS[name]?.of[part.name] ?? ''
          if (part.name === 'clientMutationId' || rest === undefined) return input.clientMutationId ?? null
          const path = [alias, part.alias]
          if (!of.endsWith('+')) return this.#project(of, rest, part.below ?? [], path)
          return Object.fromEntries(
            (part.below ?? []).map((one) => [
              one.alias,
              one.name === 'node' ? this.#project(of.slice(0, -1), rest, one.below ?? [], path) : 'Y3Vyc29yOnYyOjE=',
            ]),
          )
        }
        return Object.fromEntries(below.map((part) => [part.alias, shown(part)]))
      })
    }
    return answer
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Refuses a list without `first` and `last`, and a page that is too long. */
function checkPage(name: string, below: readonly Selection[], { first, last }: JsonObject): void {
  if (first == null && last == null) {
    if (!below.some((one) => CONNECTION.has(one.name) && one.name !== 'totalCount')) return
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
        const found = listOf(get(`${path}${path.includes('?') ? '&' : '?'}per_page=${MOST_OF_PAGE}&page=${page}`))
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
