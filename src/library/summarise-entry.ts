import { isJsonObject } from '../protocol/json.ts'
import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { LibraryEntry } from './library-entry.ts'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** An entry as a list shows it. */
export function summariseEntry(entry: LibraryEntry): LibraryEntrySummary {
  const { slug, name, provider, vertical, description, openapi } = entry
  const items = isJsonObject(openapi.paths) ? Object.values(openapi.paths).filter(isJsonObject) : []
  const operations = items.flatMap((item) => Object.keys(item).filter((key) => METHODS.has(key))).length
  return { slug, name, provider, vertical, description, operations }
}
