import { endsInKey, keyNamesOf, nounOfId } from '../../../names/id-names.ts'
import { foldNoun, singularOf } from '../../../names/nouns.ts'
import { BODY_PAGING } from '../../../names/paging-words.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation, Parameter } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import { allNames, uniqueFields } from '../facts/intake.ts'
import { isFlag, isOperator } from './comparison.ts'

/** The meaning of a list parameter, by its name. */
export interface ListParameter {
  /**
   * The role of a parameter without effect on a field: paging, display, words to search for, `filter=...` in a query
   * language, the parent record, or unknown.
   */
  readonly role: 'page' | 'shown' | 'words' | 'filter' | 'parent' | 'unknown'
  /** The filtered field. */
  readonly target: Target | undefined
  /** The collection of the record to which the field must refer, where the operation requires the parameter. */
  readonly refersTo: { readonly collection: string | undefined } | undefined
  /** Whether every list is of one owner: the operation requires the parameter. */
  readonly isOwner: boolean
  readonly isSort: boolean
  readonly isDirection: boolean
}

/** The query parameters of one operation on a collection. */
export class ListParameters {
  readonly operation: Operation
  readonly model: CollectionModel
  readonly fields: FilterFields
  /** Names of paging parameters. */
  readonly #paging: ReadonlySet<string>
  readonly #declared = new Map<string, ListParameter>()
  /** Declared defaults of the order and of the status; a default that the status has too is that of new records. */
  readonly #defaults: Readonly<Record<string, Json>>
  /** Names of declared parameters without effect. */
  readonly unread: readonly string[]
  readonly hiding: readonly Hiding[]

  constructor(operation: Operation, model: CollectionModel, fields: FilterFields) {
    this.operation = operation
    this.model = model
    this.fields = fields
    const { effect } = operation
    this.#paging = new Set('paging' in effect ? Object.values(effect.paging).map(String) : [])
    for (const { name, in: place } of operation.parameters) {
      if (place === 'query') this.#declared.set(name, this.#find(name))
    }
    this.#defaults = this.#findDefaults()
    const isList = effect.kind === 'list' || effect.kind === 'search'
    const declared = isList ? [...this.#declared] : []
    this.unread = declared.filter(([name, parameter]) => isUnread(name, parameter)).map(([name]) => name)
    this.hiding = declared.flatMap(([name]) => findHiding(fields, name) ?? [])
  }

  /** The values of a query, with the declared defaults of the order and of the status. */
  withDefaults(values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
    return { ...this.#defaults, ...values }
  }

  #findDefaults(): Readonly<Record<string, Json>> {
    const defaults = this.operation.parameters.flatMap(({ name, in: place, schema }): [string, Json][] => {
      const { isSort, isDirection, target } = (place === 'query' && this.#declared.get(name)) || UNKNOWN
      const usual = schema?.default
      const isStatus = target && target.field === this.fields.status && target.field.schema.default !== usual
      const isKept = isSort || isDirection || isStatus || target?.operator === 'exists' || HIDING.test(foldName(name))
      return usual !== undefined && usual !== null && isKept ? [[name, usual]] : []
    })
    return Object.fromEntries(defaults)
  }

  /** Whether all parameters are for paging: none filters or sorts. */
  cutAlone(values: Readonly<Record<string, unknown>>): boolean {
    for (const name in values) {
      const { role, isSort, isDirection } = this.#declared.get(name) ?? UNKNOWN
      if (role !== 'page' || isSort || isDirection) return false
    }
    return true
  }

  /** A parameter by its name, declared or not. */
  get(name: string): ListParameter {
    return this.#declared.get(name) ?? this.#find(name)
  }

  #find(name: string): ListParameter {
    const inner = IN_FILTER.exec(name)?.[1]
    if (inner !== undefined) return this.#find(inner)
    const folded = foldName(name)
    const declared = this.operation.parameters.find((one) => one.name === name)
    const named = findTarget(this.fields, name, declared?.description) ?? this.#ownKey(folded)
    const isTime = named !== undefined && asksFlag(declared) && !holdsFlag(named.field.schema)
    const target = isTime ? timeOfFlag(this.fields, folded) : asText(declared, named)
    const isPage = this.#paging.has(name) || this.#pagesBody(name)
    return {
      role: isPage ? 'page' : roleOf(folded, this.model),
      target: isPage ? undefined : target,
      refersTo: target && this.#mustReferTo(name, target.field.path),
      isOwner: target !== undefined && OWNER.test(folded) && this.#requires(name),
      isSort: SORT.test(folded),
      isDirection: DIRECTION.test(folded) || (target === undefined && DIRECTION_FLAG.test(folded)),
    }
  }

  /** `linkId` of links; `ids` of records whose key has another name; `org` of organizations with a `name`, called `orgs`. */
  #ownKey(folded: string): Target | undefined {
    const { id, name } = this.model
    const noun = foldNoun(name.split('_').at(-1) ?? name)
    const key = id.field?.length === 1 ? this.fields.byName.get(foldName(id.field[0] ?? '')) : undefined
    if (key && ['ids', ...keyNamesOf(noun).flatMap((one) => [one, `${one}s`])].includes(folded)) return { field: key }
    const called = folded === noun || folded === `${noun}name` ? this.fields.byName.get('name') : undefined
    return called && { field: called }
  }

