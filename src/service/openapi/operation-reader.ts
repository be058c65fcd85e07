import { accountStepOf } from '../../names/account-step.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'
import { MODEL_EXTENSION } from '../../protocol/model-extension.ts'
import { SIGN_IN_EXTENSION, SIGN_IN_STEPS, type SignInStep } from '../../protocol/sign-in.ts'
import type { Parameter, PathSegment, ResponseModel } from './model.ts'
import { onePer } from './one-per.ts'
import { type OperationDraft, objectEntries, textOf } from './operation-draft.ts'
import { type PartReader, partReaderOf } from './part-reader.ts'
import type { LocalReferences } from './references.ts'
import { writeOutResources } from './resource-paths.ts'
import { objectsOf } from './schemas/schema-parts.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'
import { SecurityReader } from './security.ts'

/** Bounds far above those of real descriptions. */
const MAX_OPERATIONS = 15_000
const MAX_PATH = 2_000
const MAX_SEGMENTS = 60
const MAX_PARAMETERS = 500
/** Most parameters of all operations together: with thousands of operations, fewer are read of each. */
const MAX_ALL_PARAMETERS = 500_000
/** A longer `operationId` is ignored: it would be in every log entry. */
const MAX_ID = 500
/** Most callbacks that a warning names. */
const MAX_CALLBACKS = 20

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/** The operations of a description, with a warning for each skipped one. */
interface OperationsRead {
  readonly drafts: readonly OperationDraft[]
  readonly security: SecurityReader
  readonly warnings: readonly string[]
}

/** An operation as written, with its path's common parameters. */
interface Written {
  readonly path: string
  readonly method: string
  readonly shared: unknown
  readonly raw: JsonObject
  readonly pointer: string
}

/** Reads every operation, with a pause after each. An unreadable one is skipped, with a warning about its place. */
export function* readOperations(document: JsonObject, reader: SchemaReader): Generator<undefined, OperationsRead> {
  const warnings: string[] = []
  const written = yield* collectWritten(document, reader, warnings)
  const security = new SecurityReader(
    document,
    reader.references,
    written.map((operation) => operation.raw),
  )
  const parts = new OperationParts(reader, written.length)
  const ids = new Set<string>()
  const routes = new Set<string>()
  const drafts: OperationDraft[] = []
  for (const operation of written) {
    const draft = readOperation(operation, parts, security, ids)
    const route = `${draft.method} ${draft.segments.map(shapeOf).join('/')}`
    if (routes.has(route)) warnings.push(`${operation.pointer} has the method and path of an operation before it.`)
    routes.add(route)
    ids.add(draft.id)
    drafts.push(draft)
    yield
  }
  return { drafts, security, warnings: [...warnings, ...parts.warnings, ...unsentCallbacks(written)] }
}

/** A segment without names: `{id}:cancel` is `{}:cancel`. */
function shapeOf(segment: PathSegment): string {
  if (segment.kind === 'static') return segment.text
  return segment.kind === 'param' ? `${segment.prefix}{}${segment.suffix}` : segment.literals.join('{}')
}

/** Their addresses are in requests, and only registered webhooks are sent. */
function unsentCallbacks(written: readonly Written[]): string[] {
  const names = written.flatMap(({ raw, method, path }) =>
    isJsonObject(raw.callbacks) ? Object.keys(raw.callbacks).map((name) => `\`${name}\` of ${method} ${path}`) : [],
  )
  if (names.length === 0) return []
  const more = names.length > MAX_CALLBACKS ? ` and ${names.length - MAX_CALLBACKS} more` : ''
  return [
    `Callbacks are not sent (${names.slice(0, MAX_CALLBACKS).join(', ')}${more}): post to the address in the test, or forward webhooks to it with \`webhooks.forwardTo\`.`,
  ]
}

function* collectWritten(
  document: JsonObject,
  reader: SchemaReader,
  warnings: string[],
): Generator<undefined, Written[]> {
  const written: Written[] = []
  let found = 0
  const paths = isJsonObject(document.paths) ? document.paths : {}
  for (const path of Object.keys(paths)) {
    yield
    const entry = paths[path]
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
    const target = reader.references.resolve(entry).value
    const inItem = (key: string) => entry[key] ?? target[key]
    const methods = [
      ...METHODS.map((key) => [key, inItem(key), key] as const),
      ...additionalMethods(inItem('additionalOperations')),
    ]
    for (const [method, raw, key] of methods) {
      if (raw === undefined) continue
      if (++found > MAX_OPERATIONS) throw tooMany()
      const pointer = `${place}${toPointer(key.split('/'))}`
      const shared = inItem('parameters')
      if (isJsonObject(raw)) written.push(withResources({ path, method: method.toUpperCase(), shared, raw, pointer }))
      else warnings.push(`${pointer} was skipped: it is not an object.`)
    }
  }
  return written
}

