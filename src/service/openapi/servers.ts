import type { JsonObject } from '../../protocol/json.ts'
import { objectEntries, textOf } from './operation-draft.ts'
import { objectsOf } from './schemas/schema-parts.ts'

/** Most base paths from the variables of one server. */
const MAX_SPELLINGS = 20
/** Most base paths of a description: each request is compared with all of them. */
const MAX_BASE_PATHS = 200
/** Longer base paths are ignored: a request line has no room for them. */
const MAX_LENGTH = 2_000

/** Paths of the servers of a description, of its paths and of its operations. The first is the main one. */
export function readBasePaths(document: JsonObject): string[] {
  if (document.swagger !== undefined) return [trimPath(textOf(document.basePath) ?? '')]
  const paths = new Set(objectsOf(document.servers).length > 0 ? [] : [''])
  for (const server of serversIn(document)) {
    if (paths.size >= MAX_BASE_PATHS) break
    for (const path of spellOut(server)) paths.add(path)
  }
  return paths.size > 0 ? [...paths] : ['']
}

function* serversIn(document: JsonObject): Generator<JsonObject> {
  yield* objectsOf(document.servers)
  for (const [, item] of objectEntries(document.paths)) {
    yield* objectsOf(item.servers)
    for (const [, operation] of objectEntries(item)) yield* objectsOf(operation.servers)
  }
}

/** The paths of one server, with its variables' defaults, then with their other values. */
function spellOut(server: JsonObject): string[] {
  const url = textOf(server.url) ?? ''
  const path = trimPath(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/^\/\/[^/]*/, ''))
  if (path.length > MAX_LENGTH) return []
  let spellings = [path]
  for (const [name, variable] of objectEntries(server.variables)) {
    if (!path.includes(`{${name}}`)) continue
    const values = [variable.default, ...(Array.isArray(variable.enum) ? variable.enum : [])].filter(
      (value) => typeof value === 'string',
    )
    spellings = spellings.flatMap((spelling) =>
      [...new Set(values)]
        .slice(0, MAX_SPELLINGS)
        .map((value) => spelling.replaceAll(`{${name}}`, value.slice(0, MAX_LENGTH)))
        .filter(({ length }) => length <= MAX_LENGTH),
    )
    spellings.splice(MAX_SPELLINGS)
  }
  return spellings.map(trimPath)
}

/** `/v1` of `v1/`; '' of `/`. */
function trimPath(path: string): string {
  const inner = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter((segment) => segment !== '' && segment !== '.')
  return inner.length > 0 ? `/${inner.join('/')}` : ''
}

/** The path of an absolute or relative URL. */
export function pathOfUrl(url: string): string {
  return trimPath(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))
}