  /** Finds required filters by relation, whose record may be unknown here. */
  #mustReferTo(name: string, field: FieldPath): ListParameter['refersTo'] {
    if (!this.#requires(name)) return undefined
    const relation = this.model.relations.find((candidate) => candidate.field[0] === field[0])
    const schema = allNames(this.model.schema).get(field[0] ?? '')
    const isObject = schema?.types.includes('object') || schema?.items?.types.includes('object')
    return relation || isObject ? { collection: relation?.collection } : undefined
  }

  /** `{ after, limit }` in the body of a search: a page, unless they are times. */
  #pagesBody(name: string): boolean {
    const { method, requestBody } = this.operation
    if (
      method === 'GET' ||
      requestBody === undefined ||
      !BODY_PAGING.has(name) ||
      this.fields.byName.has(foldName(name))
    )
      return false
    return ![...requestBody.content.values()].some((schema) => /^date/.test(schema?.fields.get(name)?.format ?? ''))
  }

  #requires(name: string): boolean {
    return this.operation.parameters.some((parameter) => parameter.required && parameter.name === name)
  }
}

const PART_OF_TEXT = /\b(search(es|ed)?|partial(ly)?|contains|substring)\b/i

/** `title`, described as "Search title", `username` as "The partial or complete username": a part of the text is enough. */
function asText(declared: Parameter | undefined, target: Target | undefined): Target | undefined {
  const { name = '', schema, description = '' } = declared ?? {}
  const isText = [schema, target?.field.schema].every(
    (one) => one?.types.join() === 'string' && !one.enum && !one.format,
  )
  const isPart = PART_OF_TEXT.test(description) && !/\bexact/i.test(description) && !endsInKey(name)
  return target && !target.operator && isText && isPart ? { ...target, operator: 'contains' } : target
}

/** `redirects=true` includes records with a `redirect`, which is an address. */
const asksFlag = (declared: Parameter | undefined): boolean =>
  isFlag(declared?.schema) || declared?.schema?.enum?.every((value) => /^(true|false)$/.test(String(value))) === true

/** Whether a field may be true or false, or a word for it. */
const holdsFlag = ({ types, enum: values }: Schema): boolean =>
  types.length === 0 ||
  types.includes('boolean') ||
  values?.some((value) => /^(true|false)$/.test(String(value))) === true

/** Records that a list has only on request, or not on request: `include_archived`, `exclude_archived`. */
export interface Hiding {
  readonly parameter: string
  readonly isOnRequest: boolean
  /** The field of what is hidden, and whether a record is seen. */
  readonly field: FieldPath
  readonly test: (stored: Json | undefined) => boolean
}

const HIDING =
  /^(include|with|show|exclude|without|hide)((?:archiv|delet|disabl|trash|clos|expir|revok|cancel|suspend)\w*ed|inactive)$/

/** `archived=true` of records with an `archivedAt`: those that have one. */
function timeOfFlag({ byName }: FilterFields, folded: string): Target | undefined {
  const field = byName.get(`${folded}at`) ?? byName.get(`${folded}on`)
  return field && isDate(field.schema) ? { field, operator: 'exists' } : undefined
}

