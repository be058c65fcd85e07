import type { Json } from '../protocol/json.ts'
import { CheckEffort } from './check-effort.ts'
import type { Problem } from './problem.ts'

/** What finds the problem of a value. */
interface Check<Walk> {
  find(value: Json, depth: number, walk: Walk): Problem | undefined
}

/** Most values that are looked at for one value with alternatives. Beyond it a value is taken to fit. */
const MOST_STEPS = 200_000

/** The problem of a value that is being checked: an alternative that leads back to itself describes nothing. */
const IN_CIRCLE: Problem = { path: [], expected: 'described by more than itself', got: null }

/**
 * The check of one value against the alternatives of a schema, and of what is inside. Alternatives that have alternatives
 * come to the same value by many ways: what was found for a value and an alternative is kept, so that the work grows with
 * the value and the schemas and not with the number of ways.
 */
export class VariantWalk<C extends Check<VariantWalk<C>>> {
  readonly #effort: CheckEffort
  #isInside = false
  /** Undefined outside of alternatives of alternatives, where nothing is looked at twice. */
  #found: Map<Json, Map<C, Problem | undefined>> | undefined

  constructor(effort: CheckEffort = new CheckEffort(MOST_STEPS)) {
    this.#effort = effort
  }

  /** Counts a value that is looked at inside of alternatives. */
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
