import { type Fields, type GitHubRequest, idsOf, type Json, listOf, textOf } from './github.ts'
import { mainLanguage } from './languages.ts'
import { faultOf, fits, hasWords, isWithin, placesOf, type Qualifiers } from './qualifiers.ts'

/** The repositories that the caller may see, the oldest first. @param isOwn leaves out public ones of others */
export function seenRepos({ records, actor = {} }: GitHubRequest, isOwn = false): Fields[] {
  const { me, type, id = null } = actor
  const repos = records.repos.where({}).toReversed()
  if (me === true || type === 'Bot') return repos
  const owners = records.users.where((one) => one.id === id || idsOf(one.members).includes(id)).map((one) => one.id)
  const joined = records.collaborators.where({ user_id: id, pending: false }).map((one) => one.repository_id)
  const known = { owners: new Set(owners), joined: new Set(joined) }
  return repos.filter(
    (repo) => known.owners.has(repo.owner_id) || known.joined.has(repo.id) || (!isOwn && repo.private !== true),
  )
}

export const isKey = (value: Json | undefined, wanted: string): boolean =>
  textOf(value).toLowerCase() === wanted.toLowerCase()
const isOwner = ({ full_name }: Fields, login: string): boolean => isKey(textOf(full_name).split('/')[0], login)
export const ofRepos: Qualifiers<Fields> = {
  ...{ user: isOwner, org: isOwner, repo: ({ full_name }, value) => isKey(full_name, value) },
}

/** https://docs.github.com/search-github/searching-on-github/searching-for-repositories */
const REPOS: Qualifiers<Fields> = {
  ...ofRepos,
  language: ({ language }, value) => isKey(language, value),
  topic: ({ topics }, value) => idsOf(topics).includes(value.toLowerCase()),
  topics: ({ topics }, value) => isWithin(idsOf(topics).length, value),
  is: (repo, value) => ['public', 'private'].includes(value) && (repo.private === true) === (value === 'private'),
  archived: ({ archived }, value) => `${archived === true}` === value,
  template: ({ is_template }, value) => `${is_template === true}` === value,
  license: ({ license }, value) => isKey((license as Fields | null)?.key, value),
  fork: ({ fork }, value) => value !== 'only' || fork === true,
  ...Object.fromEntries(
    ['stars', 'forks', 'size'].map((name) => [
      name,
      (repo: Fields, value: string) => isWithin(Number(repo[name] ?? 0), value),
    ]),
  ),
  ...Object.fromEntries(
    ['created', 'pushed'].map((name) => [
      name,
      (repo: Fields, value: string) => isWithin(textOf(repo[`${name}_at`]), value),
    ]),
  ),
}

export const refuseSearch = (github: GitHubRequest, message: string): never =>
  github.invalid({ resource: 'Search', field: 'q', code: 'invalid', message })

export const checkKnown = <T>(github: GitHubRequest, terms: Fields, tests: Qualifiers<T>): void => {
  const message = faultOf(terms, tests)
  if (message !== undefined) refuseSearch(github, message)
}

/** The repositories that a search finds, each with the numbers of its stars and forks. */
export function reposFound(github: GitHubRequest, terms: Fields): Fields[] {
  checkKnown(github, terms, REPOS)
  const forks = Map.groupBy(github.records.repos, ({ parent_id }) => parent_id)
  return seenRepos(github)
    .map((repo): Fields => ({ ...repo, stars: idsOf(repo.stars).length, forks: forks.get(repo.id)?.length ?? 0 }))
    .filter((repo) => {
      const [name, description] = [textOf(repo.full_name), textOf(repo.description)]
      const texts = placesOf(terms, { name, description, topics: idsOf(repo.topics).join(' ') })
      return hasWords(texts, terms) && fits(repo, terms, REPOS)
    })
}

/** A file of a search. */
interface Found {
  readonly repo: Fields
  readonly path: string
  readonly size: number
}

/** https://docs.github.com/search-github/searching-on-github/searching-code */
const FILES: Qualifiers<Found> = {
  ...Object.fromEntries(
    Object.entries(ofRepos).map(([name, test]) => [name, ({ repo }: Found, value: string) => test(repo, value)]),
  ),
  filename: ({ path }, value) => path.split('/').at(-1) === value,
  extension: ({ path }, value) => path.split('.').at(-1) === value.replace(/^\./, ''),
  path: ({ path }, value) =>
    value === '/' ? !path.includes('/') : path.startsWith(`${value.replace(/^\/|\/$/g, '')}/`),
  language: ({ path, size }, value) => isKey(mainLanguage([{ path, size }]), value),
  size: ({ size }, value) => isWithin(size, value),
}

/** The files on default branches that a search finds. */
export function codeFound(github: GitHubRequest, terms: Fields): Fields[] {
  checkKnown(github, terms, FILES)
  const { records } = github
  const by = (rows: Iterable<Fields>, keyOf = ({ sha }: Fields) => sha) =>
    new Map([...rows].map((one) => [keyOf(one), one]))
  const [commits, trees, blobs] = [by(records.commits), by(records.trees), by(records.blobs)]
  const refs = by(records.refs, ({ repository_id, ref }) => `${repository_id} ${ref}`)
  return seenRepos(github).flatMap((repo) => {
    const commit = commits.get(refs.get(`${repo.id} refs/heads/${repo.default_branch}`)?.sha)
    const found = listOf(trees.get(commit?.tree_sha)?.files).map((file) => {
      const { content, size } = blobs.get(file.sha) ?? {}
      const path = textOf(file.path)
      return { repo, path, name: path.split('/').at(-1) ?? '', sha: file.sha ?? null, size: Number(size), content }
    })
    return found.flatMap(({ content, ...file }): Fields[] => {
      if (!fits(file, terms, FILES)) return []
      const text = Buffer.from(textOf(content), 'base64').toString()
      return hasWords(placesOf(terms, { path: file.path, file: text }), terms)
        ? [{ ...file, commit_sha: commit?.sha ?? null }]
        : []
    })
  })
}
