import { verbOf } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Effect, ItemKey } from '../../model.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { isRecordOf } from '../collections/envelopes.ts'
import { lastStatic, paramsOf, untilParam } from '../paths/path-shape.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Verbs of computations about a record, which change nothing. */
const COMPUTES =
  /^(check|test|try|preview|validate|estimate|calculate|compute|get|read|show|fetch|export|download|render|evaluate|simulate|count|list|describe|discover|compare|analy[sz]e|query|search|find)/i

/** Names of the caller's own ids, not of a record's. */
const CALLER_ID = /^(apikey|(client|account|app|team|workspace|tenant|merchant)id)$/

/** Rules for the record that a request names, where the path alone leaves the effect unsure. */
export const requestRules: readonly Rule[] = [
  {
    name: 'record-named-in-request',
    example: 'POST /connections/check { destinationId }, PUT /triggers/{benchmark_id}',
    confidence: 'likely',
    // `POST /payrolls/calculate { provider_id }`: a record is read, and the answer is none.
    isGuess: ({ answer }, { catalogue }, effect) => {
      if (effect.kind !== 'read' || answer === undefined) return false
      const collection = catalogue.collections.find(({ name }) => name === effect.collection)
      return collection !== undefined && !isRecordOf(effect.envelope, collection)
    },
    find: namedEffect,
  },
]

/** The effect on the record that a request must identify. */
function namedEffect(operation: Case, { build, catalogue }: Survey): Effect | undefined {
  const { draft, shape } = operation
  const named = recordNamed(operation, catalogue)
  if (!named) return undefined
  const { collection, key } = named
  const isAsked = draft.method === 'GET' || draft.method === 'HEAD'
  const word = shape.verb ?? lastStatic(shape.steps)
  if (isAsked || COMPUTES.test(word) || COMPUTES.test(verbOf(draft)?.word ?? '')) {
    return build.one(operation, collection, 'read', key && { key })
  }
  return build.action(operation, collection, key ? collection.site.steps : untilParam(shape.steps), word)
}

function recordNamed(
  { draft, shape }: Case,
  catalogue: Survey['catalogue'],
): { readonly collection: CollectionDraft; readonly key: ItemKey | undefined } | undefined {
  const inPath = paramsOf(shape.steps).at(-1)
  const ofPath = inPath === undefined ? undefined : catalogue.namedBy(inPath)
  if (inPath !== undefined) return ofPath && { collection: ofPath, key: undefined }
  const body = schemaOfBody(draft.requestBody)
  const asked: ItemKey[] = [
    ...draft.parameters.flatMap(({ in: place, name, required }): ItemKey[] =>
      place === 'query' && required ? [{ param: name, in: 'query', field: undefined }] : [],
    ),
    ...[...fieldsOf(body)].flatMap(([name, schema]): ItemKey[] =>
      body?.required.has(name) && isScalarSchema(schema) ? [{ param: name, in: 'body', field: undefined }] : [],
    ),
  ]
  for (const key of asked) {
    const collection = CALLER_ID.test(foldName(key.param)) ? undefined : catalogue.namedBy(key.param)
    if (collection) return { collection, key }
  }
  return undefined
}
