import { isJsonObject, type Json, readField } from '../../../../protocol/json.ts'
import { fits } from '../../../../schema/checker.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting, VerbInBody } from '../../action-setting.ts'
import type { ResponseModel } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { fieldsOf, isObjectSchema, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { findStatusField } from '../collections/record-fields.ts'
import { kindOfVerb } from '../paths/verbs.ts'
import { settingsOf } from './action-settings.ts'
import { statusAfter } from './status-after.ts'

/** Names of a body's field for the verb. */
const VERB_FIELDS = ['action', 'command', 'operation', 'op', 'verb']

/**
 * `POST /clients/bulk { action, ids }`, `POST /servers/{id}/action { action }`: the body has the verb. Of a call without
 * a verb of its own, any field whose fixed values are such verbs: `{ message_type: "close" }`.
 */
export function verbInBody(
  { requestBody }: OperationDraft,
  { schema, isPlain }: CollectionDraft,
  isVerbless = false,
): VerbInBody | undefined {
  const fields = fieldsOf(schemaOfBody(requestBody))
  const field = VERB_FIELDS.find((name) => fields.has(name) && isScalarSchema(fields.get(name)))
  if (field !== undefined && !fieldsOf(schema).has(field)) {
    return withOutcomes({ field, by: isPlain ? 'openVerb' : 'verb' }, schema)
  }
  const leadsOn = (value: Json) => typeof value === 'string' && statusLedTo(value, schema) !== undefined
  const chosen = isVerbless
    ? [...fields].find(([, { enum: values }]) => values?.slice(0, MOST).some(leadsOn))
    : undefined
  if (chosen === undefined || fieldsOf(schema).has(chosen[0])) return undefined
  return withOutcomes({ field: chosen[0], by: 'status' }, schema)
}

/** Adds the outcomes of verbs on a record of this schema. */
export function withOutcomes(written: Pick<VerbInBody, 'field' | 'by'>, schema: Schema | undefined): VerbInBody {
  const { field, by } = written
  const outcomeOf: VerbInBody['outcomeOf'] = (verb) => {
    const toStatus = () => statusLedTo(verb, schema)
    if (by === 'status') return { toStatus: toStatus(), sets: [] }
    if (kindOfVerb(verb.toLowerCase()) === 'delete') return undefined
    return { toStatus: toStatus(), sets: settingsOf(verb, schema, { isOpen: by === 'openVerb' }) }
  }
  return { field, by, outcomeOf }
}

/** Most values of a field, and most fields, that are compared with verbs. */
const MOST = 50

/** The status after a verb; a status is its own. */
export function statusLedTo(verb: string, schema: Schema | undefined): string | boolean | undefined {
  const status = findStatusField(schema)
  const field = status === null ? undefined : schemaBelow(schema, status)
  if (status === null || field === undefined) return undefined
  return statusAfter(verb, field, status.at(-1) ?? '') ?? (field.enum?.includes(verb) ? verb : undefined)
}

/** `readyState` beside `status`, which may have the same values: both say it after an action. A `payment_status` has others. */
export function twinStatuses(
  toStatus: string | boolean | undefined,
  schema: Schema | undefined,
): readonly ActionSetting[] {
  const [own = '', ...deeper] = findStatusField(schema) ?? []
  if (typeof toStatus !== 'string' || deeper.length > 0) return []
  const ownValues = new Set(fieldsOf(schema).get(own)?.enum)
  const isTwin = (values: readonly Json[] = []) =>
    values.includes(toStatus) && values.length === ownValues.size && values.every((value) => ownValues.has(value))
  return [...fieldsOf(schema)]
    .filter(([name, { enum: values }]) => name !== own && TWIN.test(name) && isTwin(values))
    .map(([name]) => ({ field: [name], to: { value: toStatus } }))
}

const TWIN = /(status|state)$/i

/** The status that the example of an answer has. */
export function statusShown({ content }: ResponseModel, schema: Schema | undefined): string | undefined {
  const status = findStatusField(schema)
  const field = status === null ? undefined : schemaBelow(schema, status)
  if (status === null || field === undefined) return undefined
  for (const { example } of content.values()) {
    const shown = isJsonObject(example) ? readField(example, status) : undefined
    if (typeof shown === 'string' && fits(field, shown)) return shown
  }
  return undefined
}

/** `POST /ships/{id}/dock`, where ships have `nav: { status: DOCKED }`: the only status of the record's parts that the verb leads to. */
export function partStatus(verb: string, schema: Schema | undefined): readonly ActionSetting[] {
  const found = [...fieldsOf(schema)].slice(0, MOST).flatMap(([name, part]): ActionSetting[] => {
    const field = isObjectSchema(part) && !hasOwnId(part) ? findStatusField(part) : null
    const value = field && schemaBelow(part, field)?.enum ? statusLedTo(verb, part) : undefined
    return field && value !== undefined ? [{ field: [name, ...field], to: { value } }] : []
  })
  return found.length === 1 ? found : []
}

/** What only the answer to an action says of the record: `archived: true`. */
export const saidOf = (
  verb: string,
  answer: Schema | undefined,
  record: Schema | undefined,
): readonly ActionSetting[] =>
  answer === record
    ? []
    : settingsOf(verb, answer).filter(
        ({ field: [name = ''], to }) => typeof to === 'object' && 'value' in to && !fieldsOf(record).has(name),
      )
