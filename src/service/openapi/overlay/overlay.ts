import { findField } from '../../../names/find-field.ts'
import { didYouMean } from '../../../names/nearest-name.ts'
import { singularName } from '../../../names/nouns.ts'
import { type EntryFault, explainFaults } from '../../../protocol/entry-fault.ts'
import { invalidSpec } from '../../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MODEL_EXTENSION } from '../../../protocol/model-extension.ts'
import {
  type CollectionLine,
  collectionLine,
  type ModelFile,
  modelFile,
  type OperationLine,
  operationLine,
} from '../../../protocol/model-file.ts'
import { parseRequest } from '../../../protocol/parse-request.ts'
import { fitsPath, toPathPattern } from '../../../protocol/path-pattern.ts'
import { fieldsOf, schemaOfBody } from '../inference/bodies/bodies.ts'
import type { CollectionDraft } from '../inference/collections/collection-draft.ts'
import type { Overlay } from '../inference/infer-model.ts'
import { keyOfSteps, shapeOf } from '../inference/paths/path-shape.ts'
import type { Placed } from '../inference/paths/sites.ts'
import { EXAMPLE, type Survey } from '../inference/rules/rule.ts'
import type { EffectFinder } from '../inference/rules/rules.ts'
import type { ApiModel, CollectionModel, Effect, MovedParameter, Operation, Parameter } from '../model.ts'
import { type OperationDraft, objectEntries, toOperation } from '../operation-draft.ts'
import { METHODS, paramsOf, parsePath } from '../operation-reader.ts'
import { schemaBelow } from '../schemas/schema-fields.ts'
import { type AddFault, checkField, checkValue, effectOfLine, explainNoCollection } from './line-effects.ts'

/** What a line decides of an operation. */
interface Decided {
  /** The operation as described. */
  readonly draft: OperationDraft
  readonly moved: Readonly<Record<string, MovedParameter>>
  /** Undefined where only the paths of its collection are declared. */
  readonly line: OperationLine | undefined
  readonly place: EntryFault['path']
}

type Inferred = Pick<ApiModel, 'operations' | 'collections' | 'singletons'>

const DECLARED = { rule: 'model.yaml', confidence: 'declared' } as const

/** The key of the site of a path; nothing without a path. */
const siteOf = (path: string | undefined): string[] =>
  path === undefined ? [] : [keyOfSteps(shapeOf(parsePath(path)).steps)]

/**
 * `model.yaml` and the `x-backlot` of a description, which take precedence over inference. All faults are collected, and thrown by
 * `finish` at once.
 */
export class ModelOverlay implements Overlay {
  /** The operations for inference: those with `as` are as though they were described there. */
  readonly drafts: readonly OperationDraft[]
  readonly ownSites: ReadonlySet<string>
  readonly #file: ModelFile
  readonly #faults: EntryFault[] = []
  readonly #decided = new Map<OperationDraft, Decided>()
  readonly #named = new Map<string, CollectionDraft>()
  /** Lines at schemas, by component, and all lines about collections. */
  readonly #ofSchemas: ReadonlyMap<string, CollectionLine>
  readonly #collections = new Map<string, CollectionLine>()