/** `archived`, `is_archived`, `archived_at`, or a status of that name. */
function findHiding({ byName, status }: FilterFields, parameter: string): Hiding | undefined {
  const [, verb = '', word = ''] = HIDING.exec(foldName(parameter)) ?? []
  if (word === '') return undefined
  const isOnRequest = /^(exclude|without|hide)$/.test(verb)
  const opposite = word === 'inactive' ? (byName.get('active') ?? byName.get('isactive')) : undefined
  if (opposite) return { parameter, isOnRequest, field: opposite.path, test: (stored) => stored !== false }
  const flag = byName.get(word) ?? byName.get(`is${word}`) ?? byName.get(`${word}at`)
  if (flag) return { parameter, isOnRequest, field: flag.path, test: (stored) => stored === undefined || !stored }
  const value = status?.schema.enum?.find((one) => foldName(String(one)) === word)
  return status && value !== undefined
    ? { parameter, isOnRequest, field: status.path, test: (stored) => stored !== value }
    : undefined
}

/** Names of what owns all records of a list. */
const OWNER =
  /^(owner|org|organi[sz]ation|tenant|workspace|account|project|namespace|site|team|company)(id|uuid|key|name|slug|code)?$/

const UNKNOWN: ListParameter = {
  role: 'unknown',
  target: undefined,
  refersTo: undefined,
  isOwner: false,
  isSort: false,
  isDirection: false,
}

const isUnread = (name: string, { role, target, isDirection }: ListParameter): boolean =>
  role === 'unknown' && target === undefined && !isDirection && !/^(sort|order|ids$)/.test(foldName(name))

export const FILTER_OBJECT = /^(filters?|where|query|_filter|\$filter)$/i
/** A declared parameter inside such an object: `filter[state]`. */
const IN_FILTER = /^(?:filters?|where|query|_filter|\$filter)\[([^[\]]+)\]/i

/** Parameters about the display of a list, not its content. */
const PRESENTATION =
  /^(sort|sortby|sortorder|sortdir|sortdirection|sortfield|sortkey|orderby|ordering|order|orderdir|orderdirection|direction|dir|fields|optfields|optpretty|pretty|select|expand|include|includes|embed|with|format|locale|lang|language|version|apiversion|accesstoken|apikey|key|token|callback|include\w+|with\w+|omit\w*|exclude\w*)$/
const WORDS = /^(q|filter|filters|query|search|search(?:term|text|string|query)|keyword|keywords|term|text)$/
const FILTER_NAME = /^filters?$/
const SORT = /^(sorts?|sortby|orderby|ordering|order|sortfield|sortkey|sortcolumn|ordercolumn|orderfield)$/
const DIRECTION = /^(direction|dir|order|sortorder|sortdir|sortdirection|orderdir|orderdirection|ordertype|sorttype)$/
/** `desc=true`, `sortDesc=true`, `asc=false`, where no field has this name. */
export const DIRECTION_FLAG = /^(?:(?:sort|order)(?:by)?)?(?:desc(?:ending)?|reversed?|(asc(?:ending)?))$/
/** A time range without a field of that name: it applies to the records' only date. */
const FROM_DATE =
  /^(?:(?:start|from|begin|min|since|after|earliest)(?:date|day|time|datetime)?|(?:date|day|time)(?:from|start|since|after|min|gte))$/
const TO_DATE =
  /^(?:(?:end|to|until|max|before|latest)(?:date|day|time|datetime)?|(?:date|day|time)(?:to|end|until|before|max|lte))$/
const STATUS = /^(state|status|stat(?:e|us)filter)$/
const AFTER = /^(.+?)(after|since|from|gte|gt|min|start)$/
const BEFORE = /^(.+?)(before|until|to|lte|lt|max|end)$/

function roleOf(folded: string, model: CollectionModel): ListParameter['role'] {
  if (PRESENTATION.test(folded)) return 'shown'
  if (WORDS.test(folded)) return FILTER_NAME.test(folded) ? 'filter' : 'words'
  return namesParent(folded, model) ? 'parent' : 'unknown'
}

/** `project=12` where only the path of records has their project. */
function namesParent(folded: string, { parent }: CollectionModel): boolean {
  if (parent === undefined) return false
  const singular = foldNoun(parent.collection)
  const names = [parent.param, parent.collection, `${parent.collection}id`].map(foldName)
  return names.includes(folded) || folded === singular || folded === `${singular}id`
}

