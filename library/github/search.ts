import { searched } from '../shared/searched.ts'
import {
  API,
  type Fields,
  fieldsOf,
  type GitHubRequest,
  type Json,
  listOf,
  type Operations,
  SITE,
  sorted,
  textOf,
  textsOf,
} from './github.ts'
import { issuesFound } from './issue-search.ts'
import { hasWords } from './qualifiers.ts'
import { codeFound, reposFound, seenRepos } from './repo-search.ts'
import { toPerson } from './show-accounts.ts'
import { toCommit } from './show-git.ts'
import { toIssue, toLabel } from './show-issue.ts'
import { repoOf, toRepo } from './show-repo.ts'

/** The words and qualifiers of a search. */
function termsOf(github: GitHubRequest): Fields {
  const { q = '' } = github.query
  if (q === '') github.invalid({ resource: 'Search', field: 'q', code: 'missing' })
  return searched(q)
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

/** Whether a value is one of a qualifier's, if the search has that. */
const isAmong = (value: Json | undefined, wanted: Json | undefined): boolean =>
  wanted === undefined || textsOf(wanted).includes(textOf(value))

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
  if (refused !== undefined)
    github.invalid({ resource: 'Search', field: 'q', code: 'invalid', message: textOf(refused) })
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
    const [kind] = textsOf(terms.type)
    const type = kind === 'org' ? 'Organization' : kind === 'user' ? 'User' : undefined
    const users = github.records.users.where({}).filter((user) => {
      const text = [user.login, user.name, user.email].map(textOf).join(' ')
      return (type === undefined || user.type === type) && hasWords(text, terms)
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
    const commits = records.commits.where((commit) => {
      const repo = repos.get(commit.repository_id)
      const author = records.users.get(commit.author_id as number)?.login
      return (
        repo !== undefined &&
        hasWords(textOf(commit.message), terms) &&
        isAmong(repo.full_name, terms.repo) &&
        isAmong(author, terms.author)
      )
    })
    return found(github, commits.toReversed(), (commit) => ({
      ...toCommit(github, commit),
      repository: toRepo(github, repoOf(github, commit)),
    }))
  },
}