/** An operation whose path has the parts of its resource names. */
function withResources(written: Written): Written {
  const { path, shared, raw } = written
  const resources = path.includes('{') ? writeOutResources(path, objectsOf([raw.parameters, shared].flat())) : undefined
  if (resources === undefined) return written
  return { ...written, path: resources.path, shared: undefined, raw: { ...raw, parameters: [...resources.parameters] } }
}

function tooMany(): Error {
  return invalidSpec(
    `Failed to read the description: it has more than ${MAX_OPERATIONS} operations. Split it, or leave out what the tests do not call.`,
  )
}

/** Operations under `additionalOperations` (OpenAPI 3.2), for methods without a key. */
function additionalMethods(written: unknown) {
  const additional = isJsonObject(written) ? written : {}
  return Object.entries(additional).map(([method, raw]) => [method, raw, `additionalOperations/${method}`] as const)
}

function readOperation(
  { path, method, shared, raw, pointer }: Written,
  parts: OperationParts,
  security: SecurityReader,
  ids: ReadonlySet<string>,
): OperationDraft {
  const segments = parsePath(path)
  const responses = parts.responsesOf(raw)
  const written = parts.parametersOf(shared, raw, pointer)
  const ownId = textOf(raw.operationId)
  const requestBody = parts.bodyOf(raw, written)
  const isLogin = accountStepOf({ method, path, requestBody }) !== undefined
  const named = ownId !== undefined && ownId !== '' && ownId.length <= MAX_ID && !ids.has(ownId)
  return {
    id: named ? ownId : `${method} ${path}`,
    named,
    pointer,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    segments,
    summary: textOf(raw.summary),
    documentation: documentationOf(raw),
    description: textOf(raw.description),
    oldestFirst: method === 'GET' && saysOldestFirst([raw, ...written.filter(ordersList)]),
    parameters: parts.completeOf(written, segments),
    requestBody,
    responses,
    success: parts.successOf(method, responses),
    ...security.of(raw, path, isLogin),
    ...(isStep(raw[SIGN_IN_EXTENSION]) && { step: raw[SIGN_IN_EXTENSION] }),
    ...(raw[MODEL_EXTENSION] !== undefined && { line: raw[MODEL_EXTENSION] }),
  }
}

export const documentationOf = ({ externalDocs }: JsonObject): string | undefined =>
  isJsonObject(externalDocs) ? textOf(externalDocs.url) : undefined

const isStep = (value: unknown): value is SignInStep => SIGN_IN_STEPS.some((step) => step === value)

const ordersList = ({ name }: JsonObject): boolean => /sort|order/i.test(String(name))

/** Whether words say that the oldest record comes first, and no others that the newest does. */
function saysOldestFirst(written: readonly JsonObject[]): boolean {
  const text = written.map(({ summary, description }) => `${textOf(summary) ?? ''} ${textOf(description) ?? ''}`).join()
  return (
    /\boldest[ -](first|to newest)/i.test(text) &&
    !/\b(newest|(most|latest) recent|latest)[ -](first|to oldest)/i.test(text)
  )
}

/** An operation as written, by its method and path in the model; undefined without one. */
export function findWritten(references: LocalReferences, method: string, path: string): Written | undefined {
  const { document } = references
  const paths = isJsonObject(document.paths) ? document.paths : {}
  for (const name of [path, path.slice(1)]) {
    const entry = Object.hasOwn(paths, name) ? paths[name] : undefined
    if (!isJsonObject(entry)) continue
    const target = references.resolve(entry).value
    const inItem = (key: string) => entry[key] ?? target[key]
    const more = inItem('additionalOperations')
    const raw = inItem(method.toLowerCase()) ?? (isJsonObject(more) ? more[method] : undefined)
    if (isJsonObject(raw))
      return { path, method, shared: inItem('parameters'), raw, pointer: toPointer(['paths', name]) }
  }
  for (const [name, entry] of objectEntries(paths)) {
    const raw = entry[method.toLowerCase()]
    if (!isJsonObject(raw)) continue
    const pointer = toPointer(['paths', name])
    const written = withResources({ path: name, method, shared: entry.parameters, raw, pointer })
    if (written.path === path) return written
  }
  return undefined
}

/** Reads the parts of operations: each once, however many operations share it. */
export class OperationParts {
  readonly warnings: string[] = []
  readonly responsesOf: PartReader['responses']
  readonly bodyOf: PartReader['body']
  readonly #successOf = onePer(successOf)
  readonly #successOfPost = onePer(successOfPost)
  /** The parameters that are not the body. */
  readonly #ordinaryOf: (parameters: readonly JsonObject[]) => readonly Parameter[]
  readonly #merged: (shared: unknown) => (own: unknown) => readonly JsonObject[]
  /** Most parameters read of each operation. */
  readonly #most: number

