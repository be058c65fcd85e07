import { branchOf } from './compare.ts'
import {
  type Fields,
  type GitHubRequest,
  idsOf,
  type Json,
  type Operations,
  sorted,
  textOf,
  textsOf,
  without,
} from './github.ts'
import { ignored, licenceOf, licenceText } from './licences.ts'
import { type Write, writeFiles } from './push.ts'
import { seenRepos } from './repo-search.ts'
import { toPerson } from './show-accounts.ts'
import { rightsOf, toRepo, toWholeRepo } from './show-repo.ts'

const REPO = '/repos/{owner}/{repo}'

const LABELS = [
  "bug:d73a4a:Something isn't working",
  'documentation:0075ca:Improvements or additions to documentation',
  'duplicate:cfd3d7:This issue or pull request already exists',
  'enhancement:a2eeef:New feature or request',
  'good first issue:7057ff:Good for newcomers',
  'help wanted:008672:Extra attention is needed',
  "invalid:e4e669:This doesn't seem right",
  'question:d876e3:Further information is requested',
  'wontfix:ffffff:This will not be worked on',
]

const SETTINGS = {
  ...{ name: '', description: '', homepage: '', private: true, visibility: '', is_template: true },
  ...{ has_issues: true, has_projects: true, has_wiki: true, has_discussions: true, has_downloads: true },
  ...{ allow_squash_merge: true, allow_merge_commit: true, allow_rebase_merge: true, allow_auto_merge: true },
  ...{ allow_update_branch: true, delete_branch_on_merge: true, squash_merge_commit_title: '' },
  ...{ squash_merge_commit_message: '', merge_commit_title: '', merge_commit_message: '' },
}
const CREATION = { ...SETTINGS, auto_init: true, license_template: '', gitignore_template: '' }

const nameIn = (owner: Fields, name: Json | undefined): { full_name: string; key: string } => {
  const full_name = `${textOf(owner.login)}/${textOf(name)}`
  return { full_name, key: full_name.toLowerCase() }
}

