import { createHash } from 'node:crypto'
import {
  API,
  type Fields,
  fieldsOf,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  nodeId,
  type Operations,
  sent,
  sha1,
  textOf,
  without,
} from './github.ts'
import { personOf } from './show-accounts.ts'

/** Ends of file names: the language, and the media type. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  css: ['CSS', 'text/css'],
  go: ['Go', 'text/plain'],
  html: ['HTML', 'text/html'],
  js: ['JavaScript', 'application/javascript'],
  json: ['JSON', 'application/json'],
  md: ['Markdown', 'text/markdown'],
  py: ['Python', 'application/x-python'],
  rb: ['Ruby', 'application/x-ruby'],
  sh: ['Shell', 'application/x-sh'],
  ts: ['TypeScript', 'application/typescript'],
  txt: ['Text', 'text/plain'],
  yml: ['YAML', 'text/x-yaml'],
  yaml: ['YAML', 'text/x-yaml'],
}

const fileOf = (filename: string, content: string): Fields => {
  const [language, type] = KINDS[filename.split('.').at(-1) ?? ''] ?? [null, 'text/plain']
  const raw_url = `https://gist.github.example/raw/${filename}`
  return { filename, type, language, raw_url, size: Buffer.byteLength(content), truncated: false, content }
}

/** The files after what a request says of them by their names. */
function changed(files: Fields, sent: Fields): Fields {
  const left = new Map(Object.entries(files))
  for (const [name, change] of Object.entries(sent)) {
    const { filename = name, content = fieldsOf(left.get(name)).content } = fieldsOf(change)
    left.delete(name)
    if (change !== null && filename !== null)
      left.set(String(filename), fileOf(String(filename), String(content ?? '')))
  }
  return Object.fromEntries(left)
}

const linesIn = (files: Fields): number =>
  Object.values(files).reduce((sum: number, file) => sum + String(fieldsOf(file).content).split('\n').length, 0)

/** A version of the files, for the history. */
function version({ now, time }: GitHubRequest, before: Fields, after: Fields): Fields {
  const [additions, deletions] = [linesIn(after), linesIn(before)]
  return {
    version: sha1(`${JSON.stringify(after)}${now.getTime()}`),
    committed_at: time,
    change_status: { total: additions + deletions, additions, deletions },
  }
}

const HTML = 'https://gist.github.example'

/** A gist; lists do not have the contents of its files, nor its history. */
function show(github: GitHubRequest, gist: Fields, isWhole = true): Fields {
  const { records } = github
  const { key = null, id = null } = gist
  const url = `${API}/gists/${key}`
  const owner = personOf(github, gist.owner_id)
  const refOf = ({ key = null }: Fields) => ({ id: key, url: `${API}/gists/${key}` })
  const source = gist.fork_of == null ? undefined : records.gists.get(gist.fork_of as number)
  const files = Object.entries(fieldsOf(gist.files)).map(([name, file]): [string, Json] => [
    name,
    isWhole ? file : without(fieldsOf(file), 'content truncated'),
  ])
  const git = `${HTML}/${key}.git`
  return {
    ...{ url, forks_url: `${url}/forks`, commits_url: `${url}/commits`, comments_url: `${url}/comments` },
    ...{ id: key, node_id: nodeId('G_', key), html_url: `${HTML}/${key}`, git_pull_url: git, git_push_url: git },
    ...{ files: Object.fromEntries(files), owner, user: null, truncated: false },
    ...sent(gist, 'public description created_at updated_at'),
    comments: records.gist_comments.count({ gist_id: id }),
    ...(isWhole && {
      history: listOf(gist.history).map((one) => ({ url: `${url}/${one.version}`, user: owner, ...one })),
      forks: records.gists.where({ fork_of: id }).map(refOf),
    }),
    ...(source && { fork_of: refOf(source) }),
  }
}

const found = (github: GitHubRequest): Fields =>
  github.records.gists.find({ key: github.path.gist_id ?? '' }) ?? github.gone()

/** The gist of the path, which only its owner changes. */
const own = (github: GitHubRequest): Fields => {
  const gist = found(github)
  return gist.owner_id === github.actorId ? gist : github.gone()
}

const isStarred = ({ actorId }: GitHubRequest, gist: Fields): boolean => idsOf(gist.stars).includes(actorId)
const setStar =
  (isOn: boolean): Operations[string] =>
  (github) => {
    const { id, stars } = found(github)
    const others = idsOf(stars).filter((one) => one !== github.actorId)
    github.records.gists.update(id as number, { stars: isOn ? [...others, github.actorId] : others })
    return github.empty
  }

const list =
  (test: (github: GitHubRequest, gist: Fields) => boolean): Operations[string] =>
  (github) => {
    const since = textOf(github.query.since)
    const gists = github.records.gists.where((gist) => textOf(gist.updated_at) >= since && test(github, gist))
    return github.page(gists, (gist) => show(github, gist, false))
  }

function make(github: GitHubRequest, fields: Fields): object {
  const key = createHash('md5').update(github.id()).digest('hex')
  return github.created(show(github, github.create('gists', { key, owner_id: github.actorId, ...fields })))
}

function create(github: GitHubRequest): object {
  const files = changed({}, fieldsOf(github.body.files))
  if (Object.keys(files).length === 0) github.invalid({ resource: 'Gist', field: 'files', code: 'missing_field' })
  const { public: isPublic, description = null } = github.body
  const history = [version(github, {}, files)]
  return make(github, { files, description, public: `${isPublic}` === 'true', history })
}

function change(github: GitHubRequest): Fields {
  const gist = own(github)
  const files = changed(fieldsOf(gist.files), fieldsOf(github.body.files))
  const history = [version(github, fieldsOf(gist.files), files), ...listOf(gist.history)]
  return show(github, github.update('gists', gist, { ...sent(github.body, 'description'), files, history }))
}

export const gists: Operations = {
  'GET /gists': list((github, { owner_id }) => owner_id === github.actorId),
  'GET /gists/public': list((_, gist) => gist.public === true),
  'GET /gists/starred': list(isStarred),
  'GET /users/{username}/gists': list(
    ({ records, path }, gist) =>
      gist.public === true && records.users.get(gist.owner_id as number)?.key === String(path.username).toLowerCase(),
  ),
  'POST /gists': create,
  'GET /gists/{gist_id}': (github) => show(github, found(github)),
  'PATCH /gists/{gist_id}': change,
  'DELETE /gists/{gist_id}': (github) => {
    github.records.gists.remove(own(github).id as number)
    return github.empty
  },
  'GET /gists/{gist_id}/star': (github) => github.isThere(isStarred(github, found(github))),
  'PUT /gists/{gist_id}/star': setStar(true),
  'DELETE /gists/{gist_id}/star': setStar(false),
  'GET /gists/{gist_id}/forks': (github) =>
    github.page(github.records.gists.where({ fork_of: found(github).id ?? null }), (gist) => show(github, gist, false)),
  'POST /gists/{gist_id}/forks': (github) => {
    const gist = found(github)
    return make(github, { ...sent(gist, 'files description public history'), fork_of: gist.id ?? null })
  },
}
