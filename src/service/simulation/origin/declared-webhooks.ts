import { isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { getPreset } from '../../../protocol/webhook-scheme/presets.ts'
import type { EventRow } from '../../../protocol/webhook-scheme/webhook-format.ts'
import { createDataset } from '../../dataset/create-dataset.ts'
import type { AnswerExamples } from '../../dataset/dataset.ts'
import type { ApiModel, BodyPlace, DeclaredEvent } from '../../openapi/model.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'

/**
 * The webhooks that a description declares, signed as ours are; undefined where it declares none that a change causes.
 * Other values of a body are generated from its schema, once. Changes without a declared event send none. Pauses after
 * each event.
 */
export function* readingDeclaredWebhooks(model: ApiModel): Generator<undefined, ApiWebhooks | undefined> {
  const { declaredEvents } = model
  if (declaredEvents.length === 0) return undefined
  const dataset = createDataset(model, { seed: 'webhooks', epoch: 0, volume: {}, seedRecords: {} })
  const events: EventRow[] = []
  for (const event of declaredEvents) {
    events.push(...rowsOf(event, dataset.answerExamples()))
    yield
  }
  return { slug: undefined, facts: {}, format: { ...getPreset('svc'), events } }
}

function rowsOf(event: DeclaredEvent, examples: AnswerExamples): EventRow[] {
  const { type, collection, verbs, becomes, changes, body } = event
  const envelope = body && { envelope: envelopeOf(event, examples) }
  const conditions = { ...(becomes && { becomes: { ...becomes } }), ...(changes && { changes: [...changes] }) }
  return verbs.map((verb) => ({ on: `${collection}.${verb}`, type, ...conditions, ...envelope }))
}

/** What the change does not give is the same for all types: the account, the version. */
function envelopeOf({ body }: DeclaredEvent, examples: AnswerExamples): Json {
  if (body === undefined) return {}
  const { schema, places } = body
  const whole = places.find(({ path }) => path.length === 0)
  if (whole !== undefined) return whole.value
  const made = madeFields(schema, places, (field, name) => withoutOperators(examples.example(field, name, { name })))
  return places.reduce<Json>((whole, { path, value }) => withValue(whole, path, value), made)
}

type BodySchema = NonNullable<DeclaredEvent['body']>['schema']

/** The fields that the change does not give: those that are required, or all where the schema requires none. */
function madeFields(
  { fields, required }: BodySchema,
  places: readonly BodyPlace[],
  make: (field: BodySchema, name: string) => Json,
): JsonObject {
  const placed = new Set(places.map(({ path }) => path[0]))
  const given = new Set(places.flatMap(({ path }) => (path.length === 1 ? path : [])))
  const wanted = [...fields].filter(
    ([name, { writeOnly }]) =>
      !given.has(name) && !writeOnly && (required.size === 0 || required.has(name) || placed.has(name)),
  )
  return Object.fromEntries(wanted.slice(0, MOST_MADE).map(([name, field]) => [name, make(field, name)]))
}

/** Most fields of a body that are made. */
const MOST_MADE = 200

function withValue(whole: Json, [name, ...below]: BodyPlace['path'], value: Json): Json {
  if (name === undefined) return value
  const fields: JsonObject = isJsonObject(whole) ? { ...whole } : {}
  setOwn(fields, name, withValue(fields[name] ?? {}, below, value))
  return fields
}

/** A value without the fields that an expression would compute. */
function withoutOperators(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutOperators)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, below]) =>
      name.startsWith('$') || name.includes('{') ? [] : [[name, withoutOperators(below)]],
    ),
  )
}