const refuseTaken = (github: GitHubRequest): never =>
  github.refuse(422, 'Repository creation failed.', [
    { resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' },
  ])

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The files of a new repository. */
function firstFiles({ name, description, auto_init, license_template, gitignore_template }: Fields): Write[] {
  const licence = licenceOf(license_template ?? null)
  const lines = ignored(gitignore_template ?? null)
  const about = description ? `\n${description}\n` : ''
  return [
    ...(auto_init === true ? [{ path: 'README.md', content: base64(`# ${name}${about}`) }] : []),
    ...(licence ? [{ path: 'LICENSE', content: base64(String(licenceText(licence.key ?? null))) }] : []),
    ...(lines ? [{ path: '.gitignore', content: base64(lines) }] : []),
  ]
}

function create(github: GitHubRequest, owner: Fields): object {
  const { records, time } = github
  const sent = github.sent(CREATION)
  const names = nameIn(owner, sent.name)
  if (records.repos.some({ key: names.key })) refuseTaken(github)
  const isPrivate = sent.private === true || sent.visibility === 'private'
  const repo = records.repos.create({
    ...without(sent, 'auto_init license_template gitignore_template'),
    ...{ ...names, owner_id: owner.id ?? null, private: isPrivate, created_at: time, updated_at: time },
    visibility: sent.visibility ?? (sent.private === true ? 'private' : 'public'),
    ...{ pushed_at: time, license: licenceOf(sent.license_template ?? null) },
  })
  for (const line of LABELS) {
    const [name = '', color = '', description = ''] = line.split(':')
    records.labels.create({ repository_id: repo.id, name, key: name, color, description, default: true })
  }
  const isFilled = sent.auto_init === true || sent.license_template || sent.gitignore_template
  if (isFilled) {
    const writes = firstFiles({ ...sent, description: repo.description ?? null })
    writeFiles(github, repo, { ref: `refs/heads/${repo.default_branch}`, writes, message: 'Initial commit' })
  }
  github.happen(repo, 'repository.created', { action: 'created' })
  return github.created(toWholeRepo(github, records.repos.get(repo.id as number) ?? repo))
}

const SORTS: Readonly<Record<string, string>> = {
  ...{ created: 'created_at', updated: 'updated_at', pushed: 'pushed_at', full_name: 'full_name' },
}

/** A page of repositories in the order that the query names: names ascend, times descend, if it says nothing else. */
function listed(github: GitHubRequest, repos: readonly Fields[], usual: string): object {
  const { sort = usual, direction } = github.query
  const isDescending = direction === undefined ? sort !== 'full_name' : direction === 'desc'
  const chosen = sorted(repos, SORTS[textOf(sort)] ?? 'full_name', isDescending)
  return github.page(chosen, (repo) => toRepo(github, repo))
}

/** Which repositories `type` and `visibility` choose: private ones, public ones, or all. */
function isChosen({ query }: GitHubRequest): (repo: Fields) => boolean {
  const { type, visibility } = query
  const wanted = [type, visibility].includes('private')
    ? true
    : [type, visibility].includes('public')
      ? false
      : undefined
  return (repo) => wanted === undefined || repo.private === wanted
}

function listMine(github: GitHubRequest): object {
  const { me, query } = github
  const { since = '', before = '~', affiliation, type } = query
  const isOwner = affiliation === 'owner' || type === 'owner'
  const chosen = seenRepos(github, true)
    .filter(isChosen(github))
    .filter(({ updated_at }) => textOf(updated_at) >= textOf(since) && textOf(updated_at) < textOf(before))
    .filter(({ owner_id }) => !isOwner || owner_id === me.id)
  return listed(github, chosen, 'full_name')
}

/** What a change of these fields was before; undefined where all stay. */
function changesOf(before: Fields, sent: Fields, names: readonly string[]): Fields | undefined {
  const changed = names.filter((name) => sent[name] != null && sent[name] !== before[name])
  return changed.length === 0
    ? undefined
    : Object.fromEntries(changed.map((name) => [name, { from: before[name] ?? null }]))
}

function change(github: GitHubRequest): object {
  const { repo, records } = github
  const sent = github.sent({ ...SETTINGS, default_branch: '', archived: true })
  const owner = records.users.get(repo.owner_id as number) ?? {}
  const names = nameIn(owner, sent.name ?? repo.name)
  if (records.repos.find({ key: names.key })?.id !== repo.id && names.key !== repo.key) {
    if (records.repos.some({ key: names.key })) refuseTaken(github)
  }
  if (sent.default_branch != null && !branchOf(github, repo, sent.default_branch))
    github.invalid({ resource: 'Repository', field: 'default_branch', code: 'invalid' })
  const isPrivate = sent.visibility == null ? sent.private : sent.visibility === 'private'
  const usual = sent.private == null ? repo.visibility : sent.private === true ? 'private' : 'public'
  const former = names.key === repo.key ? [] : [repo.key ?? null]
  const changed = github.update('repos', repo, {
    ...{ ...sent, ...names, former_keys: [...idsOf(repo.former_keys), ...former] },
    ...(isPrivate !== undefined && { private: isPrivate }),
    visibility: sent.visibility ?? usual ?? null,
  })
  const say = (action: string, more: Fields = {}) => github.happen(repo, `repository.${action}`, { action, ...more })
  if (changed.name !== repo.name) say('renamed', { changes: { repository: { name: { from: repo.name ?? null } } } })
  if (changed.archived !== repo.archived) say(changed.archived === true ? 'archived' : 'unarchived')
  if (changed.private !== repo.private) say(changed.private === true ? 'privatized' : 'publicized')
  const edits = changesOf(repo, sent, ['description', 'homepage', 'default_branch'])
  if (edits) say('edited', { changes: edits })
  return toWholeRepo(github, changed)
}

function transfer(github: GitHubRequest): object {
  const { repo } = github
  const { new_owner, new_name } = github.sent({ new_owner: '', new_name: '' })
  const heir = github.accountNamed(new_owner)
  if (heir === undefined) return github.invalid({ resource: 'Repository', field: 'new_owner', code: 'invalid' })
  const name = new_name ?? repo.name ?? null
  const former_keys = [...idsOf(repo.former_keys), repo.key ?? null]
  const fields = { owner_id: heir.id ?? null, name, ...nameIn(heir, name), former_keys }
  return github.of.respond({ body: toRepo(github, github.update('repos', repo, fields)) })
}

const TOPICS =
  'Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.'

function setTopics(github: GitHubRequest): object {
  const names = [...new Set(textsOf(github.sent({ names: [] }).names).map((name) => name.toLowerCase()))]
  if (!names.every((name) => /^[a-z\d][a-z\d-]{0,49}$/.test(name))) github.invalid({ message: TOPICS })
  github.update('repos', github.repo, { topics: names })
  return { names }
}

function contributors(github: GitHubRequest): object {
  const { records, repo } = github
  const commits = records.commits.where({ repository_id: repo.id ?? null }).toReversed()
  const counts = new Map<Json, number>()
  for (const { author_id = null } of commits) counts.set(author_id, (counts.get(author_id) ?? 0) + 1)
  const users = [...counts].flatMap(([id, contributions]) => {
    const user = records.users.get(id as number)
    return user ? [{ ...toPerson(user), contributions }] : []
  })
  return github.page(users, (user) => user)
}

const COPIED = 'sha message author committer author_id committer_id tree_sha parents ancestors depth'.split(' ')

/** https://docs.github.com/rest/repos/forks#create-a-fork */
function fork(github: GitHubRequest): object {
  const { repo, me, records, time } = github
  const { organization, name = repo.name } = github.sent({ organization: '', name: '' })
  const owner = (organization && github.accountNamed(organization)) || me
  const names = nameIn(owner, name)
  const existing = records.repos.find({ key: names.key })
  if (existing) return github.of.respond({ body: toWholeRepo(github, existing) })
  const { description, private: isPrivate, visibility, default_branch, language, topics, pushed_at } = repo
  const copy = records.repos.create({
    ...{ ...names, name, owner_id: owner.id, fork: true, parent_id: repo.id, created_at: time, updated_at: time },
    ...{ description, private: isPrivate, visibility, default_branch, language, topics, pushed_at },
  })
  const repository_id = copy.id ?? null
  const own = { repository_id: repo.id ?? null }
  for (const { ref, sha } of records.refs.where(own).toReversed()) records.refs.create({ repository_id, ref, sha })
  for (const commit of records.commits.where(own).toReversed())
    records.commits.create({ repository_id, ...Object.fromEntries(COPIED.map((field) => [field, commit[field]])) })
  github.happen(repo, 'fork', { forkee: toRepo(github, copy) })
  return github.of.respond({ body: toWholeRepo(github, copy) })
}

export const repositories: Operations = {
  'POST /user/repos': (github) => create(github, github.me),
  'POST /orgs/{org}/repos': (github) => create(github, github.organization),
  'GET /user/repos': listMine,
  'GET /users/{username}/repos': (github) => {
    const owner_id = github.account.id ?? null
    return listed(github, github.records.repos.where({ private: false, owner_id }), 'full_name')
  },
  'GET /orgs/{org}/repos': (github) => {
    const repos = github.records.repos.where({ owner_id: github.organization.id ?? null })
    return listed(github, repos.filter(isChosen(github)), 'created')
  },
  'GET /repositories': (github) => {
    const since = Number(github.query.since ?? 0)
    const repos = github.records.repos.where({ private: false }).filter(({ id }) => Number(id) > since)
    return github.page(sorted(repos, 'id'), (repo) => toRepo(github, repo))
  },
  [`GET ${REPO}`]: (github) => ({ ...toWholeRepo(github, github.repo), permissions: rightsOf(github.role) }),
  'GET /repositories/{account_id}': (github) => toWholeRepo(github, github.find('repos', github.path.account_id)),
  [`PATCH ${REPO}`]: change,
  [`DELETE ${REPO}`]: (github) => {
    const { repo } = github
    github.happen(repo, 'repository.deleted', { action: 'deleted' })
    github.records.repos.remove(repo.id as number)
    return github.empty
  },
  [`POST ${REPO}/transfer`]: transfer,
  [`GET ${REPO}/topics`]: (github) =>
    github.pageIn(
      'names',
      textsOf(github.repo.topics).map((name) => ({ name })),
      { show: ({ name }) => name, fields: {} },
    ),
  [`PUT ${REPO}/topics`]: setTopics,
  [`GET ${REPO}/contributors`]: contributors,
  [`GET ${REPO}/forks`]: (github) => {
    const forks = github.records.repos.where({ parent_id: github.repo.id ?? null })
    const isDescending = github.query.sort !== 'oldest'
    return github.page(sorted(forks.toReversed(), 'created_at', isDescending), (repo) => toRepo(github, repo))
  },
  [`POST ${REPO}/forks`]: fork,
  [`POST ${REPO}/dispatches`]: (github) => {
    const { event_type = null, client_payload } = github.sent({ event_type: '', client_payload: {} })
    const { default_branch: branch = null } = github.repo
    const payload = { action: event_type, branch, client_payload: client_payload ?? {} }
    github.happen(github.repo, 'repository_dispatch', payload)
    return github.empty
  },
  [`GET ${REPO}/vulnerability-alerts`]: (github) =>
    github.repo.vulnerability_alerts === true ? github.empty : github.refuse(404, 'Vulnerability alerts are disabled.'),
  [`PUT ${REPO}/vulnerability-alerts`]: (github) => setAlerts(github, true),
  [`DELETE ${REPO}/vulnerability-alerts`]: (github) => setAlerts(github, false),
}

function setAlerts(github: GitHubRequest, vulnerability_alerts: boolean): object {
  github.records.repos.update(github.repo.id as number, { vulnerability_alerts })
  return github.empty
}
