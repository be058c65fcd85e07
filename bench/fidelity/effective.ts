import { foldNoun } from '../../src/names/nouns.ts'
import { wordsOf } from '../../src/names/words.ts'
import type { ApiModel, Effect, Operation } from '../../src/service/openapi/model.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import { performOperation } from '../../src/service/simulated-api/perform-operation.ts'
import type { RequestContext } from '../../src/service/simulated-api/request-context.ts'
import { toContext } from '../../src/service/simulated-api/request-context.ts'
import { SimulatedApi } from '../../src/service/simulated-api/simulated-api.ts'
import type { Change } from '../../src/service/world/change.ts'
import type { World } from '../../src/service/world/world.ts'
import { withoutTimes } from './http.ts'
import type { Sample } from './sample.ts'
import { SampleRequests } from './sample-requests.ts'
import { createStatefulTest } from './stateful.ts'
import { count, newTally, type Tally } from './tally.ts'

/**
 * Of the stateful operations, those whose effect a client can cause or see: a write that changes more than the time of
 * the last change of what some operation shows, and a read of what some operation changes.
 */
export function measureEffective(model: ApiModel, world: World, epoch: number): Tally {
  const tally = newTally()
  const shown = new Set(model.operations.filter(shows).flatMap(({ effect }) => subjectOf(effect) ?? []))
  const probe = new Probe(model, world, epoch)
  const writes = model.operations.filter(isWrite)
  const outcomes = new Map(writes.map((operation) => [operation, probe.changedBy(operation)]))
  // An undo action has an effect only after its counterpart: unpin after pin, leave after join.
  const doing = writes.filter((operation) => outcomes.get(operation)?.size)
  for (const operation of writes.filter((write) => outcomes.get(write)?.size === 0)) {
    outcomes.set(
      operation,
      probe.changedAfter(
        operation,
        doing.filter((other) => isAboutSame(other, operation)),
      ),
    )
  }
  const written = new Set([...outcomes.values()].flatMap((changed) => [...changed]))
  const isStateful = createStatefulTest(model)
  const removed = new Set(
    writes.flatMap(({ effect }) =>
      effect.kind === 'delete' && written.has(effect.collection) ? effect.collection : [],
    ),
  )
  for (const operation of model.operations.filter(isStateful)) {
    const changed = outcomes.get(operation)
    const subject = subjectOf(operation.effect)
    const document = model.singletons.find(({ name }) => name === subject)
    // A document that is a field of a record changes with the record.
    const owner = document?.field === undefined ? undefined : document.parent
    if (changed === undefined) {
      const isChanged = [subject, owner].some((name) => name !== undefined && written.has(name))
      const isSeen = isChanged || probe.endsWith(operation, removed)
      count(tally, operation, isSeen ? undefined : `no operation changes ${subject}`)
    } else if (changed.size === 0) count(tally, operation, `changes nothing: ${operation.effect.kind}`)
    else
      count(
        tally,
        operation,
        [...changed].some((name) => shown.has(name)) || probe.ends(operation, model.operations)
          ? undefined
          : `no operation shows ${[...changed]}`,
      )
  }
  return tally
}

/**
 * The same without reads of what no write of the description names, by a word of its path or by the component that it keeps:
 * countries, currencies, statistics. A client cannot change them, whatever is understood.
 */