/** The field and operator of a parameter. */
export interface Target {
  readonly field: Field
  /** @default equality */
  readonly operator?: string
  /** Whether it is a bound: `created_after`, `min_price`, `startDate`. */
  readonly isBound?: true
}

function findTarget(fields: FilterFields, name: string, text = ''): Target | undefined {
  const dotted = name.split(/__|\./)
  const operator = dotted.length > 1 ? (dotted.at(-1) as string) : undefined
  if (operator !== undefined && isOperator(operator)) {
    const field = findField(fields, dotted.slice(0, -1).join('_'))
    return field && { field, operator }
  }
  const field = findField(fields, name)
  return field ? { field } : findBound(fields, foldName(name), text)
}

/** `created_after`, `min_price`, `due_date_to`: a bound of a field. `startDate`, `dateTo`: one of the only date, or of the one in its text. */
function findBound(fields: FilterFields, name: string, text: string): Target | undefined {
  const after = AFTER.exec(name)?.[1] ?? /^(?:min|from|since)(.+)$/.exec(name)?.[1]
  const before = BEFORE.exec(name)?.[1] ?? /^(?:max|until|to)(.+)$/.exec(name)?.[1]
  const base = after ?? before
  const named = base === undefined ? undefined : (findField(fields, base) ?? findDateOf(fields, base))
  const operator = operatorOf(name, after !== undefined || FROM_DATE.test(name))
  if (named) return { field: named, operator, isBound: true }
  const date = FROM_DATE.test(name) || TO_DATE.test(name) ? fields.dateOf(text) : undefined
  return date && { field: date, operator, isBound: true }
}

/** `before` and `lt` exclude their bound. */
function operatorOf(name: string, isFrom: boolean): string {
  if (isFrom) return /gt$/.test(name) ? 'gt' : 'gte'
  return /before|lt$/.test(name) ? 'lt' : 'lte'
}

/**
 * `arriving_from` of records with an `arrival`, `due_before` of those with a `dueOn`: the only date with a word of that
 * beginning. `closing_before` beside `closed_at` and `expected_close_date` may be either.
 */
function findDateOf({ byName }: FilterFields, base: string): Field | undefined {
  const stem = base.replace(/(?<=.{4})(ing|ed)$/, '')
  const isOf = ({ path, schema }: Field) =>
    isDate(schema) && wordsOf(path.at(-1) ?? '').some((word) => word.startsWith(stem))
  const dates = [...byName.values()].filter(isOf)
  return stem.length < 3 || dates.length > 1 ? undefined : dates[0]
}

/** The field of that name, allowing for `_id` and `_at`, singular and plural, and synonyms of the status. */
function findField({ byName, status }: FilterFields, name: string): Field | undefined {
  const folded = foldName(name)
  const base = nounOfId(name)
  const one = singularOf(folded)
  const ofStatus = STATUS.test(one) || STATUS.test(folded) ? status : undefined
  return (
    byName.get(folded) ??
    byName.get(`${folded}id`) ??
    byName.get(`${folded}at`) ??
    byName.get(`${folded}date`) ??
    byName.get(`${folded}s`) ??
    listOf(byName, folded) ??
    (base === undefined ? undefined : (byName.get(base) ?? byName.get(`${base}id`))) ??
    byName.get(one) ??
    (isFlag(ofStatus?.schema) ? undefined : ofStatus) ??
    inPart(byName, folded) ??
    ofStatus
  )
}

/** `city` of hotels with an `address { city }`, where no other part has one. `lat` is where to look, `width` what to show. */
function inPart(byName: FilterFields['byName'], folded: string): Field | undefined {
  if (PRESENTATION.test(folded) || WORDS.test(folded)) return undefined
  const found = [...byName.values()].flatMap(({ path, schema }) =>
    [...schema.properties].flatMap(([name, inner]): Field[] => {
      const isNumber = /number|integer/.test(inner.types.join()) && !endsInKey(name)
      const isValue = inner.properties.size === 0 && inner.items === undefined && !isNumber
      return isValue && foldName(name) === folded ? [{ path: [...path, name], schema: inner }] : []
    }),
  )
  return found.length === 1 ? found[0] : undefined
}

