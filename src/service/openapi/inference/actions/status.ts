import { gerundsOf, kindOfVerb, oppositeOf, participlesOf, statesAfter, verbWords } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Json } from '../../../../protocol/json.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { VerbInBody } from '../../action-setting.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { describedValues, findStatusField } from '../collections/record-fields.ts'
import { SettingFinder } from './setting-rules.ts'

/** The status after a verb; a status is its own. */
export function statusLedTo(
  verb: string,
  schema: Schema | undefined,
  status = findStatusField(schema),
): string | boolean | undefined {
  const field = status === null ? undefined : schemaBelow(schema, status)
  if (status === null || field === undefined) return undefined
  return statusAfter(verb, field, status.at(-1) ?? '') ?? (field.enum?.includes(verb) ? verb : undefined)
}

/** The value of a status field after a verb, where the verb's states and the allowed values agree on one. */
export function statusAfter(verb: string, field: Schema | undefined, fieldName: string): string | boolean | undefined {
  const words = verbWords(verb)
  const whole = foldName(words.join(''))
  const [first = ''] = words
  const word = statesAfter(whole).length > 0 ? whole : first
  const states = statesAfter(word)
  const values = field?.enum?.filter((value) => typeof value === 'string') ?? describedValues(field)
  const allowed = Map.groupBy(values, (value) => foldName(value))
  for (const state of [...states, ...participlesOf(word), ...gerundsOf(word), whole]) {
    const match = allowed.get(foldName(state))?.[0]
    if (match !== undefined) return match
  }
  // A text without fixed values gets the usual state after the verb.
  if (field?.enum === undefined && field?.types.length === 1 && field.types[0] === 'string' && isPlain(field))
    return states[0]
  if (field?.types.length !== 1 || field.types[0] !== 'boolean') return undefined
  const flag = foldName(fieldName).replace(/^is/, '')
  if (states.some((state) => foldName(state) === flag)) return true
  return statesAfter(oppositeOf(word) ?? '').some((state) => foldName(state) === flag) ? false : undefined
}

const isPlain = ({ format, pattern, maxLength }: Schema): boolean =>
  format === undefined && pattern === undefined && (maxLength ?? 20) >= 20

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
