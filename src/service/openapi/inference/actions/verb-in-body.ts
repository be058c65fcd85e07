import { kindOfVerb } from '../../../../names/verbs.ts'
import type { Json } from '../../../../protocol/json.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { VerbInBody } from '../../action-setting.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { SettingFinder } from './setting-rules.ts'
import { statusLedTo } from './status.ts'

/** Names of a body's field for the verb. */
const VERB_FIELDS = ['action', 'command', 'operation', 'op', 'verb']
/** Most values of a field that are compared with verbs. */
const MOST = 50

/**
 * `POST /clients/bulk { action, ids }`, `POST /servers/{id}/action { action }`: the body has the verb. Of a call without
 * a verb of its own, any field whose fixed values are such verbs: `{ message_type: "close" }`.
 */
export function verbInBody(
  { requestBody }: OperationDraft,
  { schema, isPlain }: CollectionDraft,
  settings: SettingFinder,
  isVerbless = false,
): VerbInBody | undefined {
  const fields = fieldsOf(schemaOfBody(requestBody))
  const known = fieldsOf(schema)
  const field = VERB_FIELDS.find((name) => fields.has(name) && isScalarSchema(fields.get(name)))
  if (field !== undefined && !known.has(field)) {
    return withOutcomes({ field, by: isPlain ? 'openVerb' : 'verb' }, schema, settings)
  }
  const isVerb = (value: Json) => typeof value === 'string' && statusLedTo(value, schema) !== undefined
  const [chosen] = (isVerbless && [...fields].find(([, { enum: values }]) => values?.slice(0, MOST).some(isVerb))) || []
  if (chosen === undefined || known.has(chosen)) return undefined
  return withOutcomes({ field: chosen, by: 'status' }, schema, settings)
}

/** Adds the outcomes of verbs on a record of this schema. */
export function withOutcomes(
  written: Pick<VerbInBody, 'field' | 'by'>,
  schema: Schema | undefined,
  settings = new SettingFinder(),
): VerbInBody {
  const { field, by } = written
  const outcomeOf: VerbInBody['outcomeOf'] = (verb) => {
    const toStatus = statusLedTo(verb, schema)
    if (by === 'status') return { toStatus, sets: [] }
    if (kindOfVerb(verb.toLowerCase()) === 'delete') return undefined
    return { toStatus, sets: settings.settingsOf(verb, schema, by === 'openVerb') }
  }
  return { field, by, outcomeOf }
}