  private constructor(
    file: ModelFile,
    schemas: ReadonlyMap<string, CollectionLine>,
    described: readonly OperationDraft[],
  ) {
    this.#file = file
    this.#ofSchemas = schemas
    this.ownSites = new Set(Object.values(file.collections ?? {}).flatMap(({ paths: [first] = [] }) => siteOf(first)))
    const ignored = (file.ignore ?? []).map(toPathPattern)
    for (const [at, pattern] of ignored.entries()) {
      const paths = described.map(({ path }) => path)
      if (!paths.some((path) => fitsPath(pattern, path)))
        this.#add(['ignore', at], `no path fits "${pattern.text}".${didYouMean(pattern.text, paths)}`)
    }
    const known = described.map(nameOf)
    for (const key of Object.keys(file.operations ?? {}))
      if (!known.includes(key))
        this.#add(['operations', key], `there is no operation "${key}".${didYouMean(key, known)}`)
    this.drafts = described
      .filter(({ path }) => !ignored.some((pattern) => fitsPath(pattern, path)))
      .map((draft) => this.#toDraft(draft))
  }

  /** Throws `invalid_request` for lines that do not fit the grammar. */
  static of(document: JsonObject, described: readonly OperationDraft[]): ModelOverlay {
    const top = document[MODEL_EXTENSION]
    const lines = described.filter(({ line }) => line !== undefined)
    const schemas = isJsonObject(document.components) ? objectEntries(document.components.schemas) : []
    const withLines = schemas.filter(([, schema]) => schema[MODEL_EXTENSION] !== undefined)
    const file = parseRequest(modelFile, top ?? {}, 'x-backlot')
    const operations = lines.map((draft): [string, OperationLine] => {
      return [nameOf(draft), parseRequest(operationLine, draft.line, `x-backlot of ${nameOf(draft)}`)]
    })
    const ofSchemas = withLines.map(([name, { [MODEL_EXTENSION]: line }]): [string, CollectionLine] => {
      return [name, parseRequest(collectionLine, line, `x-backlot of ${name}`)]
    })
    const whole = { ...file, operations: { ...Object.fromEntries(operations), ...file.operations } }
    return new ModelOverlay(whole, new Map(ofSchemas), described)
  }

  #add(path: EntryFault['path'], text: string): void {
    this.#faults.push({ file: 'model', path, text })
  }

