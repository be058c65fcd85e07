import type { Json } from '../../../protocol/json.ts'

/** Where and why a value does not fit its schema. */
export interface Problem {
  /** Names and indexes from the top down to the value at fault. */
  readonly path: readonly string[]
  /** What was wanted: `a string`, `at least 1`. */
  readonly expected: string
  /** The value at fault; undefined when it is missing. */
  readonly got: Json | undefined
}

/** The problem as seen from one level further up. */
export const within = (name: string, problem: Problem): Problem => ({ ...problem, path: [name, ...problem.path] })

/** `lines.0.amount`; undefined at the top. */
export const toFieldName = (problem: Problem): string | undefined =>
  problem.path.length === 0 ? undefined : problem.path.join('.')

/** ``Expected `title` to be a string, got 5.`` */
export function describeProblem(problem: Problem, whole = 'body'): string {
  const got = problem.got === undefined ? 'nothing' : shorten(JSON.stringify(problem.got))
  return `Expected \`${toFieldName(problem) ?? whole}\` to be ${problem.expected}, got ${got}.`
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}...`)
