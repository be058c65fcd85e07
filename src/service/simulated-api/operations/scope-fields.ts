import { type JsonObject, writeField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import { coerce } from '../body/coerce.ts'

/** The fields by which the path that a record is made below will find it again: `parent_id` of a subtask. */
export function scopeFields(model: CollectionModel, matches: readonly ScopeMatch[]): JsonObject {
  return matches.reduce<JsonObject>((fields, { value, field }) => {
    const schema = field && schemaAt(model.schema, field)
    if (field === undefined || schema === undefined || schema.types.includes('array')) return fields
    const held = coerce(value, schema)
    return fits(schema, held) ? writeField(fields, field, held) : fields
  }, {})
}
