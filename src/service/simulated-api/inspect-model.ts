import { recordKinds } from '../../names/event-kinds.ts'
import { confidences, type Inspection, type OperationSummary } from '../../protocol/inspection.ts'
import type { ApiModel, CollectionModel, Effect } from '../openapi/model.ts'
import { runToEnd } from '../world/long-reads.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import { explainEffect, modelLineOf, modelLineText } from './operations/explain-effect.ts'

/** Summary of a description: collections, events, and the effect of each operation. Pauses after each operation. */
export function* inspecting(api: CompiledApi): Generator<undefined, Inspection> {
  const { model } = api
  const operations = yield* summarising(api, true)
  return {
    title: model.title,
    version: model.version,
    basePath: model.basePath,
    summary: summarise(operations),
    collections: model.collections.map(({ name, singular, id, statusField, parent }) => ({
      name,
      id: id.field?.join('.') ?? null,
      statusField: statusField?.join('.') ?? null,
      parent: parent?.collection ?? null,
      events: eventsOf({ name, singular }, model),
    })),
    singletons: model.singletons.map(({ name, parent }) => ({ name, parent: parent ?? null })),
    operations,
    warnings: [...model.warnings],
  }
}

/** See {@link inspecting}, without a pause. */
export const inspectModel = (api: CompiledApi): Inspection => runToEnd(inspecting(api))

/** `11 certain, 4 likely, 2 guessed, 1 example: look at these 3`: how sure the effects of the operations are. */
function summarise(operations: readonly OperationSummary[]): string {
  const found = confidences.map((confidence) => ({
    word: confidence === 'guess' ? 'guessed' : confidence,
    count: operations.filter((one) => one.confidence === confidence).length,
  }))
  const counts = found.flatMap(({ word, count }) => (count === 0 ? [] : `${count} ${word}`)).join(', ')
  const nothing = operations.filter(({ kind, sets }) => kind === 'action' && sets.length === 0).length
  const unclear = operations.filter(({ unclear }) => unclear).length
  const what = nothing === 0 ? '' : `, ${nothing} without an effect`
  return `${counts}${what}${unclear === 0 ? '' : `: look at ${unclear === 1 ? 'this one' : `these ${unclear}`}`}`
}

/** The events of a collection: those that the description declares, where it declares any, else our own kinds. */
function eventsOf(collection: Pick<CollectionModel, 'name' | 'singular'>, { declaredEvents }: ApiModel): string[] {
  if (declaredEvents.length === 0) return Object.values(recordKinds(collection))
  const declared = declaredEvents.filter((event) => event.collection === collection.name)
  return [...new Set(declared.map(({ type }) => type))]
}

/**
 * The operations of an API, with their effects. Pauses after each.
 *
 * @param withUnread whether to look for query parameters that filter nothing, which reads all fields of all records
 */
export function* summarising(api: CompiledApi, withUnread = false): Generator<undefined, OperationSummary[]> {
  const summaries: OperationSummary[] = []
  for (const operation of api.model.operations) {
    const compiled = api.operation(operation)
    const sets = explainEffect(compiled)
    const { kind } = operation.effect
    const { confidence } = operation.reason
    const isIdle = kind === 'action' && sets.length === 0 && confidence !== 'declared'
    summaries.push({
      id: operation.id,
      method: operation.method,
      path: operation.path,
      summary: operation.summary ?? null,
      kind,
      subject: subjectOf(operation.effect),
      sets,
      query: compiled.queryParameters.map(({ name }) => name),
      unread: withUnread ? [...compiled.unreadParameters] : [],
      ...operation.reason,
      unclear: !compiled.isLogin && (isIdle || confidence === 'guess' || confidence === 'example'),
      line: modelLineText(operation, modelLineOf(operation)),
      body: operation.requestBody !== undefined,
    })
    yield
  }
  return summaries
}

function subjectOf(effect: Effect): string | null {
  if ('collection' in effect) return effect.collection
  return 'singleton' in effect ? effect.singleton : null
}
