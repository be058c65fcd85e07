import { Option } from 'commander'
import { didYouMean } from '../names/nearest-name.ts'
import type { JsonObject } from '../protocol/json.ts'
import { readTextFile } from '../runtime/read-text-file.ts'

/** A command's source: a user's description as text, or the description of a library entry. */
type FoundSource = { readonly text: string } | { readonly openapi: JsonObject }

/** The option for the included paths of a description. */
export const includeOption = (): Option =>
  new Option('--include <path>', 'take these paths alone; * is any text, and the option may be repeated').argParser(
    (path: string, before: readonly string[] = []) => [...before, path],
  )

/**
 * Finds a command's source: a description's file (JSON or YAML), or the slug of a library entry. Throws an Error that
 * lists the choices.
 */
export async function findSource(source: string): Promise<FoundSource> {
  if (/^https?:/.test(source)) {
    throw new Error(
      `Failed to read the description "${source}": addresses are not fetched. Download it and pass its path.`,
    )
  }
  const text = await readTextFile(source).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`Failed to read the description "${source}": ${error.message}.`, { cause: error })
  })
  if (text !== undefined) {
    const { inOneDocument } = await import('../excerpt/one-document.ts')
    return { text: await inOneDocument(text, source, readTextFile) }
  }
  const { loadEntry, listEntries } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry) return { openapi: entry.openapi }
  const nearest = didYouMean(
    source,
    (await listEntries()).map(({ slug }) => slug),
  )
  throw new Error(
    `Failed to read "${source}": there is no such file and no library entry of that slug.${nearest} Run \`backlot library\` for the slugs.`,
  )
}

/**
 * The document of {@link findSource}, of any size, with only the paths of `include`, if given. Throws an ApiError for
 * an unreadable description, and for a pattern that no path fits.
 */
export async function readDocument(source: string, include: readonly string[] | undefined): Promise<JsonObject> {
  const found = await findSource(source)
  const { parseDescription } = await import('../service/openapi/parse-description.ts')
  const document = 'openapi' in found ? found.openapi : await parseDescription(found.text)
  if (include === undefined) return document
  const { excerptOf } = await import('../excerpt/excerpt.ts')
  return excerptOf(document, include)
}
