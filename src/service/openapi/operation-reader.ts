import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { type Dialect, dialectOf } from './dialects.ts'
import type { Parameter, PathSegment, ResponseModel } from './model.ts'
import { type OperationDraft, objectEntries, textOf } from './operation-draft.ts'
import { toPointer } from './references.ts'
import { objectsOf } from './schema-parts.ts'
import type { SchemaReader } from './schema-reader.ts'
import { SecurityReader } from './security.ts'

/** Bounds far above those of real descriptions. */
const MAX_OPERATIONS = 20_000
const MAX_PATH = 2_000
const MAX_SEGMENTS = 60

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/** The operations of a description, with a warning for each that was skipped. */
interface OperationsRead {
  readonly drafts: readonly OperationDraft[]
  readonly security: SecurityReader
  readonly warnings: readonly string[]
}

/** An operation as written, with what its path says for all of its operations. */
interface Written {
  readonly path: string
  readonly method: string
  readonly item: JsonObject
  readonly raw: JsonObject
  readonly pointer: string
}

/** Reads every operation. One that cannot be read is left out, with a warning that has its place. */
export function readOperations(document: JsonObject, reader: SchemaReader): OperationsRead {
  const warnings: string[] = []
  const written = collectWritten(document, reader, warnings)
  const security = new SecurityReader(
    document,
    reader.references,
    written.map((operation) => operation.raw),
  )
  const dialect = dialectOf(document, reader)
  const ids = new Set<string>()
  const routes = new Set<string>()
  const drafts: OperationDraft[] = []
  for (const operation of written) {
    const draft = readOperation(operation, dialect, reader, security, ids)
    const route = `${draft.method} ${draft.segments.map((segment) => (segment.kind === 'static' ? segment.text : '{}')).join('/')}`
    if (routes.has(route)) warnings.push(`${operation.pointer} has the method and path of an operation before it.`)
    routes.add(route)
    ids.add(draft.id)
    drafts.push(draft)
  }
  return { drafts, security, warnings }
}

function collectWritten(document: JsonObject, reader: SchemaReader, warnings: string[]): Written[] {
  const written: Written[] = []
  for (const [path, entry] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    if (path.startsWith('x-')) continue
    const place = toPointer(['paths', path.slice(0, 200)])
    if (path.length > MAX_PATH || path.split('/').length > MAX_SEGMENTS) {
      warnings.push(`${place} was skipped: a path may have ${MAX_PATH} characters and ${MAX_SEGMENTS} segments.`)
      continue
    }
    if (!isJsonObject(entry)) {
      warnings.push(`${place} was skipped: it is not an object.`)
      continue
    }
    const item = { ...reader.references.resolve(entry).value, ...entry }
    const methods = [...METHODS.map((key) => [key, item[key], key] as const), ...additionalMethods(item)]
    for (const [method, raw, key] of methods) {
      if (raw === undefined) continue
      const pointer = `${place}${toPointer(key.split('/'))}`
      if (isJsonObject(raw)) written.push({ path, method: method.toUpperCase(), item, raw, pointer })
      else warnings.push(`${pointer} was skipped: it is not an object.`)
    }
    if (written.length > MAX_OPERATIONS) {
      throw invalidSpec(
        `Failed to read the description: it has more than ${MAX_OPERATIONS} operations. Split it, or leave out what the tests do not call.`,
      )
    }
  }
  return written
}

/** Operations under `additionalOperations` (OpenAPI 3.2), for methods without a key. */
function additionalMethods(item: JsonObject) {
  const additional = isJsonObject(item.additionalOperations) ? item.additionalOperations : {}
  return Object.entries(additional).map(([method, raw]) => [method, raw, `additionalOperations/${method}`] as const)
}

