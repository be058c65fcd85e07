import type { ApiModel, Operation } from './model.ts'

/**
 * Which operations are stateful: their answer depends on earlier requests, or later answers depend on them. Operations on
 * collections count where a field or the path identifies a record, actions where the request names a record, documents
 * always; examples and token endpoints never.
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
