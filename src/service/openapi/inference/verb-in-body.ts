import type { Schema } from '../../../schema/schema.ts'
import type { VerbInBody } from '../action-setting.ts'
import type { OperationDraft } from '../operation-draft.ts'
import { schemaBelow } from '../schemas/schema-fields.ts'
import { settingsOf } from './action-settings.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { findStatusField } from './record-fields.ts'
import { kindOfVerb, statusAfter } from './verbs.ts'

/** Names of a body's field for the verb. */
const VERB_FIELDS = ['action', 'command', 'operation', 'op', 'verb']

/** `POST /clients/bulk { action, ids }`, `POST /servers/{id}/action { action }`: the body has the verb. */
export function verbInBody(
  { requestBody }: OperationDraft,
  { schema, isPlain }: CollectionDraft,
): VerbInBody | undefined {
  const fields = fieldsOf(schemaOfBody(requestBody))
  const field = VERB_FIELDS.find((name) => fields.has(name) && isScalarSchema(fields.get(name)))
  if (field === undefined || fieldsOf(schema).has(field)) return undefined
  return {
    field,
    outcomeOf: (verb) =>
      kindOfVerb(verb.toLowerCase()) === 'delete'
        ? undefined
        : { toStatus: statusLedTo(verb, schema), sets: settingsOf(verb, schema, { isOpen: isPlain }) },
  }
}

/** The status after a verb. */
export function statusLedTo(verb: string, schema: Schema | undefined): string | boolean | undefined {
  const status = findStatusField(schema)
  return status === null ? undefined : statusAfter(verb, schemaBelow(schema, status), status.at(-1) ?? '')
}