  #toDraft(draft: OperationDraft): OperationDraft {
    const key = nameOf(draft)
    const line = this.#file.operations?.[key]
    const place = ['operations', key]
    const wanted = typeof line === 'string' && line.startsWith('as ') ? line.slice(3) : this.#movedPath(draft)
    if (wanted === undefined) {
      if (line !== undefined) this.#decided.set(draft, { draft, moved: {}, line, place })
      return draft
    }
    const [method = '', path = ''] = wanted.split(' ', 2)
    const methods = METHODS.map((name) => name.toUpperCase())
    if (!methods.includes(method)) this.#add(place, `there is no method "${method}".${didYouMean(method, methods)}`)
    const standIn = toStandIn(draft, method, path)
    for (const name of standIn.missing)
      this.#add(place, `there is no parameter and no field "${name}" in ${key}. Name one of its own in "${wanted}".`)
    this.#decided.set(standIn.draft, { draft, moved: standIn.moved, line, place })
    return standIn.draft
  }

  /** The operation at the first of several paths of one collection. */
  #movedPath({ method, path }: OperationDraft): string | undefined {
    for (const { paths: [first = '', ...others] = [] } of Object.values(this.#file.collections ?? {})) {
      for (const other of others) {
        const [own, moved] = [path, other].map((text) => text.split('/')) as [string[], string[]]
        const isBelow = moved.every(
          (segment, at) => segment === own[at] || (isParam(segment) && isParam(own[at] ?? '')),
        )
        if (isBelow) return `${method} ${[first, ...own.slice(moved.length)].join('/')}`
      }
    }
    return undefined
  }

  isApart(draft: OperationDraft): boolean {
    const line = this.#decided.get(draft)?.line
    return line === 'example' || line === 'computed'
  }

  nameCollections(collections: readonly CollectionDraft[]): void {
    for (const [name, { paths: [first] = [] }] of Object.entries(this.#file.collections ?? {})) {
      if (first === undefined) continue
      const [site = ''] = siteOf(first)
      const draft = collections.find((one) => one.site.key === site)
      if (draft !== undefined) {
        draft.name = name
        draft.singular = singularName(name)
        continue
      }
      const paths = collections.map((one) => `/${one.site.key.slice(1)}`)
      this.#add(
        ['collections', name, 'paths', 0],
        `there are no records at "${first}".${didYouMean(site, paths)} Name a path that lists, reads or creates them.`,
      )
    }
  }

  shapeCollections(collections: readonly CollectionDraft[]): void {
    for (const draft of collections) this.#named.set(draft.name, draft)
    for (const [name, schema] of this.#ofSchemas) {
      const own = collections.find((draft) => draft.schema?.name === name)?.name
      if (own === undefined) this.#add(['collections', name], `no collection has records of the schema ${name}.`)
      else this.#collections.set(own, schema)
    }
    for (const [name, line] of Object.entries(this.#file.collections ?? {})) {
      if (this.#named.has(name)) this.#collections.set(name, { ...this.#collections.get(name), ...line })
      else if (line.paths === undefined)
        this.#add(['collections', name], explainNoCollection(name, [...this.#named.keys()]))
    }
    for (const [name, { resource, key, status, parent }] of this.#collections) {
      const draft = this.#named.get(name) as CollectionDraft
      const fieldOf = (written: string, at: string) =>
        checkField(draft, written, (text) => this.#add(['collections', name, at], text))
      if (resource !== undefined) draft.key = draft.idField = fieldOf('name', 'resource')
      if (key !== undefined) draft.key = draft.idField = fieldOf(key, 'key')
      draft.resource = resource ?? draft.resource
      if (status !== undefined) draft.statusField = fieldOf(status, 'status')
      if (parent !== undefined) draft.parent = { of: parent.of, field: parent.by.split('.') }
    }
  }

  decide(placed: Placed, survey: Survey, rules: EffectFinder): Operation | undefined {
    const decided = this.#decided.get(placed.draft)
    if (decided === undefined) return undefined
    const moved = Object.keys(decided.moved).length > 0 && { moved: decided.moved }
    const found =
      decided.line === undefined
        ? rules.find(placed)
        : { effect: this.#effectOf(placed, decided.line, { ...decided, survey, rules }), reason: DECLARED }
    return toOperation(decided.draft, { ...moved, ...found })
  }

  #effectOf(
    placed: Placed,
    line: OperationLine,
    { place, survey, rules }: Pick<Decided, 'place'> & { survey: Survey; rules: EffectFinder },
  ): Effect {
    if (line === 'example') return EXAMPLE
    if (line === 'computed') return { kind: 'computed' }
    const addFault: AddFault = (path, text) => this.#add([...place, ...path], text)
    if (typeof line !== 'string') return effectOfLine(placed, line, { survey, collections: this.#named, addFault })
    const { effect } = rules.find(placed)
    if (effect.kind === 'example')
      addFault(
        [],
        `it is not known what "${line.slice(3)}" does. Name an operation on a collection, such as "GET /tasks/{id}".`,
      )
    if ('collection' in effect) this.#checkRecords(effect, addFault)
    return effect
  }

  /** Adds a fault where an `as` alone made the collection, and another path keeps records of that name. */
  #checkRecords({ kind, collection }: Effect & { readonly collection: string }, addFault: AddFault): void {
    const { site, item, noun } = this.#named.get(collection) as CollectionDraft
    const isMadeUp =
      site.own.size === 0 &&
      !this.ownSites.has(site.key) &&
      [...(item?.operations.values() ?? [])].every(({ draft }) => (this.#decided.get(draft)?.draft ?? draft) !== draft)
    const others = isMadeUp ? [...this.#named.values()].filter((one) => one.noun === noun && one.site.own.size > 0) : []
    if (others.length === 0) return
    const path = `/${site.key.slice(1)}`
    const places = others.map((one) => `"/${one.site.key.slice(1)}"`).join(' and ')
    const name = others.length === 1 ? noun : others.map((one) => one.name).join(' or ')
    addFault(
      [],
      `there are no records at "${path}": ${noun} are at ${places}. Write \`${kind === 'action' ? 'act' : kind}: ${name}\`, or name the new ones under \`collections\`: \`{ paths: [${path}] }\`.`,
    )
  }

  /** The model with the lines about collections. Throws `invalid_spec` with all faults. */
  finish(model: Inferred): Inferred {
    const names = model.collections.map(({ name }) => name)
    const collections = model.collections.map((collection): CollectionModel => {
      const { parent, initial } = this.#collections.get(collection.name) ?? {}
      return {
        ...collection,
        ...(parent && this.#below(collection, parent, names)),
        ...(initial && { initial: this.#initialOf(collection, initial) }),
      }
    })
    if (this.#faults.length > 0) throw invalidSpec(explainFaults('model.yaml', this.#faults))
    return { ...model, collections }
  }

  #below(
    { name, parent, relations }: CollectionModel,
    { of: collection, by }: NonNullable<CollectionLine['parent']>,
    names: readonly string[],
  ): Pick<CollectionModel, 'parent' | 'relations'> {
    const at = ['collections', name, 'parent']
    if (!names.includes(collection)) this.#add([...at, 'of'], explainNoCollection(collection, names))
    const field = checkField(this.#named.get(name) as CollectionDraft, by, (text) => this.#add([...at, 'by'], text))
    const others = relations.filter((relation) => relation.field.join('.') !== by)
    return {
      parent: { collection, param: parent?.collection === collection ? parent.param : by, field },
      relations: [...others, { field, collection, many: false, form: 'id' }],
    }
  }

  #initialOf({ name, schema }: CollectionModel, initial: JsonObject): JsonObject {
    for (const [written, value] of Object.entries(initial)) {
      const addFault = (text: string) => this.#add(['collections', name, 'initial', written], text)
      const field = checkField(this.#named.get(name) as CollectionDraft, written, addFault)
      checkValue(schemaBelow(schema, field), value, field, addFault)
    }
    return initial
  }
}

const isParam = (segment: string): boolean => /^\{[^{}]*\}$/.test(segment)

const nameOf = ({ method, path }: OperationDraft): string => `${method} ${path}`

/** An operation as though it were described with another method or path. */
interface StandIn {
  readonly draft: OperationDraft
  /** Where requests have the parameters of that path. */
  readonly moved: Readonly<Record<string, MovedParameter>>
  /** Parameters of that path that the operation does not have. */
  readonly missing: readonly string[]
}

/**
 * `PUT /clinics/{clinicId}` for `POST /clinic/update { clinicId }`. The parameters are found by name in the path, the query
 * and the body; where one is left in both paths, it is the same.
 */
function toStandIn(draft: OperationDraft, method: string, path: string): StandIn {
  const segments = parsePath(path)
  const names = paramsOf(segments)
  const own = paramsOf(draft.segments)
  const found = new Map(
    names.flatMap((name) => {
      const moved = own.includes(name) ? { in: 'path' as const, name } : findMoved(draft, name)
      return moved === undefined ? [] : [[name, moved] as const]
    }),
  )
  const used = new Set([...found.values()].flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])))
  const [open, ...more] = names.filter((name) => !found.has(name))
  const [free, ...others] = own.filter((name) => !used.has(name))
  if (open !== undefined && free !== undefined && more.length + others.length === 0)
    found.set(open, { in: 'path', name: free })
  const gone = new Set([...found.values()].map(({ in: place, name }) => `${place} ${name}`))
  const kept = draft.parameters.filter(({ in: place, name }) => place !== 'path' && !gone.has(`${place} ${name}`))
  return {
    draft: {
      ...draft,
      id: `${method} ${path}`,
      named: false,
      summary: undefined,
      method,
      path,
      segments,
      parameters: [...kept, ...names.map((name) => toParameter(draft, name, found.get(name)))],
    },
    moved: Object.fromEntries([...found].filter(([name, moved]) => moved.in !== 'path' || moved.name !== name)),
    missing: names.filter((name) => !found.has(name)),
  }
}

function findMoved({ parameters, requestBody }: OperationDraft, name: string): MovedParameter | undefined {
  const query = parameters.filter(({ in: place }) => place === 'query').map((parameter) => parameter.name)
  const inQuery = findField(query, name)
  if (inQuery !== undefined) return { in: 'query', name: inQuery }
  const inBody = findField(fieldsOf(schemaOfBody(requestBody)).keys(), name)
  return inBody === undefined ? undefined : { in: 'body', name: inBody }
}

function toParameter(
  { parameters, requestBody }: OperationDraft,
  name: string,
  moved: MovedParameter | undefined,
): Parameter {
  const declared = parameters.find((one) => one.in === moved?.in && one.name === moved.name)
  const inBody = moved?.in === 'body' ? fieldsOf(schemaOfBody(requestBody)).get(moved.name) : undefined
  return { name, in: 'path', required: true, schema: declared?.schema ?? inBody, style: 'simple', explode: false }
}
