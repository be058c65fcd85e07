import type { BehaviourStep } from '../../protocol/behaviour.ts'
import type { Relation } from '../openapi/model.ts'
import type { Change } from '../world/change.ts'
import type { CollectionView } from '../world/collection-view.ts'
import { refersTo, writeField } from '../world/field.ts'
import { touch } from '../world/touch.ts'
import type { World } from '../world/world.ts'
import { drawTargets } from './candidates.ts'
import type { StepContext } from './step-context.ts'

/** Chooses which records a `delete` step removes, and what becomes of those that refer to them. */
export function planDeletes(step: Extract<BehaviourStep, { kind: 'delete' }>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const keys = drawTargets(view, step, context).map(({ key }) => key)
  const changes: Change[] = keys.map((key) => ({ type: 'deleted', collection: step.collection, key }))
  const onDependents = step.onDependents ?? 'ignore'
  if (onDependents === 'ignore' || keys.length === 0) return changes
  return [...dependentChanges(context, step.collection, keys, onDependents), ...changes]
}

/** Changes to the records that refer to any of `keys`, deepest first, each record once. */
function dependentChanges(
  context: StepContext,
  collection: string,
  keys: readonly string[],
  onDependents: 'setNull' | 'cascade',
): Change[] {
  const seen = new Set(keys.map((key) => `${collection}\u0000${key}`))
  const changes: Change[] = []
  const visit = (name: string, key: string): void => {
    for (const [view, relation] of relationsTo(context.world, name)) {
      for (const dependent of view.select({ where: [{ field: relation.field, test: (value) => refersTo(value, key) }] })
        .keys) {
        const mark = `${view.model.name}\u0000${dependent}`
        if (seen.has(mark)) continue
        seen.add(mark)
        if (onDependents === 'cascade') visit(view.model.name, dependent)
        changes.push(
          onDependents === 'cascade' ? removal(view, dependent) : detached(view, dependent, relation, context.at),
        )
      }
    }
  }
  for (const key of keys) visit(collection, key)
  return changes
}

function* relationsTo(world: World, collection: string): Generator<[CollectionView, Relation]> {
  for (const name of world.dataset.tables.keys()) {
    const view = world.collection(name)
    for (const relation of view.model.relations) {
      if (relation.collection === collection && !relation.many) yield [view, relation]
    }
  }
}

const removal = (view: CollectionView, key: string): Change => ({ type: 'deleted', collection: view.model.name, key })

function detached(view: CollectionView, key: string, relation: Relation, at: number): Change {
  const record = writeField(view.get(key) ?? {}, relation.field, null)
  return { type: 'updated', collection: view.model.name, key, record: touch(view.model, record, at) }
}
