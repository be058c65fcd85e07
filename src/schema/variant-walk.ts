import type { Json } from '../protocol/json.ts'
import { CheckEffort } from './check-effort.ts'
import type { Problem } from './problem.ts'

/** Finds the problem of a value. */
interface Check<Walk> {
  find(value: Json, depth: number, walk: Walk): Problem | undefined
}

/** Most values visited for one value with alternatives. Beyond them a value is assumed to fit. */
const MOST_STEPS = 200_000

/** The result while the same value is already being checked: an alternative that leads back to itself describes nothing. */
const IN_CIRCLE: Problem = { path: [], expected: 'described by more than itself', got: null }

/**
 * The check of one value against the alternatives of a schema, at all levels. Nested alternatives reach the same value
 * on many paths: the result for each value and alternative is kept, so that the work grows with the value and the
 * schemas, not with the number of paths.
 */
export class VariantWalk<C extends Check<VariantWalk<C>>> {
  readonly #effort: CheckEffort
  #isInside = false
  /** Undefined without nested alternatives, where each value is visited once. */
  #found: Map<Json, Map<C, Problem | undefined>> | undefined

  constructor(effort: CheckEffort = new CheckEffort(MOST_STEPS)) {
    this.#effort = effort
  }

  /** Counts a value visited inside alternatives. */
  isOver(): boolean {
    return this.#isInside && !this.#effort.take()
  }

  /** The same walk, inside another choice. */
  inner(): this {
    if (this.#isInside) this.#found ??= new Map()
    this.#isInside = true
    return this
  }

  /** The problem of `value` by one of the alternatives. */
  find(check: C, value: Json, depth: number): Problem | undefined {
    if (!this.#effort.take()) return undefined
    if (this.#found === undefined) return check.find(value, depth, this)
    const found = this.#found.get(value) ?? new Map<C, Problem | undefined>()
    this.#found.set(value, found)
    if (found.has(check)) return found.get(check)
    found.set(check, IN_CIRCLE)
    const problem = check.find(value, depth, this)
    found.set(check, problem)
    return problem
  }
}
