import type { Json } from '../protocol/json.ts'

/** Where and why a value does not fit its schema. */
export interface Problem {
  /** Names and indexes from the top to the faulty value. */
  readonly path: readonly string[]
  /** The expected value: `a string`, `at least 1`. */
  readonly expected: string
  /** The faulty value; undefined when it is missing. */
  readonly got: Json | undefined
  /** The values of the expected enum. */
  readonly allowed?: readonly Json[]
  /** Further faults of the same value. For responses the check stops at the first fault. */
  readonly others?: readonly Problem[]
}

/** Expectation for a field that no schema declares. */
export const UNDECLARED = 'absent: no such field is declared'

/** Most faults listed for one value. */
export const MOST_PROBLEMS = 20

/** The problem with its path seen from one level higher. */
export function within(name: string, problem: Problem): Problem {
  const { path, others } = problem
  const here = { ...problem, path: [name, ...path] }
  return others === undefined ? here : { ...here, others: others.map((other) => within(name, other)) }
}

export const listProblems = (problems: readonly Problem[]): Problem[] =>
  problems.flatMap(({ others = [], ...problem }) => [problem, ...others])

/** The first problem, with the others attached; undefined without any. */
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
