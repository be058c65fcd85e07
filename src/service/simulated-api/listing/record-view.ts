import { getOwn, isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Parameter } from '../../openapi/model.ts'
import type { Query } from '../validation/read-query.ts'

/** A requested view of records: selected fields, or related records in place of their ids. */
export interface RecordView {
  readonly fields: ReadonlySet<string> | undefined
  readonly expand: readonly (readonly string[])[]
}

/** Names of the parameters for views, if an operation declares any. */
export interface ViewParameters {
  readonly fields: string | undefined
  readonly expand: string | undefined
}

const FIELD_PARAMS = /^(fields|opt_fields|field|select|\$select|only|_fields|include_fields)$/i
const EXPAND_PARAMS = /^(expand|\$expand|_expand|embed|include|includes|with)(\[\])?$/i

export function findViewParameters(parameters: readonly Parameter[]): ViewParameters {
  const names = parameters.map(({ name }) => name)
  return {
    fields: names.find((name) => FIELD_PARAMS.test(name)),
    expand: names.find((name) => EXPAND_PARAMS.test(name)),
  }
}

/** The requested view by declared parameters; undefined for the default. */
export function readView({ pairs, values }: Query, names: ViewParameters): RecordView | undefined {
  if (pairs.length === 0) return undefined
  const fields = names.fields === undefined ? [] : toNames(getOwn(values, names.fields))
  const expand = names.expand === undefined ? [] : toNames(getOwn(values, names.expand))
  if (fields.length === 0 && expand.length === 0) return undefined
  const tops = fields.map((field) => field.split(/[.(]/, 1)[0] as string)
  return { fields: fields.length === 0 ? undefined : new Set(tops), expand: expand.map((path) => path.split('.')) }
}

function toNames(value: Json | undefined): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  if (Array.isArray(value)) return value.flatMap((item) => toNames(item))
  return isJsonObject(value) ? Object.values(value).flatMap((item) => toNames(item)) : []
}
