import { foldName } from '../../../names/words.ts'
import { type Json, jsonOr } from '../../../protocol/json.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import { allNames } from '../facts/intake.ts'
import { DIRECTION_FLAG, type ListParameters } from './list-parameters.ts'

export interface SortField {
  readonly field: FieldPath
  readonly descending: boolean
  readonly isDecimal?: boolean
}

const NO_SORT: SortField[] = []

/** The words for a direction, in any case. */
const DIRECTION = /^(?:asc|desc|ascending|descending|[+-]?1)$/i
const DESCENDING = /^(?:desc|-)/i
/** `-name`, `name:asc`, `name desc nulls last`. */
const KEY = /^([-+!~]?)\s*([\w.-]+?)(?:[\s:,.|;/]+(asc|desc|ascending|descending|-?1)(?:\s+nulls\s+\w+)?)?$/i
/** `desc(name)`, `desc:name`. */
const DIRECTION_FIRST = /^(asc|desc|ascending|descending)[\s:(]+([\w.-]+)\)?$/i
/** `name_desc`, `nameDesc`, `name-desc`. */
const DIRECTION_LAST = /^([\w.-]+?)[_-]?(asc|desc|ascending|descending)$/i

/** The requested order: `-created`, `name:asc`, `sort=name&order=desc`. Empty: the natural order. */
export function readSort(parameters: ListParameters, values: Readonly<Record<string, Json>>): SortField[] {
  if (parameters.cutAlone(values)) return NO_SORT
  const { model } = parameters
  let directions: readonly string[] = []
  /** Says the direction of sort keys, but orders nothing by itself. */
  let flagged: readonly string[] = []
  const keys: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const { isSort, isDirection } = parameters.get(name)
    if (!isSort && !isDirection) continue
    const flag = isDirection ? DIRECTION_FLAG.exec(foldName(name)) : null
    if (flag) {
      flagged = isTrue(value) === (flag[1] === undefined) ? ['desc'] : ['asc']
      continue
    }
    const texts = toTexts(value)
    const words = texts.flatMap((text) => text.split(','))
    // Vikunja's `sort_by=title&order_by=desc`.
    if (words.length > 0 && words.every((word) => DIRECTION.test(word))) directions = words
    else if (isSort) keys.push(...texts)
  }
  const fields = keys
    .map((key, at) => toSortField(model, key, directions[at] ?? directions[0] ?? flagged[0]))
    .filter((field) => field !== undefined)
  const created = model.timestamps.created
  const [direction] = directions
  if (fields.length > 0 || direction === undefined || created === undefined) return fields
  return [{ field: created, descending: DESCENDING.test(direction) }]
}

const isTrue = (value: Json): boolean => /^(true|1|yes|on|)$/i.test(String(value))

function toTexts(value: Json): string[] {
  if (typeof value === 'string') {
    const written = /^\s*[[{]/.test(value) ? jsonOr(value, value) : value
    if (typeof written !== 'string') return toTexts(written)
    return written
      .split(/[,;](?!\s*(?:(?:asc|desc)(?:ending)?|[+-]?1)\s*(?:[,;]|nulls|$))/i)
      .map((text) => text.trim())
      .filter((text) => text !== '')
  }
  // `sort=name,desc` of a list: the direction is an item of its own.
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? toTexts(value.join(',')) : value.flatMap(toTexts)
  if (typeof value !== 'object' || value === null) return []
  const name = value.field ?? value.propertyName ?? value.property ?? value.key ?? value.column ?? value.id ?? value.by
  if (typeof name !== 'string') return Object.entries(value).map(([field, order]) => `${field}:${String(order)}`)
  const order = value.direction ?? value.order ?? value.dir ?? (value.desc === true ? 'desc' : 'asc')
  return [`${name}:${String(order)}`]
}

function toSortField(model: CollectionModel, key: string, usual = 'asc'): SortField | undefined {
  const [, sign, name, order] = KEY.exec(key) ?? []
  const field = name === undefined ? undefined : findField(model, name)
  const isDecimal = (at: FieldPath): boolean => schemaAt(model.schema, at)?.format === 'decimal'
  if (field !== undefined)
    return { field, descending: isFalling(sign) || DESCENDING.test(order ?? usual), isDecimal: isDecimal(field) }
  const [, first, second] = DIRECTION_FIRST.exec(key) ?? []
  const [, before, last = first ?? ''] = DIRECTION_LAST.exec(key) ?? []
  const other = findField(model, second ?? before ?? '')
  return other && { field: other, descending: DESCENDING.test(last), isDecimal: isDecimal(other) }
}

const isFalling = (sign: string | undefined): boolean => sign === '-' || sign === '!' || sign === '~'

function findField(model: CollectionModel, name: string): FieldPath | undefined {
  const wanted = foldName(name)
  const { created, updated } = model.timestamps
  if (created && /^(created|date|createdat|creationdate|createddate)$/.test(wanted)) return created
  if (updated && /^(updated|modified|updatedat|lastmodified|pushed)$/.test(wanted)) return updated
  for (const schema of [model.schema, model.listSchema]) {
    for (const [field, type] of allNames(schema)) {
      if (foldName(field) === wanted) return [field]
      if (field !== 'attributes' && field !== 'properties') continue
      for (const below of type.properties.keys()) if (foldName(below) === wanted) return [field, below]
    }
  }
  return undefined
}
