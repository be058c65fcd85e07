import type { JsonObject } from '../protocol/json.ts'
import { checkSpecSize } from '../protocol/limits.ts'

/** What a command was given: a description of the user's own, as text, or that of an entry of the library. */
export type FoundSource = { readonly spec: string } | { readonly openapi: JsonObject }

/**
 * Finds what a command was given: a description's file (JSON or YAML), or the slug of a library entry. Throws an Error that
 * says what there is.
 */
export async function findSource(source: string): Promise<FoundSource> {
  if (/^https?:/.test(source)) {
    throw new Error(
      `Failed to read the description "${source}": addresses are not fetched. Download it and pass its path.`,
    )
  }
  const { readFile } = await import('node:fs/promises')
  const spec = await readFile(source, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'EISDIR')
      throw new Error(`Failed to read the description "${source}": it is a folder. Name the file in it.`)
    throw new Error(`Failed to read the description "${source}": ${error.message}.`, { cause: error })
  })
  if (spec !== undefined) {
    checkSpecSize(spec)
    return { spec }
  }
  const { loadEntry } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry) return { openapi: entry.openapi }
  throw new Error(
    `Failed to read "${source}": there is no such file and no library entry of that slug. Run \`backlot library\` for the slugs.`,
  )
}

/** The document of {@link findSource}. Throws an ApiError for a description that cannot be read. */
export async function readDocument(source: string): Promise<JsonObject> {
  const found = await findSource(source)
  if ('openapi' in found) return found.openapi
  const { parseDescription } = await import('../service/openapi/parse-description.ts')
  return parseDescription(found.spec)
}
