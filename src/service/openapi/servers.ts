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
    for (const url of spellOut(server)) paths.add(trimPath(pathOfServer(url)))
  }
  return paths.size > 0 ? [...paths] : ['']
}

/** Host names of the servers of a description, without those of this machine. The first is the main one. */
export function readHosts(document: JsonObject): string[] {
  const host = textOf(document.host)
  const urls = host === undefined ? [...serversIn(document)].flatMap(spellOut) : [`https://${host}`]
  const names = urls.flatMap((url) => URL.parse(url)?.hostname ?? [])
  return [...new Set(names.filter((name) => /\.[a-z][a-z\d-]*$/.test(name) && !name.endsWith('.localhost')))].slice(
    0,
    100,
  )
}

function* serversIn(document: JsonObject): Generator<JsonObject> {
  yield* objectsOf(document.servers)
  for (const [, item] of objectEntries(document.paths)) {
    yield* objectsOf(item.servers)
    for (const [, operation] of objectEntries(item)) yield* objectsOf(operation.servers)
  }
}

/** The addresses of one server, with its variables' defaults, then with their other values. */
function spellOut(server: JsonObject): string[] {
  const url = textOf(server.url) ?? ''
  if (url.length > MAX_LENGTH) return []
  let spellings = [url]
  for (const [name, variable] of objectEntries(server.variables)) {
    if (!url.includes(`{${name}}`)) continue
    const values = [variable.default, ...(Array.isArray(variable.enum) ? variable.enum : [])].filter(
      (value) => typeof value === 'string',
    )
    // The values of a host all give the same path.
    const isPath = pathOfServer(url).includes(`{${name}}`) || url.startsWith(`{${name}}`)
    spellings = spellings.flatMap((spelling) =>
      [...new Set(values)]
        .slice(0, isPath ? MAX_SPELLINGS : 1)
        .map((value) => spelling.replaceAll(`{${name}}`, value.slice(0, MAX_LENGTH)))
        .filter(({ length }) => length <= MAX_LENGTH),
    )
    spellings.splice(MAX_SPELLINGS)
  }
  return spellings
}

/** The path after the host: a host without a value, as in `{host}/v1`, is one too. */
const pathOfServer = (url: string): string =>
  url.replace(/^(([a-z][a-z0-9+.-]*|\{[^{}/]*\}):)?\/\/[^/]*|^\{[^{}/]*\}/i, '')

/** `/v1` of `v1/`; '' of `/`. */
function trimPath(path: string): string {
  const inner = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter((segment) => segment !== '' && segment !== '.')
  return inner.length > 0 ? `/${inner.join('/')}` : ''
}

/** The path of an absolute or relative URL. */
export function pathOfUrl(url: string): string {
  return trimPath(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))
}