export function withoutUntouched(model: ApiModel, effective: Tally): Tally {
  const writes = model.operations.filter((operation) => isWrite(operation) && !SAFE.has(operation.method))
  const named = new Set(writes.flatMap(({ path }) => nounsOf(path)))
  const collections = new Map(model.collections.map((collection) => [collection.name, collection]))
  const componentOf = ({ effect }: Operation) =>
    'collection' in effect ? collections.get(effect.collection)?.schema?.name : undefined
  const kept = new Set(writes.map(componentOf))
  const isTouched = (operation: Operation): boolean => {
    const own = nounsOf(operation.path.replaceAll(/(\/[^/]*\{[^/]*\}[^/]*)+\/?$/g, '').replace(/.*\//, ''))
    const component = componentOf(operation)
    return own.some((noun) => named.has(noun)) || (component !== undefined && kept.has(component))
  }
  const routeOf = ({ method, path }: Operation) => `${method} ${path}`
  const untouched = new Set(model.operations.filter((read) => !isWrite(read) && !isTouched(read)).map(routeOf))
  const misses = effective.misses.filter((miss) => !untouched.has(miss.slice(0, miss.lastIndexOf(': '))))
  return { ...effective, total: effective.total - (effective.misses.length - misses.length), misses }
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/** The words of a path, in the singular. */
function nounsOf(path: string): string[] {
  const words = path.split('/').filter((text) => text !== '' && !text.includes('{'))
  return words.flatMap((text) => [foldNoun(text), foldNoun(wordsOf(text).at(-1) ?? text)])
}

const READS: readonly Effect['kind'][] = ['list', 'search', 'read', 'singletonRead']
const isWrite = ({ effect }: Operation): boolean =>
  !READS.includes(effect.kind) && effect.kind !== 'example' && effect.kind !== 'signIn'

/** Whether an operation's response shows stored data. */
function shows({ effect }: Operation): boolean {
  return (
    READS.includes(effect.kind) ||
    ('envelope' in effect && effect.kind !== 'create' && effect.kind !== 'delete' && effect.envelope.shape !== 'none')
  )
}

/** Most operations that are done before one that changes nothing by itself. */
export const MOST_OTHERS = 12

/** Whether an operation does something else to what another one is about: to the same record, by a neighbouring path. */
export function isAboutSame(left: Operation, right: Operation): boolean {
  const stem = ({ path }: Operation) => path.replace(/\/$/, '').replace(/\/[^/]*$/, '')
  const isNear = left.path === right.path || stem(left) === stem(right)
  return isNear && left.effect.kind === 'action' && subjectOf(left.effect) === subjectOf(right.effect)
}

function subjectOf(effect: Effect): string | undefined {
  return 'collection' in effect ? effect.collection : 'singleton' in effect ? effect.singleton : undefined
}

/** Performs operations on the sample data, without storing changes. */
class Probe {
  readonly #api: SimulatedApi
  readonly #compiled: CompiledApi
  readonly #requests: SampleRequests
  readonly #world: World
  readonly #epoch: number

  constructor(model: ApiModel, world: World, epoch: number) {
    this.#compiled = new CompiledApi(model)
    this.#api = new SimulatedApi({
      api: this.#compiled,
      world,
      seed: 'fidelity',
      validation: 'off',
      lenientParents: true,
    })
    this.#requests = new SampleRequests(world)
    this.#world = world
    this.#epoch = epoch
  }

  /** Names of the collections and documents that a request for the operation changes. */
  changedBy(operation: Operation): ReadonlySet<string> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const changed = this.#perform(operation, attempt)
      if (changed.size > 0) return changed
    }
    return new Set()
  }

  /** Those that it changes after one of `others` was done; the world is as before afterwards. */
  changedAfter(operation: Operation, others: readonly Operation[]): ReadonlySet<string> {
    for (const other of others.slice(0, MOST_OTHERS)) {
      this.#world.begin()
      for (const change of this.#changesOf(other, 0)) this.#world.apply(change)
      const changed = this.changedBy(operation)
      this.#world.undo()
      if (changed.size > 0) return changed
    }
    return new Set()
  }

  /** Whether a read answers until a client deletes the record below which it stands, and refuses from then on. */
  endsWith(operation: Operation, removed: ReadonlySet<string>): boolean {
    const { effect } = operation
    const parents = 'scope' in effect ? effect.scope.filter(({ collection = '' }) => removed.has(collection)) : []
    const sample = this.#requests.sample(operation)
    if (parents.length === 0 || !this.#isAnswered(operation, sample)) return false
    return parents.some(({ collection = '', param }) => {
      const key = sample.params[param] ?? ''
      if (!this.#world.collection(collection).has(key)) return false
      this.#world.begin()
      this.#world.apply({ type: 'deleted', collection, key })
      const isAnswered = this.#isAnswered(operation, sample)
      this.#world.undo()
      return !isAnswered
    })
  }

  /** Whether a deletion ends some read below the record. */
  ends({ effect }: Operation, operations: readonly Operation[]): boolean {
    if (effect.kind !== 'delete') return false
    const removed = new Set([effect.collection])
    return operations.some((other) => !isWrite(other) && this.endsWith(other, removed))
  }

  #isAnswered(operation: Operation, sample: Sample): boolean {
    try {
      return performOperation(this.#api, this.#contextOf(operation, sample), true).response.status < 400
    } catch {
      return false
    }
  }

  #perform(operation: Operation, attempt: number): ReadonlySet<string> {
    const seen = this.#changesOf(operation, attempt).filter((change) => this.#isSeen(change))
    return new Set(seen.map((change) => ('collection' in change ? change.collection : change.singleton)))
  }

  #changesOf(operation: Operation, attempt: number): readonly Change[] {
    const sample = this.#requests.sample(operation, attempt)
    if (attempt > 0) this.#nameFree(operation, sample.params)
    try {
      return performOperation(this.#api, this.#contextOf(operation, sample), true).changes
    } catch {
      return []
    }
  }

  #contextOf(operation: Operation, sample: Sample): RequestContext {
    const context = toContext({ request: this.#requests.toRequest(operation, sample), at: this.#epoch + 3_600_000 })
    context.route = { compiled: this.#compiled.operation(operation), params: sample.params, isHead: false }
    return context
  }

  /** An upsert is requested for a missing record: a new membership. */
  #nameFree({ effect }: Operation, params: Record<string, string>): void {
    const key = 'upsert' in effect && effect.upsert && effect.kind !== 'delete' ? effect.keys.at(-1) : undefined
    if (key?.in !== 'path') return
    const known = params[key.param] ?? ''
    params[key.param] = /^\d+$/.test(known) ? String(Number(known) + 1_000) : `${known}-other`
  }

  #isSeen(change: Change): boolean {
    if (change.type !== 'updated' || !('collection' in change)) return true
    const before = this.#world.collection(change.collection).get(change.key)
    return before === undefined || JSON.stringify(withoutTimes(before)) !== JSON.stringify(withoutTimes(change.record))
  }
}
