import { keyOfSteps, type PathShape, shapeOfSteps } from './path-shape.ts'

/** An operation with the shape of its path. */
interface Shaped {
  readonly draft: { readonly method: string }
  readonly shape: PathShape
}

const VERSION = /^v\d+(\.\d+)?$/

/**
 * Operations whose paths differ in their version, as `GET /v10/projects`, `POST /v11/projects` and `/v9/projects/{id}`
 * do, in shapes without it: each operation has a version of its own, and the projects are the same. Where two versions
 * have an operation in common, they stay apart.
 */
export function withoutVersions<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const found = placed.map((operation) => ({ operation, ...versionOf(operation.shape) }))
  const same = new Set<string>()
  for (const [noun, group] of Map.groupBy(found, ({ noun }) => noun)) {
    if (new Set(group.map(({ version }) => version)).size < 2) continue
    const calls = new Set(group.map(({ operation, rest }) => `${operation.draft.method} ${keyOfCall(rest)}`))
    if (calls.size === group.length) same.add(noun)
  }
  if (same.size === 0) return placed
  return found.map(({ operation, noun, rest }) => (same.has(noun) ? { ...operation, shape: rest } : operation))
}

const keyOfCall = ({ steps, verb }: PathShape): string => `${keyOfSteps(steps)}:${verb ?? ''}`

/** The version in a path before all parameters, what comes after it, and the path without it. */
function versionOf(shape: PathShape): { version: string; noun: string; rest: PathShape } {
  const at = shape.steps.slice(0, 2).findIndex((step) => step.kind === 'static' && VERSION.test(step.text))
  const version = shape.steps[at]
  const isFound = version?.kind === 'static' && !shape.steps.slice(0, at).some(({ kind }) => kind === 'param')
  const rest = isFound ? shapeOfSteps(shape.steps.toSpliced(at, 1), shape.verb) : shape
  const noun = keyOfSteps(rest.steps.slice(0, isFound ? at + 1 : 1))
  return { version: isFound ? version.text : '', noun, rest }
}
