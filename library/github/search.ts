import {
  type Fields,
  fieldsOf,
  type GitHubRequest,
  type Json,
  listOf,
  type Operations,
  textOf,
  textsOf,
} from './github.ts'
import { seenRepos } from './repo-search.ts'
import { issuesFound, searched } from './searched.ts'
import { toPerson } from './show-accounts.ts'
import { toCommit } from './show-git.ts'
import { toIssue, toLabel } from './show-issue.ts'
import { repoOf, toRepo } from './show-repo.ts'

/** The words and qualifiers of a search. */
function termsOf(github: GitHubRequest): Fields {
  const { q } = github.query
  if (q === undefined || q === '') github.invalid({ resource: 'Search', field: 'q', code: 'missing' })
  return searched(q ?? '')
}

/** The repositories that the caller may see. */
const reposOf = ({ records, actor = {} }: GitHubRequest): Fields[] =>
  listOf(
    seenRepos({
      ...{ by: actor, users: records.users.where({}), repos: records.repos.where({}) },
      collaborators: records.collaborators.where({ pending: false }),
    }),
  )

const found = (github: GitHubRequest, items: readonly Fields[], show: (item: Fields) => Fields): object =>
  github.pageIn('items', items, {
    show: (item) => ({ ...show(item), score: 1 }),
    fields: { total_count: items.length, incomplete_results: false },
  })

const hasWords = (text: string, { words }: Fields): boolean =>
  textsOf(words).every((word) => text.toLowerCase().includes(word.toLowerCase()))

/** Whether a value is one of a qualifier's, if the search has that. */
const isAmong = (value: Json | undefined, wanted: Json | undefined): boolean =>
  wanted === undefined || textsOf(wanted).includes(textOf(value))

function searchIssues(github: GitHubRequest): object {
  const { records, query, actor } = github
  const terms = termsOf(github)
  const { sort = null, order } = query
  const all = (['issues', 'pulls', 'users', 'labels', 'milestones', 'comments', 'reviews'] as const).map((name) => [
    ...[name, records[name].where({}).toReversed()],
  ])
  const by = { terms, login: actor?.login ?? null, sort, ascending: order === 'asc', repos: reposOf(github) }
  const result = issuesFound({ ...by, ...Object.fromEntries(all) })
  const { refused } = fieldsOf(result)
  if (refused !== undefined)
    github.invalid({ resource: 'Search', field: 'q', code: 'invalid', message: textOf(refused) })
  return found(github, listOf(result), (issue) => toIssue(github, issue))
}

export const search: Operations = {
  'GET /search/issues': searchIssues,
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
    const repos = new Map(reposOf(github).map((repo) => [repo.id, repo]))
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
