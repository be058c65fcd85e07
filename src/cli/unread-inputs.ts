import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LibraryEntry } from '../library/library-entry.ts'
import type { EffectRow, EffectStep, MagicRow, RefusalRow, Source } from '../protocol/entry-rows.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import type { Schema } from '../schema/schema.ts'
import type { ApiModel, Operation } from '../service/openapi/model.ts'
import type { EntryEffects } from '../service/simulated-api/facts/entry-effects.ts'
import type { HandlerReads } from './handler-reads.ts'

/** Deepest level of fields that is looked at. */
const DEEPEST = 4
/** Kinds of operations whose records keep what the request sends. */
const KEEPING = ['create', 'update', 'replace']
/** Read by the service itself. */
const READ_BY_SERVICE = ['query.expand', 'body.expand', 'header.idempotency-key', 'header.accept']

/**
 * Parameters and body fields without effect that the entry does not list as ignored, and listed ones that have one: a
 * sentence each.
 */
export async function unreadInputs(entry: LibraryEntry, reads: HandlerReads): Promise<string[]> {
  const { effects, magic = [], ignored = [], handlers } = entry
  if (effects === undefined && handlers === undefined) return []
  const [{ readDescription }, { CompiledApi }, { indexEffects }] = await Promise.all([
    import('../service/openapi/read-description.ts'),
    import('../service/simulated-api/compiled/compiled-api.ts'),
    import('../service/simulated-api/facts/entry-effects.ts'),
  ])
  const model = readDescription(entry.openapi)
  const compiled = new CompiledApi(model)
  const book = indexEffects({ ...(effects && { effects }), magic, facts: {} })
  const code = handlers === undefined ? '' : await codeIn(dirname(fileURLToPath(handlers)))
  const ofAll = ignored.flatMap(({ fields, on }) => (on === undefined ? fields : []))
  const { securitySchemes } = Object(entry.openapi.components)
  const keys = Object.values(Object(securitySchemes)).map((scheme) => `body.${Object(scheme).name}`)
  const readByAny = new Set([
    ...READ_BY_SERVICE,
    ...ofAll,
    ...(book.accounts?.headers ?? []).map((name) => `header.${name}`),
    ...(JSON.stringify([effects, magic]).match(/\bheader\.[a-z\d-]+/g) ?? []),
  ])
  const headers = (entry.sdk?.headers ?? []).filter((name) => !readByAny.has(`header.${name}`) && !code.includes(name))
  const ofOperations = model.operations.flatMap((operation) => {
    const on = `${operation.method} ${operation.path}`
    const reading = new Reading(book, operation, model)
    reading.look(compiled.operation(operation).unreadParameters, reads.isWhole(on))
    const isInCode = (path: string) =>
      reads.handles(on) && (reads.has(on, path) ?? new RegExp(`\\b${path.split('.').at(-1)}\\b`).test(code))
    const inputs = inputsOf(operation)
    const unread = inputs.filter((path) => !reading.has(path) && !isInCode(path) && !keys.includes(path))
    const rows = ignored.filter((row) => row.on === undefined || [row.on].flat().includes(on))
    const isListed = (path: string) => rows.some(({ fields }) => fields.some((field) => isIn(path, field)))
    const missing = unread.filter((path) => !isListed(path) && !unread.some((other) => path.startsWith(`${other}.`)))
    const idle = rows.flatMap((row) =>
      row.fields.filter((field) =>
        row.on === undefined
          ? inputs.includes(field) && !unread.includes(field)
          : !unread.some((path) => isIn(path, field)),
      ),
    )
    return [
      ...missing.map(
        (path) => `${on} does nothing with ${path}. Read it in effects.yaml, or list it as \`ignored\` in entry.yaml.`,
      ),
      ...idle.map((path) => `${on} reads ${path}, or has none, but entry.yaml lists it as \`ignored\`.`),
    ]
  })
  return [
    ...headers.map(
      (name) =>
        `Nothing reads header.${name}, which the SDK sends. Read it in effects.yaml, or list it as \`ignored\` in entry.yaml.`,
    ),
    ...ofOperations,
  ]
}

/** The text of an entry's handlers, in which a field that they read is a word. */
async function codeIn(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /\.m?[jt]s$/.test(file) && file !== 'client.mjs')
  return (await Promise.all(files.map((file) => readTextFile(join(folder, file))))).join('\n')
}

