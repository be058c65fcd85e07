import { recordKinds, undeclaredChanges } from '../../names/event-kinds.ts'
import type { Inspection } from '../../protocol/inspection.ts'
import { confidences, type OperationSummary } from '../../protocol/operation-summary.ts'
import type { ApiModel, CollectionModel, Effect, Operation } from './model.ts'

/** Summary of a description: collections, events, and the effect of each operation. */
export function inspectModel(model: ApiModel): Inspection {
  return {
    title: model.title,
    version: model.version,
    basePath: model.basePath,
    summary: summarise(model),
    collections: model.collections.map(({ name, singular, id, statusField, parent }) => ({
      name,
      id: id.field?.join('.') ?? null,
      statusField: statusField?.join('.') ?? null,
      parent: parent?.collection ?? null,
      events: eventsOf({ name, singular }, model),
    })),
    singletons: model.singletons.map(({ name, parent }) => ({ name, parent: parent ?? null })),
    operations: summariseOperations(model),
    warnings: [...model.warnings],
  }
}

/** `11 certain, 4 likely, 2 guessed, 1 example`: how sure the effects of the operations are. */
function summarise({ operations }: ApiModel): string {
  const found = confidences.map((confidence) => ({
    word: confidence === 'guess' ? 'guessed' : confidence,
    count: operations.filter(({ reason }) => reason.confidence === confidence).length,
  }))
  return found.flatMap(({ word, count }) => (count === 0 ? [] : `${count} ${word}`)).join(', ')
}

/** The events of a collection: those that the description declares, then our own kinds. */
function eventsOf(collection: Pick<CollectionModel, 'name' | 'singular'>, { declaredEvents }: ApiModel): string[] {
  const declared = declaredEvents.filter((event) => event.collection === collection.name).map(({ type }) => type)
  const kinds = recordKinds(collection)
  return [...new Set([...declared, ...undeclaredChanges(collection, declaredEvents).map((change) => kinds[change])])]
}

/** A warning about query parameters by which an operation does not filter; undefined without any. */
export function explainUnread({ method, path }: Operation, names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`${method} ${path} does not filter by ${names.join(', ')}: its records have no field that fits.`]
}

/** The operations of an API, with their effects. */
export function summariseOperations(model: ApiModel): OperationSummary[] {
  const isStateful = createStatefulTest(model)
  return model.operations.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    summary: operation.summary ?? null,
    kind: operation.effect.kind,
    subject: subjectOf(operation.effect),
    query: operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    stateful: isStateful(operation),
    ...operation.reason,
    body: operation.requestBody !== undefined,
  }))
}

function subjectOf(effect: Effect): string | null {
  if ('collection' in effect) return effect.collection
  return 'singleton' in effect ? effect.singleton : null
}

/**
 * Finds stateful operations: their answer depends on earlier requests, or later answers depend on them. Operations on
 * collections count where a field or the path identifies a record, where records are listed in order of creation or replaced as a whole, or
 * below a record whose deletion removes them; actions where the request identifies records; documents always; examples
 * and token endpoints never.
 */
export function createStatefulTest(model: ApiModel): (operation: Operation) => boolean {
  const keyed = new Set(model.collections.flatMap(({ name, id }) => (id.field ? [name] : [])))
  for (const { effect } of model.operations) {
    if ('keys' in effect && effect.kind !== 'action' && effect.keys.length > 0) keyed.add(effect.collection)
  }
  const collectionsOf = (kinds: readonly string[], by?: string): ReadonlySet<string> =>
    new Set(
      model.operations.flatMap(({ method, effect }) =>
        kinds.includes(effect.kind) && 'collection' in effect && (by ?? method) === method ? [effect.collection] : [],
      ),
    )
  const listed = collectionsOf(['list', 'search'])
  const written = collectionsOf(['create', 'bulkCreate'])
  const replaced = collectionsOf(['bulkUpdate'], 'PUT')
  const removed = collectionsOf(['delete'])
  return ({ effect }) => {
    if (effect.kind === 'example' || effect.kind === 'token') return false
    if ('singleton' in effect) return true
    const { collection, kind } = effect
    const isKept = written.has(collection) || replaced.has(collection)
    if (kind !== 'action' && isKept && listed.has(collection)) return true
    const isBelow = effect.scope.some(({ collection: parent = '' }) => removed.has(parent))
    if ((kind === 'list' || kind === 'search') && isBelow) return true
    return keyed.has(collection) && (effect.kind !== 'action' || effect.keys.length > 0 || effect.many)
  }
}
