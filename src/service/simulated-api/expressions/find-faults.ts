import { didYouMean, misspeltFor } from '../../../names/nearest-name.ts'
import { foldNoun } from '../../../names/nouns.ts'
import type { EntryFault } from '../../../protocol/entry-fault.ts'
import type { EffectRow, EntryRows, MagicRow } from '../../../protocol/entry-rows.ts'
import { ELSEWHERE } from '../../../protocol/expression.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'
import { canAct, type EntryEffects } from '../facts/entry-effects.ts'
import { OPERATOR_NAMES } from './evaluate.ts'

/** Names in every effect. */
const GIVEN = ['record', 'before', 'request', 'entry', 'item', 'position']
/** Fields of rows and steps with a collection's name. */
const COLLECTION_FIELDS = ['of', 'create', 'record']

/** What an entry's effects, magic and errors name, and neither its description nor the entry has. */
export function findFaults(book: EntryEffects, entryRows: EntryRows, model: ApiModel): EntryFault[] {
  const operations = model.operations.map(({ method, path }) => `${method} ${path}`)
  const collections = model.collections.map(({ name }) => name)
  const named = new Set([...GIVEN, ...OPERATOR_NAMES])
  const codes = book.errors.map(({ code }) => code)
  const faults: EntryFault[] = []
  const { effects = [], magic = [] } = entryRows
  const [rows, top] = Array.isArray(effects) ? [effects, []] : [effects.rows ?? [], ['rows']]
  const fields = [...fieldsIn('effects', rows, top), ...fieldsIn('magic', magic, [])]
  for (const { file, path, name, value } of fields) {
    const own = name === 'as' && typeof value === 'string' ? [value] : []
    for (const one of name === 'let' && isJsonObject(value) ? Object.keys(value) : own) {
      const text = `a value is named "${one}", which $${one} does not read: it is an expression. Name it otherwise.`
      if (OPERATOR_NAMES.includes(one)) faults.push({ file, path, text })
      named.add(one)
    }
  }
  const check = ({ file, path }: Place, what: string, name: unknown, known: readonly string[], step = ''): void => {
    if (typeof name !== 'string' || known.includes(name)) return
    faults.push({ file, path, text: `there is no ${what} "${name}".${didYouMean(name, known) || step}` })
  }
  for (const field of fields) {
    const { name, value, isExpression, isMade, path } = field
    const isOfRow = path.length === top.length + 2 || (field.file === 'magic' && path.length === 2)
    if (name === 'on' && isOfRow)
      for (const on of [value].flat())
        check(field, 'operation', on, field.file === 'magic' ? [...operations, ...book.names] : operations)
    if (COLLECTION_FIELDS.includes(name) && !isExpression) check(field, 'collection', value, collections)
    if (name.startsWith('$')) check(field, 'name', (name.split('.')[0] ?? '').slice(1), [...named], ` ${ELSEWHERE}`)
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
  for (const [at, row] of magic.entries()) {
    rowFaults.look(row, { file: 'magic', path: [at] })
    const operation = model.operations.find(({ method, path }) => row.on === `${method} ${path}`)
    if (operation === undefined || canAct(book.effectOf(operation) ?? {}, operation)) continue
    const text = `${row.on} writes no record, so the input never acts. Refuse it in a handler.`
    faults.push({ file: 'magic', path: [at, 'on'], text })
  }
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
}

const VALUE_FIELDS = ['set', 'values', 'answer', 'facts', 'where', 'when', 'body', 'error', 'data']
const MADE_FIELDS = ['value', 'data']

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
    if (!isList) yield { file, path: here, name, value: below, isExpression, isMade }
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
    const { let: sources = {}, also = [] } = 'also' in row || 'let' in row ? row : {}
    const at = (...names: (string | number)[]): Place => ({ file: place.file, path: [...place.path, ...names] })
    this.#lookValues(row.set, own, at('set'))
    if ('when' in row && !Array.isArray(row.when)) this.#lookValues(row.when, own, at('when'))
    for (const [name, source] of Object.entries(sources))
      if ('where' in source) this.#lookValues(source.where, source.of, at('let', name, 'where'))
    for (const [number, step] of also.entries()) {
      this.#lookValues(step.set, step.record?.of ?? own, at('also', number, 'set'))
      this.#lookValues(step.values, step.create, at('also', number, 'values'))
    }
    if (operations.length === 1 && first) this.#lookRequest(row, first, place)
  }

  #lookValues(
    values: Readonly<Record<string, Json>> | undefined,
    collection: string | undefined,
    { file, path }: Place,
  ): void {
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