const isIn = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** Each parameter and body field, dotted; fields of a list's items without their positions. */
function inputsOf({ parameters, requestBody }: Operation): string[] {
  const own = parameters.flatMap(({ name, in: place }) =>
    place === 'query' || place === 'header'
      ? `${place}.${place === 'header' ? name.toLowerCase() : name.replace(/\[.*$/, '')}`
      : [],
  )
  const bodies = [...(requestBody?.content.values() ?? [])]
  const fields = bodies.flatMap((schema) => (schema === undefined ? [] : fieldsIn(schema, 'body', 0)))
  return [...new Set([...own, ...fields])]
}

function fieldsIn(schema: Schema, path: string, depth: number): string[] {
  const object = schema.items ?? schema
  return [...object.fields].flatMap(([name, field]) => {
    if (field.readOnly) return []
    const here = `${path}.${name}`
    return [here, ...(depth < DEEPEST ? fieldsIn(field, here, depth + 1) : [])]
  })
}

/** A place in a request that a value comes from: `body.items.price`, without some of its fields. */
interface Origin {
  readonly path: string
  /** The field of the value that comes from there. @default the value itself */
  readonly at?: string
  readonly without?: readonly string[]
}
type Names = Readonly<Record<string, readonly Origin[]>>

/** Follows the values of a request through the rows of an effect. */
class Reading {
  readonly #book: EntryEffects
  readonly #operation: Operation
  readonly #model: ApiModel
  /** What is read itself, and what is kept or shown with all that it holds. */
  readonly #read = new Set<string>()
  readonly #whole = new Map<string, Origin>()
  readonly #runs = new Map<string, Names>()

  constructor(book: EntryEffects, operation: Operation, model: ApiModel) {
    this.#book = book
    this.#operation = operation
    this.#model = model
  }

