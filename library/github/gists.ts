import { createHash } from 'node:crypto'
import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { created, type Handler, isThere, paged, personOf, pick, refused, secondsOf } from './answers.ts'

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

const fileOf = (filename: string, content: string): JsonObject => {
  const [language, type] = KINDS[filename.split('.').at(-1) ?? ''] ?? [null, 'text/plain']
  const raw_url = `https://gist.github.example/raw/${filename}`
  return { filename, type, language, raw_url, size: Buffer.byteLength(content), truncated: false, content }
}

/** The files after what a request says of them by their names. */
function changed(files: JsonObject, sent: JsonObject): JsonObject {
  const left = new Map(Object.entries(files))
  for (const [name, change] of Object.entries(sent)) {
    const { filename = name, content = fieldsOf(left.get(name)).content } = fieldsOf(change)
    left.delete(name)
    if (change !== null && filename !== null)
      left.set(String(filename), fileOf(String(filename), String(content ?? '')))
  }
  return Object.fromEntries(left)
}

const me = ({ call }: OperationContext): JsonObject => fieldsOf(call('GET', '/user').body)
const linesIn = (files: JsonObject): number =>
  Object.values(files).reduce((sum: number, file) => sum + String(fieldsOf(file).content).split('\n').length, 0)

/** A version of the files, for the history. */
function version(context: OperationContext, before: JsonObject, after: JsonObject): JsonObject {
  const [additions, deletions] = [linesIn(after), linesIn(before)]
  return {
    version: createHash('sha1')
      .update(`${JSON.stringify(after)}${context.now.getTime()}`)
      .digest('hex'),
    committed_at: secondsOf(context),
    change_status: { total: additions + deletions, additions, deletions },
  }
}

function show(context: OperationContext, gist: JsonObject, isWhole = true): JsonObject {
  const { records, call } = context
  const { key, id } = gist
  const url = `https://api.github.example/gists/${key}`
  const owner = personOf(fieldsOf(call('GET', `/users/${records.users?.get(String(gist.owner_id))?.login}`).body))
  const history = (Array.isArray(gist.history) ? gist.history : []).map((one) => ({
    url: `${url}/${fieldsOf(one).version}`,
    user: owner,
    ...fieldsOf(one),
  }))
  const forks = records.gists?.where({ fork_of: Number(id) }) ?? []
  const source = gist.fork_of == null ? undefined : records.gists?.get(String(gist.fork_of))
  const files = Object.entries(fieldsOf(gist.files)).map(([name, file]) => [
    name,
    isWhole
      ? file
      : Object.fromEntries(
          Object.entries(fieldsOf(file)).filter(([field]) => field !== 'content' && field !== 'truncated'),
        ),
  ])
  return {
    ...{ url, forks_url: `${url}/forks`, commits_url: `${url}/commits`, comments_url: `${url}/comments` },
    ...{ id: key, node_id: Buffer.from(`G_${key}`).toString('base64'), html_url: `https://gist.github.example/${key}` },
    ...{
      git_pull_url: `https://gist.github.example/${key}.git`,
      git_push_url: `https://gist.github.example/${key}.git`,
    },
    ...{ files: Object.fromEntries(files), owner, user: null, truncated: false },
    ...pick(gist, ['public', 'description', 'created_at', 'updated_at']),
    comments: records.gist_comments?.count({ gist_id: Number(id) }) ?? 0,
    ...(isWhole && {
      history,
      forks: forks.map((one) => ({ id: one.key, url: `https://api.github.example/gists/${one.key}` })),
    }),
    ...(source && { fork_of: { id: source.key, url: `https://api.github.example/gists/${source.key}` } }),
  } as JsonObject
}

const on =
  (act: (context: OperationContext, gist: JsonObject) => object, isOwn = false): Handler =>
  (context) => {
    const gist = context.records.gists?.find({ key: String(context.path.gist_id) })
    if (gist === undefined || (isOwn && gist.owner_id !== me(context).id)) return isThere(context, false)
    return act(context, gist)
  }

