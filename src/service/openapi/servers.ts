import type { JsonObject } from '../../protocol/json.ts'
import { objectEntries, textOf } from './operation-draft.ts'
import { objectsOf } from './schema-parts.ts'

/** Most base paths that the variables of one server may give. */
const MAX_SPELLINGS = 20

/** Paths of the servers of a description, of its paths and of its operations. The first is the main one. */
export function readBasePaths(document: JsonObject): string[] {
  if (document.swagger !== undefined) return [trimPath(textOf(document.basePath) ?? '')]
  const servers = [...objectsOf(document.servers)]
  for (const [, item] of objectEntries(document.paths)) {
    servers.push(...objectsOf(item.servers))
    for (const [, operation] of objectEntries(item)) servers.push(...objectsOf(operation.servers))
  }
  const paths = servers.flatMap(spellOut)
  return paths.length > 0 && objectsOf(document.servers).length > 0 ? [...new Set(paths)] : [...new Set(['', ...paths])]
}

/** The paths of one server, its variables replaced by their defaults, then by their other values. */
function spellOut(server: JsonObject): string[] {
  const url = textOf(server.url) ?? ''
  const path = trimPath(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/^\/\/[^/]*/, ''))
  let spellings = [path]
  for (const [name, variable] of objectEntries(server.variables)) {
    if (!path.includes(`{${name}}`)) continue
    const values = [variable.default, ...(Array.isArray(variable.enum) ? variable.enum : [])].filter(
      (value) => typeof value === 'string',
    )
    spellings = spellings.flatMap((spelling) =>
      [...new Set(values)].map((value) => trimPath(spelling.replaceAll(`{${name}}`, value))),
    )
    spellings.splice(MAX_SPELLINGS)
  }
  return spellings
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
