import { searched } from '../shared/searched.ts'
import {
  API,
  type Fields,
  fieldsOf,
  type GitHubRequest,
  listOf,
  type Operations,
  SITE,
  sorted,
  textOf,
  textsOf,
} from './github.ts'
import { issuesFound } from './issue-search.ts'
import { fits, hasWords, isWithin, placesOf, type Qualifiers } from './qualifiers.ts'
import { checkKnown, codeFound, isKey, ofRepos, refuseSearch, reposFound, seenRepos } from './repo-search.ts'
import { toPerson, toUser } from './show-accounts.ts'
import { toCommit } from './show-git.ts'
import { toIssue, toLabel } from './show-issue.ts'
import { repoOf, toRepo } from './show-repo.ts'

/** The words and qualifiers of a search. */
function termsOf(github: GitHubRequest): Fields {
  const { q = '' } = github.query
  if (q === '') github.invalid({ resource: 'Search', field: 'q', code: 'missing' })
  if (/(?:^|[\s(])(?:OR(?:\s|$)|(?:-|NOT\s+)\()/.test(textOf(q).replaceAll(/"[^"]*"/g, '')))
    refuseSearch(github, 'backlot does not read OR, nor a group after - or NOT. Search for each alternative.')
  // AND, and groups without OR, change nothing.
  return searched(textOf(q).replaceAll(/(?:(?<=\s)AND\s|(?<!\S)\(+|\)+(?!\S))(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ''))
}

/** The order: `sort:updated-asc` among the terms, or the parameters. */
function orderOf({ query: { sort = '', order } }: GitHubRequest, terms: Fields): { by: string; isAscending: boolean } {
  const [, by = '', way = order] = /^(.*?)(?:-(asc|desc))?$/.exec(textsOf(terms.sort)[0] ?? textOf(sort)) ?? []
  return { by, isAscending: way === 'asc' }
}

const found = (github: GitHubRequest, items: readonly Fields[], show: (item: Fields) => Fields): object =>
  github.pageIn('items', items, {
    show: (item) => ({ ...show(item), score: 1 }),
    fields: { total_count: items.length, incomplete_results: false },
  })

/** https://docs.github.com/search-github/searching-on-github/searching-users */
const USERS: Qualifiers<Fields> = {
  type: ({ type }, value) => type === { org: 'Organization', user: 'User' }[value.toLowerCase()],
  user: ({ login }, value) => isKey(login, value),
  org: ({ login, type }, value) => type === 'Organization' && isKey(login, value),
  location: ({ location }, value) => textOf(location).toLowerCase().includes(value.toLowerCase()),
  created: ({ created_at }, value) => isWithin(textOf(created_at), value),
  repos: ({ public_repos }, value) => isWithin(Number(public_repos), value),
  followers: ({ followers }, value) => isWithin(Number(followers), value),
}

/** https://docs.github.com/search-github/searching-on-github/searching-commits */
const COMMITS: Qualifiers<Fields> = {
  ...ofRepos,
  author: ({ login }, value) => isKey(login, value),
  hash: ({ sha }, value) => textOf(sha).startsWith(value),
  merge: ({ parents }, value) => `${textsOf(parents).length > 1}` === value,
  'author-date': ({ author }, value) => isWithin(textOf(fieldsOf(author).date), value),
  'committer-date': ({ committer }, value) => isWithin(textOf(fieldsOf(committer).date), value),
}

function searchIssues(github: GitHubRequest): object {
  const { records, actor } = github
  const terms = termsOf(github)
  const { by: sort, isAscending: ascending } = orderOf(github, terms)
  const all = (['issues', 'pulls', 'users', 'labels', 'milestones', 'comments', 'reviews'] as const).map((name) => [
    ...[name, records[name].where({}).toReversed()],
  ])
  const by = { terms, login: actor?.login ?? null, sort, ascending, repos: seenRepos(github) }
  const result = issuesFound({ ...by, ...Object.fromEntries(all) })
  const { refused } = fieldsOf(result)
  if (refused !== undefined) refuseSearch(github, textOf(refused))
  return found(github, listOf(result), (issue) => toIssue(github, issue))
}

/** https://docs.github.com/rest/search/search#search-repositories */
function searchRepos(github: GitHubRequest): object {
  const terms = termsOf(github)
  const { by, isAscending } = orderOf(github, terms)
  const field = { updated: 'updated_at', forks: 'forks' }[by] ?? 'stars'
  const repos = sorted(reposFound(github, terms), field, !isAscending)
  return found(github, repos, ({ id }) => toRepo(github, github.records.repos.get(id as number) ?? {}))
}

function toFoundFile(github: GitHubRequest, file: Fields): Fields {
  const { repo, name = null, path = null, sha = null, commit_sha } = file
  const { full_name } = fieldsOf(repo)
  const url = `${API}/repos/${full_name}`
  return {
    ...{ name, path, sha, url: `${url}/contents/${path}?ref=${commit_sha}`, git_url: `${url}/git/blobs/${sha}` },
    ...{ html_url: `${SITE}/${full_name}/blob/${commit_sha}/${path}`, repository: toRepo(github, fieldsOf(repo)) },
  }
}

export const search: Operations = {
  'GET /search/issues': searchIssues,
  'GET /search/repositories': searchRepos,
  'GET /search/code': (github) =>
    found(github, codeFound(github, termsOf(github)), (file) => toFoundFile(github, file)),
  'GET /search/users': (github) => {
    const terms = termsOf(github)
    checkKnown(github, terms, USERS)
    const users = github.records.users.where((user) => {
      const { login, name = null, email = null } = user
      const texts = placesOf(terms, { login: textOf(login), name: textOf(name), email: textOf(email) })
      return hasWords(texts, terms) && fits(toUser(github, user), terms, USERS)
    })
    return found(github, users.toReversed(), toPerson)
  },
  'GET /search/labels': (github) => {
    const terms = termsOf(github)
    const all = github.records.labels.where({ repository_id: Number(github.query.repository_id) })
    const labels = all.filter(({ name, description }) => hasWords(`${name} ${textOf(description)}`, terms))
    return found(github, labels.toReversed(), (label) => toLabel(github, label))
  },
  'GET /search/commits': (github) => {
    const { records } = github
    const terms = termsOf(github)
    const repos = new Map(seenRepos(github).map((repo) => [repo.id, repo]))
    checkKnown(github, terms, COMMITS)
    const commits = records.commits.where((commit) => {
      const repo = repos.get(commit.repository_id)
      const login = records.users.get(commit.author_id as number)?.login ?? null
      return (
        repo !== undefined &&
        hasWords(textOf(commit.message), terms) &&
        fits({ ...commit, full_name: repo.full_name ?? null, login }, terms, COMMITS)
      )
    })
    return found(github, commits.toReversed(), (commit) => ({
      ...toCommit(github, commit),
      repository: toRepo(github, repoOf(github, commit)),
    }))
  },
}
