import { didYouMean, misspeltFor } from '../../../names/nearest-name.ts'
import { foldNoun } from '../../../names/nouns.ts'
import type { EntryFault } from '../../../protocol/entry-fault.ts'
import type { EffectRow, EffectStep, EntryRows, MagicRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { OPERATOR_NAMES } from './evaluate.ts'

/** Names in every effect. */
const GIVEN = ['record', 'before', 'request', 'entry', 'item', 'position']
/** Fields whose text names a value. */
const NAMING_FIELDS = ['as', 'into', 'at']
/** Fields of rows and steps with a collection's name. */
const COLLECTION_FIELDS = ['of', 'all', 'create']

/** What an entry's effects, magic and errors name, and neither its description nor the entry has. */
export function findFaults(
  book: EntryEffects,
  entryRows: EntryRows,
  { model, operators }: { readonly model: ApiModel; readonly operators: readonly string[] },
): EntryFault[] {
  const operations = model.operations.map(({ method, path }) => `${method} ${path}`)
  const collections = model.collections.map(({ name }) => name)
  const operatorNames = [...OPERATOR_NAMES, ...operators.map((name) => name.slice(1))]
  const named = new Set([...GIVEN, ...operatorNames])
  const codes = book.errors.map(({ code }) => code)
  const faults: EntryFault[] = []
  const { effects = [], magic = [] } = entryRows
  const [rows, top] = Array.isArray(effects) ? [effects, []] : [effects.rows, ['rows']]
  const fields = [...fieldsIn('effects', rows, top), ...fieldsIn('magic', magic, [])]
  const addName = (name: string, { file, path }: Place): void => {
    if (operatorNames.includes(name))
      faults.push({
        file,
        path,
        text: `a value is named "${name}", which $${name} does not read: it is an expression. Name it otherwise.`,
      })
    named.add(name)
  }
  for (const field of fields) {
    const { name, value } = field
    if (NAMING_FIELDS.includes(name) && typeof value === 'string') addName(value, field)
    if (name !== 'let' || !isJsonObject(value)) continue
    for (const own of Object.keys(value)) {
      addName(own, field)
      if (readsName(field.beside.when, own))
        faults.push({
          file: field.file,
          path: field.path,
          text: `the \`when\` of this step reads "${own}" of its \`let\`, which runs after it. Name it in a step before.`,
        })
    }
  }
  const check = ({ file, path }: Place, what: string, name: unknown, known: readonly string[]): void => {
    if (typeof name !== 'string' || known.includes(name)) return
    faults.push({ file, path, text: `there is no ${what} "${name}".${didYouMean(name, known)}` })
  }
  for (const field of fields) {
    const { name, value, isExpression, isMade, path } = field
    const isOfRow = path.length === top.length + 2 || (field.file === 'magic' && path.length === 2)
    if (name === 'on' && isOfRow)
      for (const on of [value].flat())
        check(field, 'operation', on, field.file === 'magic' ? [...operations, ...book.names] : operations)
    if ((name === 'record' || COLLECTION_FIELDS.includes(name)) && !isExpression)
      check(field, 'collection', value, collections)
    if (name === 'do') check(field, 'effect', value, book.names)
    if (name.startsWith('$')) check(field, 'name', (name.split('.')[0] ?? '').slice(1), [...named])
    if (name === 'error' && !isMade) check(field, 'row of errors.yaml with the code', value, codes)
  }
  const settings = { file: 'effects', path: [] }
  for (const name of book.references.values())
    check({ ...settings, path: ['references'] }, 'collection', name, collections)
  for (const { of } of book.includes) check({ ...settings, path: ['includes'] }, 'collection', of, collections)
  for (const place of book.parts)
    check({ ...settings, path: ['parts'] }, 'collection', place.replace(/\..*/, ''), collections)
  check({ ...settings, path: ['keys'] }, 'collection', book.keys?.of, collections)
  const read = fields.flatMap(({ name, value }) => (name.startsWith('$') && typeof value === 'string' ? [value] : []))
  const rowFaults = new RowFaults(model, faults, new Set(read))
  for (const [at, row] of rows.entries()) rowFaults.look(row, { file: 'effects', path: [...top, at] })
  for (const [at, row] of magic.entries()) rowFaults.look(row, { file: 'magic', path: [at] })
  return faults
}

type Place = Pick<EntryFault, 'file' | 'path'>

interface NamedField extends Place {
  readonly name: string
  readonly value: unknown
  /** Whether it is inside values for records or answers. */
  readonly isExpression: boolean
  /** Whether it is inside a computed value, which may have fields of any name. */
  readonly isMade: boolean
  /** The object whose field it is. */
  readonly beside: JsonObject
}

const readsName = (when: unknown, name: string): boolean =>
  [`"$${name}"`, `"$${name}.`].some((text) => JSON.stringify(when)?.includes(text))

const VALUE_FIELDS = ['set', 'values', 'answer', 'facts', 'where', 'when', 'body', 'error', 'data']
const MADE_FIELDS = ['value', 'to', 'data']

function* fieldsIn(
  file: string,
  value: unknown,
  path: EntryFault['path'],
  { isExpression, isMade } = { isExpression: false, isMade: false },
): Generator<NamedField> {
  const isList = Array.isArray(value)
  if (!isList && !isJsonObject(value)) return
  for (const [key, below] of Object.entries(value)) {
    const name = isList ? '' : key
    const here = [...path, isList ? Number(key) : key]
    if (!isList) yield { file, path: here, name, value: below, isExpression, isMade, beside: value as JsonObject }
    yield* fieldsIn(file, below, here, {
      isExpression: isExpression || VALUE_FIELDS.includes(name),
      isMade: isMade || MADE_FIELDS.includes(name),
    })
  }
}

/** Compares the fields, values and parts of the request that rows name with the description. */
class RowFaults {
  readonly #model: ApiModel
  readonly #faults: EntryFault[]

  /** Fields that expressions read, also those that no answer shows: `{ $record: tax_rates }`. */
  readonly #read: ReadonlySet<string>

  constructor(model: ApiModel, faults: EntryFault[], read: ReadonlySet<string>) {
    this.#model = model
    this.#faults = faults
    this.#read = read
  }

  look(row: EffectRow | MagicRow, place: Place): void {
    const on = [row.on ?? []].flat()
    const operations = this.#model.operations.filter(({ method, path }) => on.includes(`${method} ${path}`))
    const [first] = operations
    const ofModel = first && 'collection' in first.effect ? first.effect.collection : undefined
    const own = 'record' in row && typeof row.record === 'string' ? row.record : ofModel
    this.#lookStep(row as EffectStep, own, place)
    if (operations.length === 1 && first) this.#lookRequest(row, first, place)
  }

  #lookStep(step: EffectStep, own: string | undefined, { file, path }: Place): void {
    const at = (...names: string[]): Place => ({ file, path: [...path, ...names] })
    const target = isJsonObject(step.record) ? String(step.record.of) : own
    this.#lookValues(step.set, target, at('set'))
    this.#lookValues(step.values, step.create, at('values'))
    for (const [name, source] of Object.entries(step.let ?? {})) {
      const where = 'where' in source ? source.where : undefined
      this.#lookValues(
        where,
        'of' in source ? source.of : 'all' in source ? source.all : undefined,
        at('let', name, 'where'),
      )
    }
    if (!Array.isArray(step.when) && step.record === undefined)
      this.#lookValues(step.when as JsonObject | undefined, own, at('when'))
    const steps = Array.isArray(step.also) ? step.also : []
    for (const [number, inner] of steps.entries())
      if (step.each === undefined) this.#lookStep(inner, target, { file, path: [...path, 'also', number] })
  }

  #lookValues(values: JsonObject | undefined, collection: string | undefined, { file, path }: Place): void {
    const schema = this.#model.collections.find(({ name }) => name === collection)?.schema
    if (schema === undefined || schema.fields.size === 0) return
    for (const [name, value] of Object.entries(values ?? {})) {
      if (name.startsWith('$')) continue
      const here = { file, path: [...path, name] }
      const [first = '', ...below] = name.split('.')
      const field = schema.fields.get(first)
      const known = [...schema.fields.keys()]
      if (field === undefined && !this.#read.has(name))
        this.#faults.push({ ...here, text: `${collection} have no field "${first}".${didYouMean(first, known)}` })
      const allowed = below.length === 0 ? field?.enum : undefined
      if (allowed === undefined || typeof value !== 'string' || value.includes('{') || allowed.includes(value)) continue
      const texts = allowed.map(String)
      this.#faults.push({
        ...here,
        text: `Expected \`${name}\` to be one of ${texts.join(', ')}, got "${value}".${didYouMean(value, texts)}`,
      })
    }
  }

  /** `{ $request: 'body.reason' }` and `$request.body.reason: ...` */
  #lookRequest(row: unknown, { parameters, requestBody, segments }: Operation, { file, path }: Place): void {
    const bodies = [...(requestBody?.content.values() ?? [])]
    const isOpen = bodies.some((schema) => schema === undefined || schema.fields.size === 0)
    const known: Readonly<Record<string, readonly string[] | undefined>> = {
      body: isOpen || bodies.length === 0 ? undefined : bodies.flatMap((schema) => [...(schema?.fields.keys() ?? [])]),
      query: parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name),
      path: paramsOf(segments),
    }
    for (const field of fieldsIn(file, row, path)) {
      const text = field.name === '$request' ? field.value : /^\$request\.(.*)/.exec(field.name)?.[1]
      if (typeof text !== 'string') continue
      const [part = '', name] = text.split('.')
      const names = known[part]
      if (name === undefined || names === undefined || !/^\w+$/.test(name)) continue
      // Others may be sent although the description does not say so: `role_slugs` beside `role_slug`.
      const nearest = misspeltFor(name, names)
      if (nearest === undefined || foldNoun(nearest) === foldNoun(name)) continue
      this.#faults.push({
        file,
        path: field.path,
        text: `the ${part} of the request has no "${name}". Did you mean "${nearest}"?`,
      })
    }
  }
}

const paramsOf = (segments: Operation['segments']): string[] =>
  segments.flatMap((segment) =>
    segment.kind === 'static' ? [] : segment.kind === 'param' ? [segment.name] : [...segment.names],
  )
