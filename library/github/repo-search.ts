import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { isWithin } from './searched.ts'

/** What an operator gives while it works: others may go first. */
type Slowly = Generator<undefined, Json>

const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const PLACES = ['name', 'description', 'topics']

/** The values of a qualifier, such as `label`. */
const valuesOf = (terms: JsonObject, name: string): string[] => itemsIn(terms[name]).map(valueText)

const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()))

/** The bounds of a qualifier's dates: `2026-01-01..2026-02-01`, `>=2026-01-01`, a day. */
export function dateRange(given: Json): { from: string; upto: string } {
  const [start = '', end = start] = valueText(given).split('..')
  const bare = start.replace(/^>?<?=?/, '')
  if (start.includes('>')) return { from: start.includes('>=') ? bare : `${bare}~`, upto: '~' }
  if (start.includes('<')) return { from: '', upto: start.includes('<=') ? `${bare}~` : `${bare} ` }
  return { from: start, upto: end === '' || end === '*' ? '~' : `${end}~` }
}

/** The repositories that a user may see: public ones, those of organizations with them, and where they collaborate. */
export function seenRepos({ repos, by, users, collaborators, isOwn }: JsonObject): Json {
  const { me, type, id } = fieldsOf(by)
  if (me === true || type === 'Bot') return repos ?? []
  const owners = new Set(
    listOf(users).flatMap((one) => (one.id === id || itemsIn(one.members).includes(id ?? null) ? [one.id] : [])),
  )
  const joined = new Set(listOf(collaborators).flatMap((one) => (one.user_id === id ? [one.repository_id] : [])))
  return listOf(repos).filter(
    (repo) => owners.has(repo.owner_id) || joined.has(repo.id) || (isOwn !== true && repo.private !== true),
  )
}

/** The repositories that a search finds, each with the number of its stars. */
export function* reposFound({ terms: given, repos, users }: JsonObject): Slowly {
  const terms = fieldsOf(given)
  const logins = [...valuesOf(terms, 'user'), ...valuesOf(terms, 'org')].map((login) => login.toLowerCase())
  const owners = listOf(users).flatMap(({ id, key }) => (logins.includes(valueText(key)) ? [id] : []))
  const [is, archived] = [valuesOf(terms, 'is'), valuesOf(terms, 'archived')[0]]
  const places = valuesOf(terms, 'in').flatMap((one) => one.split(','))
  const found: JsonObject[] = []
  for (const repo of listOf(repos)) {
    yield
    const { full_name, description, topics, language, stars } = repo
    const isFound =
      (logins.length === 0 || owners.includes(repo.owner_id)) &&
      hasWords(valueText(language), valuesOf(terms, 'language').slice(0, 1)) &&
      valuesOf(terms, 'topic').every((topic) => itemsIn(topics).includes(topic)) &&
      (is.includes('private') ? repo.private === true : !is.includes('public') || repo.private === false) &&
      (archived === 'true' ? repo.archived === true : archived !== 'false' || repo.archived === false) &&
      hasWords(
        [full_name, description, itemsIn(topics).join(' ')]
          .filter((_, at) => places.length === 0 || places.includes(PLACES[at] ?? ''))
          .map(valueText)
          .join('\n'),
        valuesOf(terms, 'words'),
      ) &&
      hasWords(valueText(full_name), valuesOf(terms, 'repo').slice(0, 1)) &&
      valuesOf(terms, 'fork').every((word) => word !== 'only' || repo.fork === true) &&
      valuesOf(terms, 'stars').every((range) => isWithin(itemsIn(stars).length, range)) &&
      ['created', 'pushed'].every((name) =>
        valuesOf(terms, name).every((range) => isWithin(valueText(repo[`${name}_at`]), range)),
      )
    if (isFound) found.push({ ...repo, stars: itemsIn(stars).length })
  }
  return found
}

/** The files on default branches that a search finds. */
export function* codeFound({ terms: given, repos, ...lists }: JsonObject): Slowly {
  const terms = fieldsOf(given)
  const isNamed = (value: string, ...names: string[]) => {
    const values = names.map((name) => valuesOf(terms, name)).find((one) => one.length > 0)
    return values === undefined || values.includes(value)
  }
  const by = (list: Json | undefined, keyOf: (one: JsonObject) => string) =>
    new Map(listOf(list).map((one) => [keyOf(one), one]))
  const refs = by(lists.refs, ({ repository_id, ref }) => `${repository_id} ${ref}`)
  const commits = by(lists.commits, ({ repository_id, sha }) => `${repository_id} ${sha}`)
  const [trees, blobs] = [by(lists.trees, ({ sha }) => valueText(sha)), by(lists.blobs, ({ sha }) => valueText(sha))]
  const found: JsonObject[] = []
  for (const repo of listOf(repos)) {
    const name = valueText(repo.full_name)
    if (!isNamed(name, 'repo') || !isNamed(name.split('/')[0] ?? '', 'user', 'org')) continue
    const tip = refs.get(`${repo.id} refs/heads/${repo.default_branch}`)
    const commit = commits.get(`${repo.id} ${tip?.sha}`)
    for (const { path: at, sha = null } of listOf(trees.get(valueText(commit?.tree_sha))?.files)) {
      yield
      const path = valueText(at)
      const file = { repo, path, name: path.split('/').at(-1) ?? '', sha }
      const text = Buffer.from(valueText(blobs.get(valueText(sha))?.content), 'base64').toString()
      const isFound =
        hasWords(`${path} ${text}`, valuesOf(terms, 'words')) &&
        isNamed(file.name, 'filename') &&
        isNamed(path.split('.').at(-1) ?? '', 'extension')
      if (isFound) found.push(file)
    }
  }
  return found
}
