import { type DocumentOrigin, readText } from '../../description/read-text.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { walkDocument } from './document-walk.ts'

/**
 * Reads the text of an OpenAPI description: JSON, or YAML 1.2 (whose parser is loaded at first use). The last of
 * duplicate keys counts.
 *
 * Throws an {@link ApiError} `invalid_spec` with the line for text that is neither, and for a document that is too
 * deep, too large, or contains itself.
 */
export async function parseDescription(text: string): Promise<JsonObject> {
  const { document, isTree } = await parseText(text)
  for (const _ of walkDocument(document, undefined, { isTree }));
  return document
}

/** A document that nothing is known of yet but where it came from. */
export interface ParsedText extends Required<DocumentOrigin> {
  readonly document: JsonObject
}

/** {@link parseDescription} before {@link walkDocument}. */
export async function parseText(text: string): Promise<ParsedText> {
  const { value: document, isTree } = await readText(text)
  if (!isJsonObject(document)) {
    throw invalidSpec(
      `Failed to read the description: it is ${nameOf(document)}, not an object. An OpenAPI description has \`openapi\` or \`swagger\` at its top.`,
    )
  }
  return { document, isTree }
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
