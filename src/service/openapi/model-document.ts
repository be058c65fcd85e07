import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readPath } from '../../protocol/json.ts'
import { fromPointer } from '../../protocol/json-pointer.ts'
import type { SignIn } from '../../protocol/sign-in.ts'
import type { Schema } from '../../schema/schema.ts'
import { withFrameworkRefusals } from './framework-refusals.ts'
import { withOutcomes } from './inference/actions/status.ts'
import type {
  ApiModel,
  CollectionModel,
  DeclaredEvent,
  Effect,
  Operation,
  Reason,
  SecurityScheme,
  SingletonModel,
} from './model.ts'
import { textOf } from './operation-draft.ts'
import { documentationOf, findWritten, OperationParts, parsePath } from './operation-reader.ts'
import { LocalReferences } from './references.ts'
import { knowsNullable } from './schemas/component-schemas.ts'
import { plainRecordOf, SchemaReader } from './schemas/schema-reader.ts'
import { joinSignIn, withSignIn } from './sign-in.ts'

/** The version of the format: readers refuse others. */
export const MODEL_FORMAT = 1

/**
 * The place of a schema: in the description (`#/components/schemas/Task`), among the schemas of the model itself
 * (`model#/schemas/1`), or in the body or answer of an operation (`operation#/POST ~1pets/body/application~1json`), if
 * that was generated from a form or an example. Values of merged places fit all of them.
 */
export type SchemaPlace =
  /** `name`: the component's name, where the place does not end in it; null for none. */
  { readonly $ref: string; readonly name?: string | null } | { readonly allOf: readonly [SchemaPlace, SchemaPlace] }

/** A part of the model in JSON: a schema is its place, a map an object, and undefined fields are absent. */
export type Written<Part> = Part extends Schema
  ? SchemaPlace
  : Part extends ReadonlyMap<string, infer Value>
    ? Readonly<Record<string, Written<Value>>>
    : Part extends (...args: never) => unknown
      ? never
      : Part extends Json
        ? Part
        : Part extends object
          ? { readonly [Name in keyof Part]: Written<Part[Name]> }
          : Part

/** An {@link ApiModel} in JSON, without what its description says: parameters, bodies, responses. See `docs/model.md`. */
export interface ModelDocument {
  readonly format: typeof MODEL_FORMAT
  readonly title: string
  readonly version: string
  readonly basePath: string
  readonly basePaths: readonly string[]
  readonly security: Operation['security']
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly collections: Readonly<Record<string, Omit<Written<CollectionModel>, 'name'>>>
  readonly singletons: Readonly<Record<string, Omit<Written<SingletonModel>, 'name'>>>
  /** By method and path: `GET /tasks/{id}`. */
  readonly operations: Readonly<Record<string, OperationDocument>>
  readonly declaredEvents: readonly EventDocument[]
  readonly signIn?: SignIn
  /** Schemas that the description does not have. */
  readonly schemas: Readonly<Record<string, GeneratedSchema>>
  /** Bounds of reading schemas. */
  readonly bounds: { readonly mostProperties: number; readonly mostWays: number; readonly unmatched: readonly string[] }
  readonly values: number
  readonly warnings: readonly string[]
  readonly cuts: readonly string[]
  readonly faults: readonly string[]
}

/** An operation's effect. */
export interface OperationDocument {
  /** @default its key */
  readonly id?: string
  readonly effect: Written<Effect>
  readonly moved?: NonNullable<Operation['moved']>
  readonly reason: Reason
  readonly security?: Operation['security']
  readonly scopes?: NonNullable<Operation['scopes']>
}

type EventDocument = Omit<DeclaredEvent, 'body'> & {
  readonly body?: { readonly schema: SchemaPlace; readonly places: NonNullable<DeclaredEvent['body']>['places'] }
}

/** A schema that the description does not have; `{ $at }` in it is the place of a part that is elsewhere. */
export interface GeneratedSchema {
  readonly schema: JsonObject
  readonly name?: string
  /** How many alternatives were combined for it. */
  readonly ways: number
}

/**
 * The model of a description from its document. Nothing is inferred, and schemas, parameters and effects are read at first use. The
 * document is trusted: the build has checked it.
 */
