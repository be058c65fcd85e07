import type { ApiModel, Operation } from './model.ts'

/**
 * Which operations are stateful: their answer depends on earlier requests, or later answers depend on them. Operations on
 * collections count where a field or the path identifies a record, or where records are listed in the order in which they
 * come, or below a record that can be deleted, which is the end of them; actions where the request names a record or
 * several, documents always; examples and token endpoints never.
 */
export function createStatefulTest(model: ApiModel): (operation: Operation) => boolean {
  const keyed = new Set(model.collections.flatMap(({ name, id }) => (id.field ? [name] : [])))
  for (const { effect } of model.operations) {
    if ('keys' in effect && effect.kind !== 'action' && effect.keys.length > 0) keyed.add(effect.collection)
  }
  const collectionsOf = (kinds: readonly string[]): ReadonlySet<string> =>
    new Set(
      model.operations.flatMap(({ effect }) =>
        kinds.includes(effect.kind) && 'collection' in effect ? [effect.collection] : [],
      ),
    )
  const listed = collectionsOf(['list', 'search'])
  const written = collectionsOf(['create', 'bulkCreate'])
  const removed = collectionsOf(['delete'])
  return ({ effect }) => {
    if (effect.kind === 'example' || effect.kind === 'token') return false
    if ('singleton' in effect) return true
    const { collection, kind } = effect
    if (kind !== 'action' && written.has(collection) && listed.has(collection)) return true
    const isBelow = effect.scope.some(({ collection: parent = '' }) => removed.has(parent))
    if ((kind === 'list' || kind === 'search') && isBelow) return true
    return keyed.has(collection) && (effect.kind !== 'action' || effect.keys.length > 0 || effect.many)
  }
}

/** Share of the operations that are stateful, from 0 to 1; 1 where there is no operation. */
export function statefulShare(model: ApiModel): number {
  const isStateful = createStatefulTest(model)
  const { operations } = model
  return operations.length === 0 ? 1 : operations.filter(isStateful).length / operations.length
}
