import { didYouMean } from '../../names/nearest-name.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { Json } from '../../protocol/json.ts'
import type { RecordsQuery } from '../../protocol/reads.ts'
import { passes } from '../behaviour/steps/draw-targets.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { toFieldPath } from '../world/field.ts'
import type { Selection } from '../world/select.ts'

/** What a query selects of a collection. Throws `bad_request` for a field that its records do not have. */
export function toSelection(
  collection: CollectionModel,
  { limit, offset, where = {}, q, sort }: RecordsQuery,
): Selection {
  const text = q?.toLowerCase()
  return {
    limit,
    offset,
    where: Object.entries(where).map(([name, condition]) => ({
      field: knownField(collection, name, 'where'),
      test: (value) => passes(value, condition),
    })),
    ...(text !== undefined && { matches: (record) => holdsText(record, text) }),
    ...(sort !== undefined && {
      sort: sort.split(',').map((name) => ({
        field: knownField(collection, name.replace(/^-/, ''), 'sort'),
        descending: name.startsWith('-'),
      })),
    }),
  }
}

/** The path of a field that records may have. Throws `bad_request`. @param place where it is named */
export function knownField(
  { name, schema }: CollectionModel,
  field: string,
  place: string,
): ReturnType<typeof toFieldPath> {
  const path = toFieldPath(field)
  const known = [...(schema?.fields.keys() ?? [])]
  const [first = ''] = path
  if (known.length === 0 || known.includes(first)) return path
  const shown = field.slice(0, 100)
  const hint = didYouMean(first, known)
  throw badRequest(`Expected \`${place}\` to name a field of collection "${name}", got "${shown}".${hint}`)
}

/** Whether a value, or one inside of it, holds a text. @param text in lower case */
function holdsText(value: Json, text: string): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((inner) => holdsText(inner, text))
  return String(value).toLowerCase().includes(text)
}