export function fromModelDocument(document: ModelDocument, given: JsonObject): ApiModel {
  const { signIn } = document
  const description = withSignIn(withFrameworkRefusals(given), signIn)
  const { bounds, collections, singletons, operations, securitySchemes, declaredEvents } = document
  const reader = new SchemaReader(new LocalReferences(description), {
    ...bounds,
    knowsNullable: knowsNullable(description),
    unmatched: new Set(bounds.unmatched),
  })
  const parts = new PartReader(document, reader, (key) => read.get(key))
  const written = Object.entries(operations)
  const source = { document, reader, parts, written: new OperationParts(reader, written.length) }
  const read = new Map(written.map(([key, operation]) => [key, new WrittenOperation(source, key, operation)]))
  const model = {
    title: document.title,
    version: document.version,
    basePath: document.basePath,
    basePaths: document.basePaths,
    operations: [...read.values()],
    collections: Object.entries(collections).map(([name, written]) => ({
      ...parts.read<CollectionModel>({ ...written, name }),
      vocabulary: new Map(Object.entries(written.vocabulary)),
      ...(written.initial && { initial: written.initial as JsonObject }),
    })),
    singletons: Object.entries(singletons).map(([name, written]) => parts.read<SingletonModel>({ ...written, name })),
    plainRecord: plainRecordOf(reader),
    reader,
    declaredEvents: declaredEvents.map(({ body, ...event }) => ({
      ...event,
      body: body && { schema: parts.schemaAt(body.schema), places: body.places },
    })),
    securitySchemes: new Map(Object.entries(securitySchemes)),
    warnings: document.warnings,
    cuts: document.cuts,
    faults: document.faults,
    values: document.values,
  }
  return joinSignIn(description, signIn, model, reader)
}

/** Fields of the model that hold schemas. */
const SCHEMA_FIELDS = new Set(['schema', 'listSchema', 'shownSchema', 'valueSchema'])

/** Reads parts of a model; their schemas when they are first used. */
class PartReader {
  readonly #reader: SchemaReader
  readonly #generated: ModelDocument['schemas']
  readonly #restored = new Map<string, JsonObject>()

  readonly #find: (key: string) => Operation | undefined

  constructor({ schemas }: ModelDocument, reader: SchemaReader, find: (key: string) => Operation | undefined) {
    this.#generated = schemas
    this.#reader = reader
    this.#find = find
  }

  /** The document was checked, or is our own. */
  read<Part>(written: Written<Part>): Part {
    return this.#restore(written) as Part
  }

  schemaAt(place: SchemaPlace): Schema {
    if ('allOf' in place) return this.#reader.merge(this.schemaAt(place.allOf[0]), this.schemaAt(place.allOf[1]))
    const { $ref, name } = place
    const [, origin = '', pointer = ''] = /^([a-z]*)#(.*)$/s.exec($ref) ?? []
    const path = fromPointer(pointer)
    const [number = ''] = origin === 'model' ? path.slice(1) : []
    if (path.length === 2 && number !== '') {
      const generated = this.#generated[number]
      return this.#reader.keep(this.#rawAt($ref), generated?.name, generated?.ways)
    }
    const whole = origin === 'operation' && path.length === 3 ? this.#bodyAt(path) : undefined
    return whole ?? this.#read(this.#rawAt($ref), name === undefined && origin === '' ? nameOf(path) : name)
  }

