import type { Json } from '../protocol/json.ts'

/** Where and why a value does not fit its schema. */
export interface Problem {
  /** Names and indexes from the top down to the value at fault. */
  readonly path: readonly string[]
  /** What was wanted: `a string`, `at least 1`. */
  readonly expected: string
  /** The value at fault; undefined when it is missing. */
  readonly got: Json | undefined
  /** The values of the enum that was wanted. */
  readonly allowed?: readonly Json[]
  /** Further faults of the same value. Answers are not looked through to their end. */
  readonly others?: readonly Problem[]
}

/** What is expected of a field that no schema declares. */
export const UNDECLARED = 'absent: no such field is declared'

/** Most faults that are listed for one value. */
export const MOST_PROBLEMS = 20

/** The problem as seen from one level further up. */
export function within(name: string, problem: Problem): Problem {
  const { path, others } = problem
  const here = { ...problem, path: [name, ...path] }
  return others === undefined ? here : { ...here, others: others.map((other) => within(name, other)) }
}

/** Problems one by one, with their further faults. */
export const listProblems = (problems: readonly Problem[]): Problem[] =>
  problems.flatMap(({ others = [], ...problem }) => [problem, ...others])

/** The first problem, with the others as its further faults; undefined when there is none. */
export function joinProblems(problems: readonly Problem[]): Problem | undefined {
  if (problems.length === 1) return problems[0]
  const [first, ...others] = listProblems(problems)
  return first && others.length > 0 ? { ...first, others: others.slice(0, MOST_PROBLEMS) } : first
}

/** `lines.0.amount`; undefined at the top. */
export const toFieldName = (problem: Problem): string | undefined =>
  problem.path.length === 0 ? undefined : problem.path.join('.')

/** ``Expected `title` to be a string, got 5.`` */
export function describeProblem(problem: Problem, whole = 'body'): string {
  const got = problem.got === undefined ? 'nothing' : shorten(JSON.stringify(problem.got))
  return `Expected \`${toFieldName(problem) ?? whole}\` to be ${problem.expected}, got ${got}.`
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}...`)
