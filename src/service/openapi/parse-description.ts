import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { checkBounds } from './document-bounds.ts'

/**
 * Reads the text of an OpenAPI description: JSON, or YAML 1.2 (a parser for which is loaded when first needed). Of a key
 * that occurs twice the last counts.
 *
 * Throws an {@link ApiError} `invalid_spec` for text that is neither, naming the line, and for a document that is too
 * deep, too large, or holds itself.
 */
export async function parseDescription(text: string): Promise<JsonObject> {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (source.trim() === '') {
    throw invalidSpec('Failed to read the description: the text is empty. Send an OpenAPI description as JSON or YAML.')
  }
  const document = source.trimStart().startsWith('{') ? await parseJson(source) : await parseYaml(source)
  if (!isJsonObject(document)) {
    throw invalidSpec(
      `Failed to read the description: it is ${nameOf(document)}, not an object. An OpenAPI description has \`openapi\` or \`swagger\` at its top.`,
    )
  }
  checkBounds(document)
  return document
}

/** A text that begins with `{` may also be YAML in flow style, so what JSON refuses is tried as YAML. */
async function parseJson(source: string): Promise<unknown> {
  try {
    return JSON.parse(source)
  } catch (cause) {
    if (cause instanceof RangeError)
      throw invalidSpec('Failed to read the description: it is nested too deeply.', cause)
    const message = (cause as Error).message
    const place = /\(line (\d+) column (\d+)\)/.exec(message)
    const yaml = await parseYaml(source).catch((error: unknown) => error)
    if (!(yaml instanceof Error)) return yaml
    const where = place ? `line ${place[1]}, column ${place[2]}` : lineOf(yaml.cause)
    const fact = message.replace(/, ".*" is not valid JSON$/s, '').replace(/ in JSON at position .*$/s, '')
    throw invalidSpec(
      `Failed to read the description as JSON${where ? ` at ${where}` : ''}: ${fact}. Correct the text there.`,
      cause,
    )
  }
}

async function parseYaml(source: string): Promise<unknown> {
  const { CORE_SCHEMA, load, mergeTag } = await import('js-yaml')
  try {
    return load(source, { json: true, maxDepth: 200, schema: CORE_SCHEMA.withTags(mergeTag) })
  } catch (cause) {
    const where = lineOf(cause)
    const fact = (cause as { reason?: string }).reason ?? (cause as Error).message
    throw invalidSpec(
      `Failed to read the description as YAML${where ? ` at ${where}` : ''}: ${fact}. Correct the text there.`,
      cause,
    )
  }
}

function lineOf(error: unknown): string | undefined {
  const mark = (error as { mark?: { line: number; column: number } } | undefined)?.mark
  return mark && `line ${mark.line + 1}, column ${mark.column + 1}`
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
