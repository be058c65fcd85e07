import type { JsonObject } from '../protocol/json.ts'
import { checkSpecSize } from '../protocol/limits.ts'

/**
 * The document that a command was given: a description's file (JSON or YAML), or the slug of a library entry. Throws an
 * Error that says what there is, or an ApiError for a description that cannot be read.
 */
export async function readDocument(source: string): Promise<JsonObject> {
  if (/^https?:/.test(source)) {
    throw new Error(
      `Failed to read the description "${source}": addresses are not fetched. Download it and pass its path.`,
    )
  }
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(source, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'EISDIR')
      throw new Error(`Failed to read the description "${source}": it is a folder. Name the file in it.`)
    throw new Error(`Failed to read the description "${source}": ${error.message}.`, { cause: error })
  })
  if (text !== undefined) {
    checkSpecSize(text)
    const { parseDescription } = await import('../service/openapi/parse-description.ts')
    return parseDescription(text)
  }
  const { loadEntry } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry) return entry.openapi
  throw new Error(
    `Failed to read "${source}": there is no such file and no library entry of that slug. Run \`backlot library\` for the slugs.`,
  )
}
