import type { Json } from '../../protocol/json.ts'
import { hashText, mixPair } from '../../runtime/random.ts'
import type { Scope } from '../dataset/dataset.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { CollectionState } from './collection-state.ts'
import type { CollectionStates } from './collection-states.ts'
import type { ScopeMatch } from './collection-view.ts'
import { keyIn, refersTo } from './field.ts'

/** Which records lie below which: by the field that says so, by the path they were created under, or as generated. */
export class Scopes {
  readonly #models: ReadonlyMap<string, CollectionModel>
  readonly #states: CollectionStates

  constructor(models: ReadonlyMap<string, CollectionModel>, states: CollectionStates) {
    this.#models = models
    this.#states = states
  }

  /** Keys of the records that the one at `position` lives below, by collection name (or parameter name). */
  of(model: CollectionModel, position: number): Scope {
    const state = this.#states.get(model.name)
    const made = state.madeScope(position)
    if (made !== undefined) return made
    const parent = model.parent && this.#models.get(model.parent.collection)
    const parentIndex = parent && state.table.parentAt(position)
    if (parent === undefined || parentIndex === undefined || parent === model) return {}
    const parentState = this.#states.get(parent.name)
    return { ...this.of(parent, parentIndex), [parent.name]: parentState.table.keyAt(parentIndex) }
  }

  /** A test of one position, with what does not depend on it computed once. */
  matcher(model: CollectionModel, match: ScopeMatch): (position: number) => boolean {
    const state = this.#states.get(model.name)
    const { name, value, field } = match
    const generated = this.#generatedMatcher(model, match)
    const byScope = (position: number): boolean => {
      const made = state.madeScope(position)
      if (made === undefined) return generated(position)
      return made[name] === undefined ? !this.#models.has(name) : made[name] === value
    }
    if (field === undefined) return byScope
    const heldAt = state.column(field)
    // A record that names no parent of its own kind stands at the top.
    const byPath = name === model.name ? (at: number) => state.madeScope(at)?.[name] === value : byScope
    return (position) => {
      const held = heldAt(position)
      if (held === undefined || held === null) return byPath(position)
      return refersTo(held, value) || (!this.#isReference(name, held) && byScope(position))
    }
  }

  /** Whether a field's value names a live record of the collection: some fields hold another key than paths do. */
  #isReference(name: string, held: Json): boolean {
    const states = this.#models.has(name) ? this.#states.get(name) : undefined
    const keys = Array.isArray(held) ? held.map(keyIn) : [keyIn(held)]
    return states === undefined || keys.some((key) => key !== undefined && states.positionOf(key) !== undefined)
  }

  #generatedMatcher(model: CollectionModel, { name, value }: ScopeMatch): (position: number) => boolean {
    if (!this.#models.has(name)) return () => true
    const ancestor = this.#states.get(name)
    const wanted = ancestor.table.indexOf(value)
    if (wanted === undefined) return () => false
    const steps = this.#stepsTo(model, name)
    if (steps === undefined) return drawnParent(name, ancestor.table.size, wanted)
    return (position) => {
      let index: number | undefined = position
      for (const step of steps) index = index === undefined ? undefined : step.table.parentAt(index)
      return index === wanted
    }
  }

  /** The tables to climb from a collection to its ancestor; undefined where it is none. */
  #stepsTo(model: CollectionModel, ancestor: string): CollectionState[] | undefined {
    const steps: CollectionState[] = []
    let at: CollectionModel | undefined = model
    while (at?.parent !== undefined && steps.length < this.#models.size) {
      steps.push(this.#states.get(at.name))
      if (at.parent.collection === ancestor) return steps
      at = this.#models.get(at.parent.collection)
    }
    return undefined
  }
}

/**
 * A path may show records below one that nothing in them refers to (`/labels/{id}/tasks`). Each generated record then
 * belongs to one of them, drawn once and for all, so that the lists are neither all empty nor all the same.
 */
function drawnParent(name: string, parents: number, wanted: number): (position: number) => boolean {
  const key = hashText(name)
  return (position) => mixPair(key, position) % parents === wanted
}
