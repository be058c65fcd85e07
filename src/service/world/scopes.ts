import type { Json } from '../../protocol/json.ts'
import { hashText, mixPair } from '../../runtime/random.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { RecordScope } from '../dataset/dataset.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { CollectionState } from './collection-state.ts'
import type { CollectionStates } from './collection-states.ts'
import { keyIn, refersTo } from './field.ts'
import type { ReadValue } from './indexes.ts'
import { PositionSet } from './position-set.ts'

/** One path parameter that records must agree with. */
export interface ScopeMatch {
  /** Collection of the parameter's record; the parameter's own name where it has none. */
  readonly name: string
  readonly value: string
  /** Field of the record that is compared instead of the scope it was created in. */
  readonly field?: FieldPath | undefined
}

/** The parents of one collection's records: by a field, by the path of creation, or generated. */
export class Scopes {
  readonly #collections: CollectionStates
  readonly #model: CollectionModel
  readonly #state: CollectionState

  constructor(collections: CollectionStates, model: CollectionModel) {
    this.#collections = collections
    this.#model = model
    this.#state = collections.state(model.name)
  }

  /** Keys of the parents of the record at `position`, by collection name (or parameter name). */
  of(position: number): RecordScope {
    return this.#state.madeScope(position) ?? this.#generatedScope(this.#model, position)
  }

  /** Positions of the matching records; undefined where there are too many parents for an index. Pauses while one is made. */
  *within(match: ScopeMatch): Generator<undefined, PositionSet | undefined> {
    const { name, value, field } = match
    const scopes = yield* this.#state.indexingBy(`scope ${name}`, () => this.#scopeReader(name))
    const byScope = scopes?.where(this.#scopeTest(match))
    if (byScope === undefined || field === undefined) return byScope
    const byField = (yield* this.#state.indexing(field))?.where((current) => refersTo(current, value))
    if (byField === undefined) return undefined
    // Records whose field has no parent belong to the parent in their path.
    const matches = this.matcher(match)
    const others = new PositionSet()
    for (const position of byScope.slice()) if (!byField.has(position) && matches(position)) others.add(position)
    return others.size === 0 ? byField : PositionSet.union([byField, others])
  }

  /** A test of one position, with its constant parts computed once. */
  matcher(match: ScopeMatch): (position: number) => boolean {
    const { name, value, field } = match
    const ownerAt = this.#ownerReader(name)
    const test = this.#scopeTest(match)
    const byScope = (position: number): boolean => test(ownerAt(position, this.#state.madeScope(position)))
    if (field === undefined) return byScope
    const valueAt = this.#state.column(field)
    // A record without a parent of its own collection is at the top.
    const byPath = name === this.#model.name ? (at: number) => this.#state.madeScope(at)?.[name] === value : byScope
    return (position) => {
      const current = valueAt(position)
      if (current === undefined || current === null) return byPath(position)
      return refersTo(current, value) || (byScope(position) && !this.#isReference(name, current))
    }
  }

  /** Whether a field's value is the key of a live record in the collection: some fields hold other keys than paths. */
  #isReference(name: string, current: Json): boolean {
    if (this.#collections.model(name) === undefined) return true
    const state = this.#collections.state(name)
    const keys = Array.isArray(current) ? current.map(keyIn) : [keyIn(current)]
    return keys.some((key) => key !== undefined && state.positionOf(key) !== undefined)
  }

  #scopeReader(name: string): ReadValue {
    const ownerAt = this.#ownerReader(name)
    return (position, _, made) => ownerAt(position, made?.scope)
  }

  /** Reads the parent of a record in the collection `name`: a key for created records, the index in the table for generated ones. */
  #ownerReader(name: string): (position: number, made: RecordScope | undefined) => Json | undefined {
    const generated = this.#collections.model(name) === undefined ? () => undefined : this.#generatedOwner(name)
    return (position, made) => (made === undefined ? generated(position) : made[name])
  }

  /** Whether the owner that was read is the record of `match`. */
  #scopeTest({ name, value }: ScopeMatch): (owner: Json | undefined) => boolean {
    if (this.#collections.model(name) === undefined) return (owner) => owner === undefined || owner === value
    const index = this.#collections.state(name).table.indexOf(value)
    return (owner) => owner === value || (owner !== undefined && owner === index)
  }

  #generatedOwner(name: string): (position: number) => number | undefined {
    const steps = this.#stepsTo(name)
    if (steps === undefined) return drawnOwner(name, this.#collections.state(name).generated)
    return (position) => {
      let index: number | undefined = position
      for (const step of steps) index = index === undefined ? undefined : step.table.parentAt(index)
      return index
    }
  }

  /** The tables from the collection up to its ancestor; undefined where it is not one. */
  #stepsTo(ancestor: string): CollectionState[] | undefined {
    const steps: CollectionState[] = []
    let at: CollectionModel | undefined = this.#model
    while (at?.parent !== undefined && steps.length < this.#collections.size) {
      steps.push(this.#collections.state(at.name))
      if (at.parent.collection === ancestor) return steps
      at = this.#collections.model(at.parent.collection)
    }
    return undefined
  }

  #generatedScope(model: CollectionModel, index: number): RecordScope {
    const parent = model.parent && this.#collections.model(model.parent.collection)
    if (parent === undefined || parent === model) return {}
    const parentIndex = this.#collections.state(model.name).table.parentAt(index)
    if (parentIndex === undefined) return {}
    const key = this.#collections.state(parent.name).table.keyAt(parentIndex)
    return { ...this.#generatedScope(parent, parentIndex), [parent.name]: key }
  }
}

/**
 * A path may show records below one to which none of them refers (`/labels/{id}/tasks`). Each generated record then
 * belongs to a constant, randomly drawn one, so that the lists are neither all empty nor all the same.
 */
function drawnOwner(name: string, owners: number): (position: number) => number {
  const key = hashText(name)
  return (position) => mixPair(key, position) % owners
}