function readOperation(
  { path, method, item, raw, pointer }: Written,
  dialect: Dialect,
  reader: SchemaReader,
  security: SecurityReader,
  ids: ReadonlySet<string>,
): OperationDraft {
  const segments = parsePath(path)
  const written = mergeParameters(item, raw, reader)
  const responses = new Map<string, ResponseModel>()
  for (const [status, response] of objectEntries(raw.responses)) {
    if (status.startsWith('x-')) continue
    responses.set(status, dialect.response(raw, status, reader.references.resolve(response).value))
  }
  const ownId = textOf(raw.operationId)
  const named = ownId !== undefined && ownId !== '' && !ids.has(ownId)
  return {
    id: named ? ownId : `${method} ${path}`,
    named,
    pointer,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    segments,
    summary: textOf(raw.summary),
    tags: (Array.isArray(raw.tags) ? raw.tags : []).filter((tag) => typeof tag === 'string'),
    parameters: completePathParameters(written.filter(isOrdinary).map(dialect.parameter), paramsOf(segments)),
    requestBody: dialect.body(raw, written),
    responses,
    success: successOf(responses),
    security: security.alternativesOf(raw),
  }
}

/** The answer to a request that succeeds: the first 2xx with a schema, else the first 2xx, else `default`, else any 3xx. */
function successOf(responses: ReadonlyMap<string, ResponseModel>): ResponseModel {
  const good = [...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response)
  const described = good.find((response) => [...response.content.values()].some((media) => media.schema))
  const redirect = [...responses].find(([status]) => status.startsWith('3'))?.[1]
  return described ?? good[0] ?? responses.get('default') ?? redirect ?? NOTHING_DECLARED
}

const NOTHING_DECLARED: ResponseModel = { status: 200, content: new Map(), headers: new Map() }

/** Parameters of the path and of the operation; of two with the same name and place the operation's counts. */
function mergeParameters(item: JsonObject, operation: JsonObject, reader: SchemaReader): JsonObject[] {
  const merged = new Map<string, JsonObject>()
  for (const written of [...objectsOf(item.parameters), ...objectsOf(operation.parameters)]) {
    const raw = reader.references.resolve(written).value
    if (typeof raw.name === 'string') merged.set(`${raw.in} ${raw.name}`, raw)
  }
  return [...merged.values()]
}

function isOrdinary(raw: JsonObject): boolean {
  return PLACES.has(String(raw.in))
}

/** An undeclared path parameter is a text; a declared one that the path does not have is dropped. */
function completePathParameters(parameters: readonly Parameter[], names: readonly string[]): Parameter[] {
  const declared = parameters.filter(({ in: place, name }) => place !== 'path' || names.includes(name))
  const missing = names.filter(
    (name) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name),
  )
  return [
    ...declared,
    ...missing.map(
      (name): Parameter => ({ name, in: 'path', required: true, schema: undefined, style: 'simple', explode: false }),
    ),
  ]
}

/**
 * The segments of a path template, without a query or hash that was written into the path, and without a trailing slash.
 */
function parsePath(path: string): PathSegment[] {
  const [plain = ''] = path.split(/[?#]/, 1)
  return plain
    .split('/')
    .filter((text) => text !== '')
    .map(parseSegment)
}

function parseSegment(text: string): PathSegment {
  const pieces = text.split(/\{([^{}]*)\}/)
  const names = pieces.filter((_, at) => at % 2 === 1)
  const literals = pieces.filter((_, at) => at % 2 === 0)
  const [name, ...more] = names
  if (name === undefined) return { kind: 'static', text }
  if (more.length > 0) return { kind: 'mixed', names, literals }
  return { kind: 'param', name, prefix: literals[0] ?? '', suffix: literals[1] ?? '' }
}

/** Names of the parameters of a path, in their order. */
function paramsOf(segments: readonly PathSegment[]): string[] {
  return segments.flatMap((segment) => {
    if (segment.kind === 'static') return []
    return segment.kind === 'param' ? [segment.name] : [...segment.names]
  })
}