  has(path: string): boolean {
    return (
      [...this.#read].some((one) => one === path || one.startsWith(`${path}.`)) ||
      [...this.#whole.values()].some(
        ({ path: whole, without = [] }) =>
          whole.startsWith(`${path}.`) ||
          ((path === whole || path.startsWith(`${whole}.`)) &&
            !without.includes(path.slice(whole.length + 1).split('.')[0] ?? '')),
      )
    )
  }

  /** @param isHandled whether only a handler does the operation */
  look(unreadParameters: readonly string[], isHandled: boolean): void {
    for (const name of [...READ_BY_SERVICE, `body.${this.#book.idempotencyField}`, `body.${this.#book.jsonField}`])
      this.#read.add(name)
    if (isHandled) return
    const { effect, parameters, method, path } = this.#operation
    const row = this.#book.effectOf(this.#operation)
    const isModels = row?.record === undefined && row?.answer === undefined
    const collection = row?.record ?? ('collection' in effect ? effect.collection : undefined)
    if (row?.record === undefined && KEEPING.includes(effect.kind))
      this.#keep([{ path: 'body' }], collection, row?.drop)
    else if (isModels && effect.kind !== 'example') this.#keep([{ path: 'body' }], undefined)
    for (const { name, in: place } of isModels ? parameters : [])
      if (place === 'query' && !unreadParameters.includes(name)) this.#read.add(`query.${name}`)
    this.#run(row ?? { on: `${method} ${path}` }, collection, { request: [{ path: '' }] })
  }

  #run(row: EffectRow, collection: string | undefined, given: Names): Names {
    const id = `${row.name ?? ''} ${collection} ${JSON.stringify(given)}`
    const known = this.#runs.get(id)
    if (known !== undefined) return known
    this.#runs.set(id, given)
    let names = given
    for (const name of row.use ?? []) names = this.#run(this.#book.named(name), collection, names)
    names = this.#name(row.let, names)
    for (const refusal of [row.refuse ?? []].flat()) this.#refuse(refusal, names)
    for (const magic of this.#book.magicOf(row, this.#operation)) this.#work(magic, collection, names)
    this.#showEach(row.set, names)
    for (const step of row.also ?? []) names = this.#step(step, collection, names)
    for (const { when, where, takes = [] } of row.list ?? []) {
      this.#test(when, names)
      this.#showEach(where, names)
      for (const name of takes) this.#read.add(`query.${name}`)
    }
    for (const shown of [row.answer, row.status, row.headers, row.facts, row.each])
      if (shown !== undefined) this.#show(shown as Json, names)
    for (const { body, type } of row.media ?? []) this.#show([body, type ?? null], names)
    for (const value of row.page === undefined ? [] : Object.values(this.#book.paging)) this.#read.add(`query.${value}`)
    this.#runs.set(id, names)
    return names
  }

  #work(
    { body = {}, when, set, let: sources, do: name, facts }: MagicRow,
    collection: string | undefined,
    given: Names,
  ) {
    for (const path of pathsIn(body)) this.#read.add(`body.${path}`)
    this.#test(when, given)
    const names = this.#name(sources, given)
    this.#showEach(set, names)
    if (name !== undefined) this.#run(this.#book.named(name), collection, names)
    if (facts !== undefined) this.#show(facts, names)
  }

  #refuse({ when, set, facts, error }: RefusalRow, names: Names) {
    this.#test(when, names)
    this.#showEach(set, names)
    this.#show([facts ?? null, typeof error === 'string' ? null : error], names)
  }

  #step(step: EffectStep, collection: string | undefined, given: Names): Names {
    this.#test(step.when, given)
    let names = this.#name(step.let, given)
    const { as = 'item', also = [] } = step
    if (step.each !== undefined) {
      let inner: Names = { ...names, [as]: this.#flow(step.each, names) }
      for (const one of also) inner = this.#step(one, collection, inner)
      if (step.gather === undefined) return names
      return { ...names, [step.gather.into]: this.#flow(step.gather.value, inner) }
    }
    const target = step.record === undefined ? collection : step.record.of
    for (const named of [step.record, step.delete]) if (named !== undefined) this.#show(named.id, names)
    if (step.refuse !== undefined) this.#refuse(step.refuse, names)
    if (step.create !== undefined) {
      this.#store(step.values ?? {}, step.create, names)
      names = { ...names, [as]: [] }
    }
    this.#showEach(step.set, names)
    if (step.advance !== undefined) this.#show(step.advance, names)
    if (step.do !== undefined) {
      const row = this.#book.named(step.do)
      const after = this.#run(row, target, names)
      if (step.as !== undefined && row.answer !== undefined)
        names = { ...names, [step.as]: this.#flow(row.answer, after) }
    }
    for (const one of also) names = this.#step(one, target, names)
    return names
  }

  #name(sources: Readonly<Record<string, Source>> | undefined, given: Names): Names {
    let names = given
    for (const [name, source] of Object.entries(sources ?? {})) {
      if ('value' in source) names = { ...names, [name]: this.#flow(source.value, names) }
      else {
        if ('id' in source) this.#show(source.id, names)
        else this.#showEach(source.where, names)
        names = { ...names, [name]: [] }
      }
    }
    return names
  }

  /** Values of a record: it keeps only the fields of its schema. */
  #store(value: Json, collection: string, names: Names): void {
    const [name, given] = isJsonObject(value) ? (Object.entries(value)[0] ?? []) : []
    if (name === '$merge' || name === '$join')
      for (const part of [given ?? []].flat()) this.#store(part, collection, names)
    else if (name?.startsWith('$')) this.#keep(this.#flow(value, names), collection)
    else this.#show(value, names)
  }

  #keep(origins: readonly Origin[], collection: string | undefined, without: readonly string[] = []): void {
    const schema = this.#model.collections.find((one) => one.name === collection)?.schema
    for (const { path, at, without: own = [] } of origins) {
      if (at !== undefined || schema === undefined || schema.fields.size === 0)
        this.#whole.set(path + without.join(), { path, without: [...own, ...without] })
      else
        for (const field of schema.fields.keys())
          if (!own.includes(field) && !without.includes(field))
            this.#whole.set(under(path, field), { path: under(path, field) })
    }
  }

  /** The value is kept or shown. */
  #show(value: Json, names: Names): void {
    for (const origin of this.#flow(value, names)) this.#whole.set(JSON.stringify(origin), origin)
  }

  #test(when: Json | undefined, names: Names): void {
    for (const one of [when ?? []].flat()) {
      for (const [reference, test] of Object.entries(one as JsonObject)) {
        for (const { path } of this.#refer(reference, names)) this.#read.add(path)
        this.#show(test, names)
      }
    }
  }

  /** Values by field, of a record or of a condition. */
  #showEach(values: JsonObject | undefined, names: Names): void {
    for (const value of Object.values(values ?? {})) this.#show(value, names)
  }