  constructor(reader: SchemaReader, operations: number) {
    const parts = partReaderOf(reader.references.document, reader)
    this.#most = Math.min(MAX_PARAMETERS, Math.floor(MAX_ALL_PARAMETERS / Math.max(operations, 1)))
    this.responsesOf = parts.responses
    this.bodyOf = parts.body
    this.#ordinaryOf = onePer((parameters) => parameters.filter(isOrdinary).map(parts.parameter))
    this.#merged = onePer((shared) => onePer((own) => mergeParameters([shared, own], reader, this.#most)))
  }

  successOf(method: string, responses: ReadonlyMap<string, ResponseModel>): ResponseModel {
    return method === 'POST' ? this.#successOfPost(responses) : this.#successOf(responses)
  }

  /** The parameters that are not the body, with those of the path that are not declared. */
  completeOf(written: readonly JsonObject[], segments: readonly PathSegment[]): readonly Parameter[] {
    return completePathParameters(this.#ordinaryOf(written), paramsOf(segments))
  }

  /** Parameters of the path and of the operation, as written. */
  parametersOf(shared: unknown, operation: JsonObject, pointer: string): readonly JsonObject[] {
    const all = this.#merged(shared)(operation.parameters)
    if (all.length === this.#most) {
      this.warnings.push(`${pointer} has ${this.#most} parameters or more; the first ${this.#most} are read.`)
    }
    return all
  }
}

/** The response to a successful request: the first 2xx with a schema, else the first 2xx, else a redirect, else `default`. */
function successOf(responses: ReadonlyMap<string, ResponseModel>): ResponseModel {
  const good = [...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response)
  const described = good.find((response) => [...response.content.values()].some((media) => media.schema))
  const redirect = [...responses].find(([status]) => status.startsWith('3') && status !== '304')?.[1]
  return described ?? good[0] ?? redirect ?? responses.get('default') ?? NOTHING_DECLARED
}

/** {@link successOf}, which is 201 if that and 200 have a schema: a creation answers 201 (RFC 9110, section 9.3.3). */
function successOfPost(responses: ReadonlyMap<string, ResponseModel>): ResponseModel {
  const made = responses.get('201')
  return [...(made?.content.values() ?? [])].some(({ schema }) => schema) && made ? made : successOf(responses)
}

const NOTHING_DECLARED: ResponseModel = { status: 200, content: new Map(), headers: new Map() }

/** The parameters of all lists; of two with the same name and place, the later one applies. */
function mergeParameters(lists: readonly unknown[], reader: SchemaReader, most: number): readonly JsonObject[] {
  const merged = new Map<string, JsonObject>()
  for (const written of lists.flatMap(objectsOf)) {
    const raw = reader.references.resolve(written).value
    if (typeof raw.name === 'string') merged.set(`${raw.in} ${raw.name}`, raw)
  }
  return [...merged.values()].slice(0, most)
}

function isOrdinary(raw: JsonObject): boolean {
  return PLACES.has(String(raw.in))
}

/** An undeclared path parameter is a text; a declared one that is not in the path is dropped. */
function completePathParameters(parameters: readonly Parameter[], names: readonly string[]): readonly Parameter[] {
  const open = new Set(names)
  const declared = parameters.filter(({ in: place, name }) => place !== 'path' || open.has(name))
  for (const { in: place, name } of declared) if (place === 'path') open.delete(name)
  if (open.size === 0 && declared.length === parameters.length) return parameters
  const missing = [...open].map(
    (name): Parameter => ({ name, in: 'path', required: true, schema: undefined, style: 'simple', explode: false }),
  )
  return [...declared, ...missing]
}

/** The segments of a path template, without a query, a hash or a trailing slash. */
export function parsePath(path: string): PathSegment[] {
  const [plain = ''] = path.split(/[?#]/, 1)
  const inner = plain.replace(/^\/|\/$/g, '')
  return inner === '' ? [] : inner.split('/').map(parseSegment)
}

function parseSegment(text: string): PathSegment {
  if (!/^:|\{/.test(text)) return { kind: 'static', text }
  // `/users/:id`, as routers of Express and Hono write it.
  const pieces = text.replace(/^:(\w+)\??$/, '{$1}').split(/\{([^{}]*)\}/)
  const names = pieces.filter((_, at) => at % 2 === 1)
  const literals = pieces.filter((_, at) => at % 2 === 0)
  const [name, ...more] = names
  if (name === undefined) return { kind: 'static', text }
  if (more.length > 0) return { kind: 'mixed', names, literals }
  return { kind: 'param', name, prefix: literals[0] ?? '', suffix: literals[1] ?? '' }
}

/** Names of the parameters of a path, in their order. */
export function paramsOf(segments: readonly PathSegment[]): string[] {
  return segments.flatMap((segment) => {
    if (segment.kind === 'static') return []
    return segment.kind === 'param' ? [segment.name] : [...segment.names]
  })
}
