import type { ApiModel, Operation } from './model.ts'

/**
 * Which operations are stateful: what they answer depends on what was done before, or what they do shows later.
 * Operations on collections count when a record can be told from another (by a field or by its path), actions when the
 * request names a record, documents always; examples and token endpoints never.
 */
export function createStatefulTest(model: ApiModel): (operation: Operation) => boolean {
  const keyed = new Set(model.collections.flatMap(({ name, id }) => (id.field ? [name] : [])))
  for (const { effect } of model.operations) {
    if ('keys' in effect && effect.kind !== 'action' && effect.keys.length > 0) keyed.add(effect.collection)
  }
  return ({ effect }) => {
    if (effect.kind === 'example' || effect.kind === 'token') return false
    if ('singleton' in effect) return true
    return keyed.has(effect.collection) && (effect.kind !== 'action' || effect.keys.length > 0)
  }
}

/** Share of the operations that are stateful, from 0 to 1; 1 where there is no operation. */
export function statefulShare(model: ApiModel): number {
  const isStateful = createStatefulTest(model)
  const { operations } = model
  return operations.length === 0 ? 1 : operations.filter(isStateful).length / operations.length
}