  #refer(reference: string, names: Names): readonly Origin[] {
    if (!reference.startsWith('$')) return this.#lookUp('record', reference, names)
    const [name = '', ...path] = reference.slice(1).split('.')
    return this.#lookUp(name, path.join('.') || '.', names)
  }

  #lookUp(name: string, path: string, names: Names): readonly Origin[] {
    return below(names[name] ?? [], path)
  }

  /** What of the request a value is made of. */
  #flow(value: Json | undefined, names: Names): readonly Origin[] {
    const all = this.#parts(value, names)
    return all.length < 2 ? all : [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
  }

  #parts(value: Json | undefined, names: Names): readonly Origin[] {
    if (Array.isArray(value)) return value.flatMap((item) => this.#flow(item, names))
    if (!isJsonObject(value)) return []
    const [[name = '', given = null] = []] = Object.entries(value)
    if (!name.startsWith('$'))
      return Object.entries(value).flatMap(([field, one]) =>
        this.#flow(one, names).map((origin) => ({ ...origin, at: under(field, origin.at ?? '') })),
      )
    const parts = isJsonObject(given) ? given : {}
    switch (name) {
      case '$if': {
        this.#test(parts.when, names)
        return [...this.#flow(parts.value, names), ...this.#flow(parts.else, names)]
      }
      case '$map': {
        const inner = { ...names, [String(parts.as)]: this.#flow(parts.of, names) }
        return this.#flow(parts.to, inner)
      }
      case '$where': {
        const items = this.#flow(parts.of, names)
        for (const field of Object.keys(Object(parts.where)))
          for (const { path } of below(items, field)) this.#read.add(path)
        this.#showEach(parts.where as JsonObject, names)
        return items
      }
      case '$queried':
        this.#show(parts.query ?? null, names)
        return this.#flow(parts.of, names)
      case '$all':
      case '$newest':
        this.#showEach(parts.where as JsonObject, names)
        return []
      case '$get':
        this.#show(parts.id ?? null, names)
        return []
      case '$count':
        for (const { path } of this.#flow(given, names)) this.#read.add(path)
        return []
      case '$total':
        return below(this.#flow(parts.of, names), String(parts.field))
      case '$field':
        return typeof (parts.path ?? parts.name) === 'string'
          ? below(this.#flow(parts.of, names), String(parts.path ?? parts.name))
          : [parts.of, parts.path, parts.name].flatMap((part) => this.#flow(part, names))
      case '$omit': {
        const fields = [parts.fields ?? []].flat().map(String)
        return this.#flow(parts.of, names).map(({ path, without = [] }) => ({ path, without: [...without, ...fields] }))
      }
      case '$only':
        return [parts.fields ?? []]
          .flat()
          .flatMap((field) =>
            below(this.#flow(parts.of, names), String(field)).map(({ path }) => ({ path, at: `${field}` })),
          )
      case '$text':
        return [...String(given).matchAll(/\{([^{}]+)\}/g)].flatMap(([, reference = '']) =>
          this.#refer(reference, names),
        )
      default:
        return name.slice(1) in names && typeof given === 'string'
          ? this.#lookUp(name.slice(1), given, names)
          : this.#flow(isJsonObject(given) && !isExpression(given) ? Object.values(given) : given, names)
    }
  }
}

const isExpression = (value: JsonObject): boolean => Object.keys(value)[0]?.startsWith('$') === true

const under = (path: string, name: string): string => [path, name].filter(Boolean).join('.')

/** The field of each value. A position in a list is none. */
function below(origins: readonly Origin[], path: string): readonly Origin[] {
  if (path === '.') return origins
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  return names.reduce((found, name) => found.flatMap((origin) => belowOne(origin, name)), origins)
}

function belowOne({ path, at, without }: Origin, name: string): readonly Origin[] {
  if (at === undefined) {
    if (without?.includes(name)) return []
    return [
      {
        path: `${path}.${name}`
          .split('.')
          .slice(0, DEEPEST + 2)
          .join('.')
          .replace(/^\./, ''),
      },
    ]
  }
  const [first, ...rest] = at.split('.')
  if (first !== name) return []
  return [{ path, ...(without && { without }), ...(rest.length > 0 && { at: rest.join('.') }) }]
}

function pathsIn(value: Json): string[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...pathsIn(item).map((path) => `${name}.${path}`)])
}
