import type { Schema } from '../../../../schema/schema.ts'
import type { SchemaReader } from '../../schemas/schema-reader.ts'
import {
  countShared,
  fieldsOf,
  isArraySchema,
  isObjectSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { findRecordShape, hasOwnId, type RecordHints } from '../bodies/shapes.ts'
import type { ItemPath, PathSite, Placed } from '../paths/sites.ts'

/** The schema of a record in answers: the first object of item read, list item, create and update. */
export function answeredSchema(
  site: PathSite,
  item: ItemPath | undefined,
  list: Schema | undefined,
  hints: RecordHints,
): Schema | undefined {
  const read = recordOf(item?.operations.get('GET'), hints)
  if (read && isObjectSchema(read) && !(list && isElse(read, list, hints))) return read
  if (isObjectSchema(list)) return list
  for (const write of writesOf(site, item)) {
    const shown = recordOf(write, hints)
    if (shown && isObjectSchema(shown) && (hasOwnId(shown, hints.keys) || fieldsOf(shown).size > 2)) return shown
  }
  return undefined
}

/** Whether a read has no fields of the list's items, which have ids. */
function isElse(read: Schema, list: Schema, { keys }: RecordHints): boolean {
  const isItem = isObjectSchema(list) && hasOwnId(list, keys) && !hasOwnId(read, keys)
  return isItem && countShared(read, list) === 0 && !read.variants
}

/** The schema of a record that no answer shows: the request body's, else that of a read that is not an object. */
export function sentSchema(site: PathSite, item: ItemPath | undefined, hints: RecordHints): Schema | undefined {
  for (const write of writesOf(site, item)) {
    const sent = write && findRecordShape(schemaOfBody(write.draft.requestBody), hints)
    if (sent && isObjectSchema(sent.schema)) return sent.schema
  }
  const read = recordOf(item?.operations.get('GET'), hints)
  return read && !isArraySchema(read) ? read : undefined
}

/** The record of a request that takes no more fields: where paths name its key, the API itself keeps more. */
export function opened(sent: Schema | undefined, item: ItemPath | undefined, reader: SchemaReader): Schema | undefined {
  if (!item || sent?.additionalProperties !== false || sent.variants || sent.properties.size === 0) return sent
  const properties = Object.fromEntries([...sent.properties].map(([name, { raw }]) => [name, raw]))
  return reader.make({ type: 'object', properties, required: [...sent.required] }, sent.name)
}

function writesOf(site: PathSite, item: ItemPath | undefined): readonly (Placed | undefined)[] {
  const methods = ['PUT', 'PATCH', 'POST']
  return [site.own.get('POST'), ...methods.map((method) => item?.operations.get(method)), site.own.get('PUT')]
}

/** The record in an operation's answer. */
export function recordOf(operation: Placed | undefined, hints: RecordHints): Schema | undefined {
  return operation && findRecordShape(schemaOfResponse(operation.draft.success), hints).schema
}
