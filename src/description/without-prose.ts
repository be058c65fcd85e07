import { invalidSpec } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'

/** Keywords whose value is a map with names of the description's own, such as a field called `description`. */
const MAPS = new Set(
  `properties patternProperties dependentSchemas definitions $defs paths webhooks responses content headers callbacks
  links securitySchemes schemas parameters requestBodies pathItems mapping scopes variables encoding additionalOperations
  securityDefinitions`.split(/\s+/),
)
/** Keywords whose values are data, which may look like keywords. */
const DATA = new Set(['enum', 'const', 'default', 'required', 'security', 'tags', 'value'])
/** Extensions with effect on validation or examples. */
const KEPT_EXTENSIONS = new Set(['x-nullable', 'x-example', 'x-backlot'])

const MOST_DEPTH = 500

/**
 * A description without parts that only people read: descriptions, external documentation, extensions, and examples of
 * bodies with a schema; with `examples: false` also without the examples of schemas. Summaries stay.
 */
export function withoutProse(document: JsonObject, options: Kept): JsonObject {
  return strip(document, options, 0) as JsonObject
}

interface Kept {
  readonly examples: boolean
}

function strip(value: Json, options: Kept, depth: number): Json {
  if (depth > MOST_DEPTH) {
    throw invalidSpec(
      `Failed to read the description: it is nested more than ${MOST_DEPTH} levels deep, or holds itself.`,
    )
  }
  if (Array.isArray(value)) return value.map((item) => strip(item, options, depth + 1))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, inner]) => !isProse(key, inner) && !(isExample(key) && isSpare(value, options.examples)),
  )
  return Object.fromEntries(kept.map(([key, inner]) => [key, stripField(key, inner, options, depth)]))
}

function stripField(key: string, value: Json, options: Kept, depth: number): Json {
  if (DATA.has(key) || isExample(key)) return value
  if (!MAPS.has(key) || !isJsonObject(value)) return strip(value, options, depth + 1)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner, options, depth + 2)]))
}

const isProse = (key: string, value: Json): boolean =>
  (key === 'description' && typeof value === 'string') ||
  key === 'externalDocs' ||
  key === 'x-examples' ||
  (key.startsWith('x-') && !KEPT_EXTENSIONS.has(key))

const isExample = (key: string): boolean => key === 'example' || key === 'examples'

/** Whether the example of a body or of a schema may be removed: it is needed where nothing else describes the body. */
const isSpare = ({ schema, type, properties }: JsonObject, keepsSome: boolean): boolean =>
  schema !== undefined || (!keepsSome && ((type !== undefined && type !== 'object') || properties !== undefined))
