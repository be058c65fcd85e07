import { invalidSpec } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'

/** Keywords whose value is a map: its keys are names of the description's own, such as a field called `description`. */
const MAPS = new Set(
  `properties patternProperties dependentSchemas definitions $defs paths webhooks responses content headers callbacks
  links securitySchemes schemas parameters requestBodies pathItems mapping scopes variables encoding additionalOperations
  securityDefinitions`.split(/\s+/),
)
/** Keywords whose values are data, and may look like keywords. */
const DATA = new Set(['enum', 'const', 'default', 'required', 'security', 'tags', 'value'])
/** Extensions that say what is allowed. */
const MEANT = new Set(['x-nullable', 'x-example'])

const MOST_DEPTH = 500

/**
 * A description without what people read and no program asks for: descriptions, external documentation, extensions, and
 * examples of bodies that have a schema; with `examples: false` also without the examples of schemas. Summaries stay.
 */
export function withoutProse(document: JsonObject, { examples }: { readonly examples: boolean }): JsonObject {
  return strip(document, { examples }, 0) as JsonObject
}

function strip(value: Json, options: { readonly examples: boolean }, depth: number): Json {
  if (depth > MOST_DEPTH) {
    throw invalidSpec(
      `Failed to read the description: it is nested more than ${MOST_DEPTH} levels deep, or holds itself.`,
    )
  }
  if (Array.isArray(value)) return value.map((item) => strip(item, options, depth + 1))
  if (!isJsonObject(value)) return value
  const kept: [string, Json][] = []
  for (const [key, inner] of Object.entries(value)) {
    if (isProse(key, inner) || (isExample(key) && isSpare(value, options.examples))) continue
    if (DATA.has(key) || isExample(key)) kept.push([key, inner])
    else if (MAPS.has(key) && isJsonObject(inner)) {
      const entries = Object.entries(inner).map(([name, held]) => [name, strip(held, options, depth + 2)])
      kept.push([key, Object.fromEntries(entries) as JsonObject])
    } else kept.push([key, strip(inner, options, depth + 1)])
  }
  return Object.fromEntries(kept)
}

const isProse = (key: string, value: Json): boolean =>
  (key === 'description' && typeof value === 'string') ||
  key === 'externalDocs' ||
  key === 'x-examples' ||
  (key.startsWith('x-') && !MEANT.has(key))

const isExample = (key: string): boolean => key === 'example' || key === 'examples'

/** Whether the example of a body or of a schema may go: it is needed where nothing else says what a body has. */
const isSpare = ({ schema, type, properties }: JsonObject, keepsSome: boolean): boolean =>
  schema !== undefined || (!keepsSome && ((type !== undefined && type !== 'object') || properties !== undefined))
