import { invalidRequest, invalidSpec } from '../protocol/errors.ts'
import { grouped } from '../protocol/grouped.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { type DocumentOrigin, readText } from './read-text.ts'
import { selectPaths, withoutUnused } from './selected-paths.ts'
import { withoutProse } from './without-prose.ts'

/**
 * The text of a description within a service's limit: only the paths of `include`, if given; without prose, then
 * without examples, while it is too large. A text within the limit stays unchanged.
 *
 * Throws an {@link ApiError} for an unreadable text, a pattern that no path fits, and a text that stays too large.
 */
export async function fitSpec(text: string, include: readonly string[] | undefined): Promise<string> {
  if (include === undefined && isSmall(text)) return text
  const { value: document, isTree } = await readText(text)
  if (!isJsonObject(document)) throw invalidSpec('Failed to read the description: it is no object.')
  if (include !== undefined) return fitDocument(selectPaths(document, include, { isTree }), { isTree })
  // On one line it has as good as no white space that could go.
  const isAsShort = !text.includes('\n')
  return fitDocument(document, { isTree, isTooLarge: isAsShort })
}

interface Known extends DocumentOrigin {
  /** Whether the document as it is was found to be too large. */
  readonly isTooLarge?: boolean
}

/** The text of a description within a service's limit. Throws `invalid_request` for one that stays too large. */
export function fitDocument(document: JsonObject, known: Known = {}): string {
  let size = 0
  for (const version of versionsOf(document, known)) {
    const written = JSON.stringify(version)
    if (isSmall(written)) return written
    size = Buffer.byteLength(written)
  }
  const [most, got] = [LIMITS.specBytes, size].map(grouped)
  throw invalidRequest(
    `Expected the description to have at most ${most} bytes without its prose and examples, got ${got}. Name the paths that are needed: { spec, include: ['/tasks*'] }, or --include '/tasks*'.`,
  )
}

/** Ever smaller versions of a description; those without prose also lack unused components. */
function* versionsOf(document: JsonObject, { isTooLarge = false, ...origin }: Known): Generator<JsonObject> {
  if (!isTooLarge) yield document
  for (const examples of [true, false]) yield withoutUnused(withoutProse(document, { examples }), origin)
}

const isSmall = (text: string): boolean => Buffer.byteLength(text) <= LIMITS.specBytes
