import { foldNoun } from '../../../../names/nouns.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { Effect } from '../../model.ts'
import { fieldsOf, isArraySchema } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { lastStatic } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/**
 * `PATCH` and `DELETE /plans/{code}/metadata`, `PUT` and `DELETE /plans/{code}/metadata/{key}` without a read of their own,
 * where plans have a map `metadata`: its entries.
 */
export function mapEffect(
  kit: Kit,
  operation: Placed,
  site: PathSite,
  collection: CollectionDraft | undefined,
): Effect | undefined {
  const [param, ...more] = operation.shape.trailing
  if (more.length > 0 || (collection && kit.catalogue.isReadable(collection)) || isRead(site, param)) return undefined
  const to = changeOf(operation.draft.method, param !== undefined)
  const owner = to && kit.surroundings.around(site.steps.slice(0, -1))
  const field = owner?.isRecord ? mapOf(owner.collection.schema, foldNoun(lastStatic(site.steps))) : undefined
  if (!to || !owner || !field) return undefined
  return kit.build.member(operation, owner, param === undefined ? { field, to } : { field, to, param })
}

function isRead({ own, items }: PathSite, param: string | undefined): boolean {
  return param === undefined ? own.has('GET') : (items.get(param)?.operations.has('GET') ?? false)
}

function changeOf(method: string, isEntry: boolean): ActionSetting['to'] | undefined {
  if (method === 'DELETE') return isEntry ? 'removed' : 'cleared'
  return /^(PUT|POST|PATCH)$/.test(method) ? (isEntry ? 'item' : 'argument') : undefined
}

/** The field of a record that may have any entries, and this name. */
function mapOf(schema: Schema | undefined, noun: string): FieldPath | undefined {
  const [only, ...more] = namedFields(schema)
    .ofNoun(noun)
    .filter(
      ({ schema: field }) => field.types.includes('object') && !isArraySchema(field) && fieldsOf(field).size === 0,
    )
  return only && more.length === 0 && !only.schema.readOnly ? [only.name] : undefined
}
