import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'

/**
 * Finds stateful operations: their answer depends on earlier requests, or later answers depend on them. Operations on
 * collections count where a field or the path identifies a record, where records are listed in order of creation or replaced as a whole, or
 * below a record whose deletion removes them; actions where the request identifies records; documents always; examples
 * never.
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
    if (effect.kind === 'example' || effect.kind === 'computed') return false
    if ('singleton' in effect || effect.kind === 'signIn') return true
    const { collection, kind } = effect
    const isKept = written.has(collection) || replaced.has(collection)
    if (kind !== 'action' && isKept && listed.has(collection)) return true
    const isBelow = effect.scope.some(({ collection: parent = '' }) => removed.has(parent))
    if ((kind === 'list' || kind === 'search') && isBelow) return true
    return keyed.has(collection) && (effect.kind !== 'action' || effect.keys.length > 0 || effect.many)
  }
}