  #restore(written: unknown): unknown {
    if (Array.isArray(written)) return written.some(isObject) ? written.map((item) => this.#restore(item)) : written
    if (!isObject(written)) return written
    const part: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(written)) {
      if (SCHEMA_FIELDS.has(name)) this.#defineSchema(part, name, inner as SchemaPlace)
      else part[name] = this.#restore(inner)
    }
    return part
  }

  #defineSchema(part: object, name: string, place: SchemaPlace): void {
    const get = (): Schema => {
      const value = this.schemaAt(place)
      Object.defineProperty(part, name, { value })
      return value
    }
    Object.defineProperty(part, name, { get, enumerable: true, configurable: true })
  }

  /** The schema of an operation's body or answer. */
  #bodyAt([key = '', status = '', type = '']: readonly string[]): Schema | undefined {
    const operation = this.#find(key)
    const answer = operation?.responses.get(status)?.content.get(type)?.schema
    return status === 'body' ? operation?.requestBody?.content.get(type) : answer
  }

  /** A schema as written, at its place. */
  #rawAt(place: string): JsonObject {
    const raw = this.#valueAt(place)
    if (!isJsonObject(raw)) throw missingPlace(place)
    return raw
  }

  #valueAt(place: string): Json | undefined {
    const [, origin, pointer = ''] = /^([a-z]*)#(.*)$/s.exec(place) ?? []
    const path = fromPointer(pointer)
    if (origin === '') return readPath(this.#reader.references.document, path)
    if (origin === 'operation') return readPath(this.#bodyAt(path)?.raw, path.slice(3))
    const [, number = '', ...inner] = path
    const generated = Object.hasOwn(this.#generated, number) ? this.#generated[number] : undefined
    if (generated === undefined) return undefined
    const raw = this.#restored.get(number) ?? (this.#withParts(generated.schema) as JsonObject)
    this.#restored.set(number, raw)
    return readPath(raw, inner)
  }

  /** A generated schema with its parts that are elsewhere: `{ $at: '#/components/schemas/Task' }`. */
  #withParts(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#withParts(item))
    if (!isJsonObject(value)) return value
    if (typeof value.$at === 'string' && Object.keys(value).length === 1) {
      const found = this.#valueAt(value.$at)
      if (found === undefined) throw missingPlace(value.$at)
      return found
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#withParts(inner)]))
  }

  #read(raw: JsonObject, name: string | null | undefined): Schema {
    const schema = typeof raw.$ref === 'string' && this.#reader.knowsNullable ? this.#reader.read(raw) : undefined
    return schema ?? this.#reader.keep(raw, name ?? undefined)
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The name of a component by its place; undefined for other schemas. */
export function nameOf(path: readonly string[]): string | undefined {
  const [kind, name] = path.slice(-2)
  return kind === 'schemas' || kind === 'definitions' || kind === '$defs' ? name : undefined
}

const missingPlace = (place: string): Error =>
  invalidSpec(
    `Failed to read the model: it refers to \`${place.slice(0, 200)}\`, where there is no schema. Write it again from this description: \`backlot inspect --json\`.`,
  )

/** What the operations of a model share. */
interface OperationSource {
  readonly document: ModelDocument
  readonly reader: SchemaReader
  readonly parts: PartReader
  readonly written: OperationParts
}

/** An operation whose parts are read from the description at first use. */
class WrittenOperation implements Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly segments: Operation['segments']
  readonly security: Operation['security']
  readonly reason: Reason
  readonly moved?: NonNullable<Operation['moved']>
  readonly scopes?: NonNullable<Operation['scopes']>
  readonly #source: OperationSource
  readonly #effect: OperationDocument['effect']
  #readEffect: Effect | undefined
  #readWritten: ReturnType<typeof findWritten>
  #parameters: Operation['parameters'] | undefined
  #success: Operation['success'] | undefined
  #body: { readonly read: Operation['requestBody'] } | undefined

  constructor(source: OperationSource, key: string, written: OperationDocument) {
    const { id = key, reason, security, scopes, effect, moved } = written
    const space = key.indexOf(' ')
    this.#source = source
    this.#effect = effect
    this.id = id
    this.method = key.slice(0, space)
    this.path = key.slice(space + 1).replace(/ #\d+$/, '')
    this.segments = parsePath(this.path)
    this.security = security ?? source.document.security
    this.reason = reason
    if (moved !== undefined) this.moved = moved
    if (scopes !== undefined) this.scopes = scopes
  }

  get summary(): string | undefined {
    return textOf(this.#written.raw.summary)
  }

  get documentation(): string | undefined {
    return documentationOf(this.#written.raw)
  }

  get parameters(): Operation['parameters'] {
    this.#parameters ??= this.#source.written.completeOf(this.#rawParameters, this.segments)
    return this.#parameters
  }

  get requestBody(): Operation['requestBody'] {
    this.#body ??= { read: this.#source.written.bodyOf(this.#written.raw, this.#rawParameters) }
    return this.#body.read
  }

  get responses(): Operation['responses'] {
    return this.#source.written.responsesOf(this.#written.raw)
  }

  get success(): Operation['success'] {
    this.#success ??= this.#source.written.successOf(this.method, this.responses)
    return this.#success
  }

  get effect(): Effect {
    this.#readEffect ??= this.#effectOf(this.#effect)
    return this.#readEffect
  }

  get #written() {
    this.#readWritten ??= findWritten(this.#source.reader.references, this.method, this.path)
    if (this.#readWritten !== undefined) return this.#readWritten
    throw invalidSpec(
      `Failed to read the model: its operation \`${this.method} ${this.path.slice(0, 200)}\` is not in the description. Write it again from this description: \`backlot inspect --json\`.`,
    )
  }

  get #rawParameters(): readonly JsonObject[] {
    const { shared, raw, pointer } = this.#written
    return this.#source.written.parametersOf(shared, raw, pointer)
  }

  #effectOf(written: OperationDocument['effect']): Effect {
    const { parts, document } = this.#source
    const effect = parts.read<Effect>(written)
    if (effect.kind !== 'action' || effect.verbInBody === undefined) return effect
    const schema = document.collections[effect.collection]?.schema
    return { ...effect, verbInBody: withOutcomes(effect.verbInBody, schema && parts.schemaAt(schema)) }
  }
}
