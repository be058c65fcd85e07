import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { DESCRIBED } from './declared-collections.ts'
import { objectEntries } from './operation-draft.ts'
import { METHODS } from './operation-reader.ts'
import { objectsOf } from './schemas/schema-parts.ts'
import { readBasePaths } from './servers.ts'

/** A description joined with a library entry. */
export interface LaidOver {
  readonly document: JsonObject
  /** `GET /v1/tokens/{token}`: the entry's operations that the description lacks. */
  readonly unmet: readonly string[]
}

/** Sections of `components` that operations use. An entry that has security schemes keeps its own. */
const SECTIONS = ['schemas', 'parameters', 'responses', 'requestBodies', 'headers', 'examples', 'links', 'pathItems']

/**
 * Joins a library entry and its provider's own description (`decisions/library-entries.md`): the entry's operations, and all others of
 * the description, with its webhooks. A schema in both is the entry's, plus the properties that only the description
 * has. Neither document is changed. Pauses after each path and component. Throws an ApiError `invalid_spec` for a description in OpenAPI 2.0.
 */
export function* layingOver(entry: JsonObject, description: JsonObject): Generator<undefined, LaidOver> {
  if (description.swagger !== undefined)
    throw invalidSpec(
      'Failed to lay the library entry over the description: it is OpenAPI 2.0, whose parts have other places. Convert it to OpenAPI 3.',
    )
  const names = namesFor(entry, description)
  const hasKeys = entry.security !== undefined || Object.keys(sectionOf(entry, 'securitySchemes')).length > 0
  const ofEntry = objectEntries(entry.paths)
  const spellings = new Map(ofEntry.map(([path]) => [shapeOf(path), path]))
  const place = placing(entry, description, (path) => spellings.has(shapeOf(path)))
  const paths = new Map(ofEntry)
  const met = new Set<string>()
  const described: string[] = []
  for (const [written, raw] of objectEntries(description.paths)) {
    const path = place(written)
    const spelling = spellings.get(shapeOf(path)) ?? path
    const item = renamed(raw, names) as JsonObject
    const own = paths.get(spelling) ?? {}
    const added: JsonObject = {}
    for (const method of METHODS.filter((name) => isJsonObject(item[name]))) {
      const name = `${method.toUpperCase()} ${spelling}`
      if (isJsonObject(own[method])) met.add(name)
      else {
        const operation = item[method] as JsonObject
        const respelt = respell(operation, objectsOf(item.parameters), path, spelling)
        added[method] = hasKeys ? withSecurityOfEntry(respelt) : respelt
        described.push(name)
      }
    }
    if (Object.keys(added).length > 0) paths.set(spelling, { ...own, ...added })
    yield
  }
  const { webhooks = description['x-webhooks'] ?? {}, security = [] } = description
  const document: JsonObject = {
    ...(!hasKeys && { security }),
    ...entry,
    webhooks: { ...(renamed(webhooks, names) as JsonObject), ...((entry.webhooks ?? {}) as JsonObject) },
    servers: [...objectsOf(entry.servers), ...objectsOf(description.servers)],
    paths: Object.fromEntries(paths),
    components: yield* joiningComponents(
      entry,
      description,
      names,
      hasKeys ? SECTIONS : [...SECTIONS, 'securitySchemes'],
    ),
    [DESCRIBED]: described,
  }
  return { document, unmet: operationsOf(ofEntry).filter((operation) => !met.has(operation)) }
}

function operationsOf(paths: readonly [string, JsonObject][]): string[] {
  return paths.flatMap(([path, item]) =>
    METHODS.filter((method) => isJsonObject(item[method])).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

/** A path with anonymous parameters. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

/**
 * The entry's path for a path of the description, since their servers may have different base paths: `/v1/tasks` of
 * `https://a.example` is `/tasks` of `…/v1`.
 */
function placing(entry: JsonObject, description: JsonObject, isKnown: (path: string) => boolean) {
  const [base = ''] = readBasePaths(entry)
  const [other = ''] = readBasePaths(description)
  const moved = (path: string) => {
    const whole = other + path
    return whole.startsWith(`${base}/`) ? whole.slice(base.length) : whole
  }
  const written = objectEntries(description.paths).map(([path]) => path)
  const asWritten = written.filter(isKnown).length
  return written.map(moved).filter(isKnown).length > asWritten ? moved : (path: string) => path
}

/** An operation of the description with the entry's names of path parameters. */
function respell(operation: JsonObject, shared: readonly JsonObject[], path: string, spelling: string): JsonObject {
  const names = new Map(templatesOf(path).map((name, at) => [name, templatesOf(spelling)[at]]))
  const parameters = [...shared, ...objectsOf(operation.parameters)].map((parameter) => {
    const name = parameter.in === 'path' ? names.get(String(parameter.name)) : undefined
    return name === undefined ? parameter : { ...parameter, name }
  })
  return { ...operation, parameters }
}

function withSecurityOfEntry({ security, ...operation }: JsonObject): JsonObject {
  const isPublic =
    Array.isArray(security) && security.every((one) => isJsonObject(one) && Object.keys(one).length === 0)
  return { ...operation, ...(isPublic && { security: [] }) }
}

const templatesOf = (path: string): string[] => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)

/** New references for components of the description whose names the entry uses for others. */
function namesFor(entry: JsonObject, description: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const section of SECTIONS) {
    const own = sectionOf(entry, section)
    for (const [name, value] of Object.entries(sectionOf(description, section))) {
      if (!Object.hasOwn(own, name) || (section === 'schemas' && isRecord(own[name]) && isRecord(value))) continue
      names.set(`#/components/${section}/${name}`, `#/components/${section}/${name}-of-description`)
    }
  }
  return names
}

const isRecord = (schema: unknown): schema is JsonObject => isJsonObject(schema) && isJsonObject(schema.properties)

function sectionOf(document: JsonObject, section: string): JsonObject {
  const components = isJsonObject(document.components) ? document.components : {}
  const found = components[section]
  return isJsonObject(found) ? found : {}
}

function* joiningComponents(
  entry: JsonObject,
  description: JsonObject,
  names: ReadonlyMap<string, string>,
  sections: readonly string[],
): Generator<undefined, JsonObject> {
  const components: JsonObject = { ...(isJsonObject(entry.components) ? entry.components : {}) }
  for (const section of sections) {
    const joined = new Map(Object.entries(sectionOf(entry, section)))
    for (const [name, value] of Object.entries(sectionOf(description, section))) {
      const place = `#/components/${section}/${name}`
      const added = renamed(value, names)
      const own = joined.get(name)
      const newName = names.get(place)?.split('/').at(-1) ?? name
      joined.set(newName, newName === name && own !== undefined ? withProperties(own, added) : added)
      yield
    }
    if (joined.size > 0) components[section] = Object.fromEntries(joined)
  }
  return components
}

/** The schema of the entry, plus the properties that only the description has. */
function withProperties(own: Json, described: Json): Json {
  if (!isRecord(own) || !isRecord(described)) return own
  const properties = { ...(described.properties as JsonObject), ...(own.properties as JsonObject) }
  return {
    ...own,
    ...(own.required === undefined && described.required !== undefined && { required: described.required }),
    properties,
  }
}

/** A copy of a value with renamed references; the value itself without a renamed one. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? (names.get(inner) ?? inner) : renamed(inner, names),
    ]),
  )
}
