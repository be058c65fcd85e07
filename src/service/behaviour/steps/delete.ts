import { type Json, type JsonObject, readField, removeField, writeField } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Relation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import { inBlocks } from '../../world/positions.ts'
import { drawTargets } from './draw-targets.ts'
import type { PlannedStep, StepContext, StepOf } from './step.ts'

/** Chooses the records that a `delete` step removes, and the changes to records that refer to them. */
export function* planDeletes(step: StepOf<'delete'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const keys = (yield* drawTargets(view, step, context)).map(({ key }) => key)
  const onDependents = step.onDependents ?? 'ignore'
  if (onDependents === 'ignore' || keys.length === 0) return keys.map((key) => removal(view, key))
  return yield* new Deletion(context, onDependents === 'cascade').of(view, keys)
}

/**
 * Deleted records and the records that refer to them: each referring collection is searched once per generation. A
 * record that requires its reference is deleted too; a cascade deletes all records whose reference is not in a list.
 */
class Deletion {
  readonly #context: StepContext
  readonly #isCascade: boolean
  readonly #models: readonly CollectionModel[]
  /** Removals by generation: dependents of dependents last. */
  readonly #gone: Change[][] = []
  readonly #goneKeys = new Map<CollectionView, Set<string>>()
  readonly #changed = new Map<CollectionView, Map<string, JsonObject>>()

  constructor(context: StepContext, isCascade: boolean) {
    this.#context = context
    this.#isCascade = isCascade
    this.#models = context.world.model.collections
  }

  /** Changes to remaining records, then removals, deepest first. */
  *of(view: CollectionView, keys: readonly string[]): PlannedStep {
    yield* this.#remove(view, keys)
    const changes: Change[] = []
    for (const [of, records] of this.#changed) {
      for (const [key, record] of records) {
        yield
        if (this.#goneKeys.get(of)?.has(key)) continue
        changes.push({
          type: 'updated',
          collection: of.model.name,
          key,
          record: of.writer.touch(record, this.#context.at),
        })
      }
    }
    return [...changes, ...this.#gone.toReversed().flat()]
  }

  *#remove(view: CollectionView, keys: readonly string[]): Generator<undefined, void> {
    const gone = this.#goneKeys.get(view) ?? new Set()
    this.#goneKeys.set(view, gone)
    const fresh = new Set<string>()
    const ids = new Set<string>()
    const removals: Change[] = []
    for (const key of keys) {
      if (gone.has(key)) continue
      gone.add(key)
      fresh.add(key)
      ids.add(idOf(view, key) ?? key)
      removals.push(removal(view, key))
      yield
    }
    if (fresh.size === 0) return
    this.#context.looked += fresh.size
    this.#gone.push(removals)
    for (const model of this.#models) yield* this.#follow(view.model.name, { keys: fresh, ids }, model)
  }

  /** The changes to the records of one collection. */
  *#follow(
    name: string,
    gone: { keys: ReadonlySet<string>; ids: ReadonlySet<string> },
    model: CollectionModel,
  ): Generator<undefined, void> {
    const view = this.#context.world.collection(model.name)
    const below: string[] = []
    for (const relation of model.relations) {
      if (relation.collection !== name) continue
      const { field, many } = relation
      this.#context.looked += view.count
      const isGone = (value: Json | undefined) => refersToAny(value, gone.ids)
      const follows = !many && (this.#isCascade || !canBeEmpty(model.schema, field))
      for (const { key } of yield* view.where(field, isGone)) {
        if (follows) below.push(key)
        else this.#detach(view, key, relation, gone.ids)
        yield
      }
    }
    const isBelow = model.parent?.collection === name && model.parent.field === undefined
    if (isBelow) for (const key of yield* childrenOf(view, name, gone.keys)) below.push(key)
    if (below.length > 0) yield* this.#remove(view, below)
  }

  #detach(view: CollectionView, key: string, { field, many }: Relation, ids: ReadonlySet<string>): void {
    const changed = this.#changed.get(view) ?? new Map<string, JsonObject>()
    this.#changed.set(view, changed)
    const record = changed.get(key) ?? view.get(key) ?? {}
    const current = readField(record, field)
    const schema = schemaAt(view.model.schema, field)
    const isOptional = schema !== undefined && !schema.nullable && !isRequired(view.model.schema, field)
    if (many && Array.isArray(current)) {
      changed.set(
        key,
        writeField(
          record,
          field,
          current.filter((item) => !refersToAny(item, ids)),
        ),
      )
    } else changed.set(key, isOptional ? removeField(record, field) : writeField(record, field, null))
  }
}

/** Records that belong to one of `keys` only by their path. */
function* childrenOf(
  view: CollectionView,
  parent: string,
  keys: ReadonlySet<string>,
): Generator<undefined, readonly string[]> {
  const children: string[] = []
  for (const block of inBlocks(view.positions)) {
    for (const position of block) {
      const { key } = view.at(position)
      if (keys.has(view.scopeOf(key)[parent] ?? '')) children.push(key)
    }
    yield
  }
  return children
}

function refersToAny(value: Json | undefined, ids: ReadonlySet<string>): boolean {
  return Array.isArray(value) ? value.some((item) => ids.has(keyIn(item) ?? '')) : ids.has(keyIn(value) ?? '')
}

/** Whether the reference may be removed from a record. */
function canBeEmpty(record: Schema | undefined, field: FieldPath): boolean {
  const schema = schemaAt(record, field)
  return schema === undefined || schema.nullable || !isRequired(record, field)
}

function isRequired(record: Schema | undefined, field: FieldPath): boolean {
  const owner = schemaAt(record, field.slice(0, -1))
  return owner?.required.has(field.at(-1) ?? '') ?? false
}

/** The id of a record in references. */
function idOf(view: CollectionView, key: string): string | undefined {
  const { field } = view.model.id
  return field === undefined ? undefined : keyIn(view.valueOf(key, field))
}

const removal = (view: CollectionView, key: string): Change => ({ type: 'deleted', collection: view.model.name, key })
