import { foldName } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import { allNames } from '../facts/intake.ts'
import type { ListParameters } from './list-parameters.ts'

/** One sort field. */
export interface SortField {
  readonly field: FieldPath
  readonly descending: boolean
}

const NO_SORT: SortField[] = []

/** The requested order: `-created`, `name:asc`, `sort=name&order=desc`. Empty: the natural order. */
export function readSort(parameters: ListParameters, values: Readonly<Record<string, Json>>): SortField[] {
  if (parameters.cutAlone(values)) return NO_SORT
  const { model } = parameters
  let direction: string | undefined
  const keys: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const { isSort, isDirection } = parameters.get(name)
    if (!isSort && !isDirection) continue
    const texts = toTexts(value)
    const saysDirection = texts.length === 1 && /^(asc|desc|ascending|descending)$/i.test(texts[0] as string)
    if (isDirection && saysDirection) direction = texts[0]
    else if (isSort) keys.push(...texts)
  }
  const fields = keys.map((key) => toSortField(model, key, direction)).filter((field) => field !== undefined)
  const created = model.timestamps.created
  if (fields.length > 0 || direction === undefined || created === undefined) return fields
  return [{ field: created, descending: /^desc/i.test(direction) }]
}

function toTexts(value: Json): string[] {
  if (typeof value === 'string')
    return value
      .split(/,(?!\s*(?:asc|desc)\b)/i)
      .map((text) => text.trim())
      .filter((text) => text !== '')
  if (Array.isArray(value)) return value.flatMap(toTexts)
  if (typeof value !== 'object' || value === null) return []
  const name = value.field ?? value.propertyName ?? value.property ?? value.key
  if (typeof name === 'string') return [`${name}:${String(value.direction ?? value.order ?? 'asc')}`]
  return Object.entries(value).map(([name, order]) => `${name}:${String(order)}`)
}

function toSortField(model: CollectionModel, key: string, direction: string | undefined): SortField | undefined {
  const match = /^([-+]?)([\w.-]+?)(?:[\s:,.|](asc|desc|ascending|descending|-?1))?$/i.exec(key)
  if (match === null) return undefined
  const field = findField(model, match[2] as string)
  const order = match[3] ?? direction
  return field && { field, descending: match[1] === '-' || (order !== undefined && /^(desc|-1)/i.test(order)) }
}

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