const starsOf = (gist: JsonObject): Json[] => (Array.isArray(gist.stars) ? [...gist.stars] : [])
const starred = (isStarred: boolean) =>
  on((context, gist) => {
    const id = me(context).id ?? null
    const others = starsOf(gist).filter((one) => one !== id)
    context.records.gists?.update(Number(gist.id), { stars: isStarred ? [...others, id] : others })
    return isThere(context, true)
  })

const listed = (
  at: string,
  test: (gist: JsonObject, context: OperationContext) => boolean,
): Record<string, Handler> => ({
  [`GET ${at}`]: (context) => {
    const { since = '' } = context.query as { since?: string }
    const found = [...(context.records.gists ?? [])].filter(
      (one) => String(one.updated_at) >= since && test(one, context),
    )
    return paged(
      context,
      at,
      found.map((one) => show(context, one, false)),
    )
  },
})

const make = (context: OperationContext, fields: JsonObject): object => {
  const time = secondsOf(context)
  const key = createHash('md5').update(context.id()).digest('hex')
  const owner_id = me(context).id ?? 0
  const made = context.records.gists?.create({ key, owner_id, created_at: time, updated_at: time, ...fields } as never)
  return created(context, show(context, fieldsOf(made)))
}

export const gists: Record<string, Handler> = {
  ...listed('/gists', ({ owner_id }, context) => owner_id === me(context).id),
  ...listed('/gists/public', (gist) => gist.public === true),
  ...listed('/gists/starred', (gist, context) => starsOf(gist).includes(me(context).id ?? null)),
  ...listed(
    '/users/{username}/gists',
    ({ owner_id, public: isPublic }, { records, path }) =>
      isPublic === true && records.users?.get(String(owner_id))?.key === String(path.username).toLowerCase(),
  ),
  'POST /gists': (context) => {
    const files = changed({}, fieldsOf(context.body.files))
    if (Object.keys(files).length === 0)
      return refused(context, 422, 'Validation Failed', [{ resource: 'Gist', field: 'files', code: 'missing_field' }])
    const { public: isPublic = false, description = null } = context.body
    return make(context, {
      files,
      description,
      public: `${isPublic}` === 'true',
      history: [version(context, {}, files)],
    })
  },
  'GET /gists/{gist_id}': on((context, gist) => show(context, gist)),
  'PATCH /gists/{gist_id}': on((context, gist) => {
    const files = changed(fieldsOf(gist.files), fieldsOf(context.body.files))
    const { description = gist.description } = context.body
    const history = [
      version(context, fieldsOf(gist.files), files),
      ...(Array.isArray(gist.history) ? gist.history : []),
    ]
    const updated = { files, description, history, updated_at: secondsOf(context) }
    return show(context, fieldsOf(context.records.gists?.update(Number(gist.id), updated as never)))
  }, true),
  'DELETE /gists/{gist_id}': on((context, gist) => {
    context.records.gists?.remove(Number(gist.id))
    return isThere(context, true)
  }, true),
  'GET /gists/{gist_id}/star': on((context, gist) => isThere(context, starsOf(gist).includes(me(context).id ?? null))),
  'PUT /gists/{gist_id}/star': starred(true),
  'DELETE /gists/{gist_id}/star': starred(false),
  'GET /gists/{gist_id}/forks': on((context, gist) =>
    paged(
      context,
      '/gists/{gist_id}/forks',
      (context.records.gists?.where({ fork_of: Number(gist.id) }) ?? []).map((one) => show(context, one, false)),
    ),
  ),
  'POST /gists/{gist_id}/forks': on((context, gist) =>
    make(context, { ...pick(gist, ['files', 'description', 'public', 'history']), fork_of: Number(gist.id) }),
  ),
}
