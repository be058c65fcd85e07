import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import { countShared, fieldsOf, isAlike, isArraySchema, isObjectSchema } from './bodies.ts'
import { findRecordShape, type RecordHints } from './shapes.ts'

/**
 * How each item of a list wraps its record, `[{ customer: {...} }]`; undefined where the items are the records. Only a
 * schema of single reads distinguishes the record from its wrapper.
 */
export function wrapperOf(
  item: Schema,
  hints: RecordHints,
  record: Schema | undefined,
): { readonly path: FieldPath; readonly record: Schema } | undefined {
  if (!record || item === record || !isObjectSchema(item)) return undefined
  const found = findRecordShape(item, hints)
  const { path, schema } = found.path.length > 0 ? found : listWithin(item)
  if (path.length === 0 || !schema || !isObjectSchema(schema)) return undefined
  const shared = countShared(schema, record)
  return (schema === record || isAlike(schema, record)) && countShared(item, record) < shared
    ? { path, record: schema }
    : undefined
}

/** `[{ tax_rates: [...] }]`: the list in the only field of an item. */
function listWithin(item: Schema): { readonly path: FieldPath; readonly schema: Schema | undefined } {
  const [only, ...more] = [...fieldsOf(item)]
  const isList = only !== undefined && more.length === 0 && isArraySchema(only[1])
  return isList ? { path: [only[0]], schema: only[1].items } : { path: [], schema: undefined }
}
