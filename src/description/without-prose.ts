import { invalidSpec } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, setOwn } from '../protocol/json.ts'

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
  if (Array.isArray(value)) return stripItems(value, options, depth)
  return isJsonObject(value) ? stripObject(value, options, depth) : value
}

/** The same list where nothing in it goes: most of a description stays as it is. */
function stripItems(items: Json[], options: Kept, depth: number): Json[] {
  let kept: Json[] | undefined
  for (const [at, item] of items.entries()) {
    const stripped = strip(item, options, depth + 1)
    if (stripped !== item) kept ??= items.slice()
    if (kept) kept[at] = stripped
  }
  return kept ?? items
}

function stripObject(object: JsonObject, options: Kept, depth: number): JsonObject {
  return changed(object, (key, inner) => {
    if (isProse(key, inner) || (isExample(key) && isSpare(object, options.examples))) return undefined
    if (DATA.has(key) || isExample(key)) return inner
    if (!MAPS.has(key) || !isJsonObject(inner)) return strip(inner, options, depth + 1)
    return changed(inner, (_, value) => strip(value, options, depth + 2))
  })
}

/** The same object where no value changes: most of a description stays as it is. */
function changed(object: JsonObject, change: (key: string, value: Json) => Json | undefined): JsonObject {
  let kept: JsonObject | undefined
  for (const key of Object.keys(object)) {
    const value = object[key] as Json
    const next = change(key, value)
    if (kept === undefined && next !== value) kept = before(object, key)
    if (kept !== undefined && next !== undefined) setOwn(kept, key, next)
  }
  return kept ?? object
}

/** What an object has before one of its keys. */
function before(object: JsonObject, key: string): JsonObject {
  const kept: JsonObject = {}
  for (const name of Object.keys(object)) {
    if (name === key) break
    setOwn(kept, name, object[name] as Json)
  }
  return kept
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