/** `amenity` of records with `amenities`. */
function listOf(byName: FilterFields['byName'], singular: string): Field | undefined {
  for (const [name, field] of byName)
    if (field.schema.types.includes('array') && singularOf(name) === singular) return field
  return undefined
}

interface Field {
  readonly path: FieldPath
  readonly schema: Schema
}

/** Fields of a collection's records for filter parameters. */
export interface FilterFields {
  readonly byName: ReadonlyMap<string, Field>
  readonly status: Field | undefined
  /** The date that a text names; else the only one besides those of creation and change; of several, the date or the start. */
  readonly dateOf: (text: string) => Field | undefined
}

export function findFilterFields(model: CollectionModel): FilterFields {
  const byName = fieldsByName(model)
  const status = model.statusField?.length === 1 ? byName.get(foldName(model.statusField[0] ?? '')) : undefined
  return { byName, status, dateOf: findDate(model, byName) }
}

/** `email` of members with an `invite { email }`; parts that are other records come last. */
function naturalInParts({ schema }: CollectionModel): [Schema, FieldPath][] {
  const parts = [...allNames(schema)].map(([part, field]) => ({ part, field, names: allNames(field) }))
  const ordered = [...parts.filter(({ names }) => !names.has('id')), ...parts.filter(({ names }) => names.has('id'))]
  return ordered.flatMap(({ part, field, names }) =>
    uniqueFields(field).map((name): [Schema, FieldPath] => [names.get(name) as Schema, [part, name]]),
  )
}

function findDate({ timestamps }: CollectionModel, byName: FilterFields['byName']): FilterFields['dateOf'] {
  const [created, updated] = [timestamps.created?.[0], timestamps.updated?.[0]]
  const isOther = (name: string | undefined) => name !== created && name !== updated
  const dates = [...byName.values()].filter(({ path, schema }) => isDate(schema) && isOther(path[0]))
  const called = (names: RegExp) => dates.find(({ path }) => names.test(foldName(path.at(-1) ?? '')))
  const usual = dates.length > 1 ? (called(/^date$/) ?? called(/^starts?(at|on|date|time|datetime)?$/)) : dates[0]
  return (text) => {
    const isOfStart = /\bcreated/i.test(text)
    const named = isOfStart === /\b(updated|modified)/i.test(text) ? undefined : isOfStart ? created : updated
    return byName.get(foldName(named ?? '')) ?? usual
  }
}

export const isDate = ({ format, items }: Schema): boolean => /^date(-time)?$/.test(format ?? items?.format ?? '')

/** Fields by folded name: of the list's own schema, if different, and of JSON:API's attributes. */
function fieldsByName(model: CollectionModel): ReadonlyMap<string, Field> {
  const table = new Map<string, Field>()
  const add = (schema: Schema | undefined, path: FieldPath): void => {
    for (const [name, field] of allNames(schema)) {
      const folded = foldName(name)
      if (!table.has(folded)) table.set(folded, { path: [...path, name], schema: field })
    }
  }
  // The `type` of a resource of JSON:API is that of all records: its attributes may have their own.
  const own = allNames(model.schema)
  const isResource = own.has('type') && own.has('attributes')
  if (isResource) add(own.get('attributes'), ['attributes'])
  add(model.schema, [])
  add(model.listSchema, [])
  if (isResource && table.get('type')?.path.length === 1) table.delete('type')
  for (const holder of ['attributes', 'properties']) add(own.get(holder), [holder])
  // `filter[author]` of resources of JSON:API: who they are related to.
  for (const { field: path } of model.relations) {
    const schema = path[0] === 'relationships' ? schemaAt(model.schema, path) : undefined
    const folded = foldName(path[1] ?? '')
    if (schema && path.at(-1) === 'id' && !table.has(folded)) table.set(folded, { path, schema })
    // `?movieId=` of sessions with a `movie { movieId }`.
    const [outer = '', inner, ...deeper] = path
    const key = inner === undefined || deeper.length > 0 ? undefined : schemaAt(model.schema, path)
    const ofOther = `${foldName(outer)}id`
    if (key && !table.has(ofOther)) table.set(ofOther, { path, schema: key })
  }
  for (const [field, path] of naturalInParts(model)) {
    const folded = foldName(path.at(-1) ?? '')
    if (!table.has(folded)) table.set(folded, { path, schema: field })
  }
  return table
}
