import type { PathPattern } from '../../../protocol/path-pattern.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'

/**
 * Prefixes of an operation's plain paths, for comparison with rule patterns: its path up to the first parameter, with
 * and without base paths.
 */
export function pathHeadsOf({ segments }: Operation, { basePath, basePaths }: ApiModel): readonly string[] {
  let own = ''
  for (const segment of segments) {
    own += '/'
    if (segment.kind !== 'static') break
    own += segment.text
  }
  // Clients omit `.json`.
  const head = own.replace(/\.json$/, '')
  const all = [basePath, ...basePaths].filter((base) => base !== '')
  const bases = all.filter((base) => !base.includes('{'))
  const asked = [head, ...all.map((base) => (base.includes('{') ? base.replace(/\{.*/, '') : base + head))]
  return [...new Set(asked.flatMap((path) => [path, ...bases.flatMap((base) => [base + path, ...below(path, base)])]))]
}

/** A path without a base path; empty where the base path ends inside it. */
function below(path: string, base: string): string[] {
  if (path.startsWith(base)) return [path.slice(base.length)]
  return base.startsWith(path) ? [''] : []
}

/** Whether a path is written as declared: without encoding and without missing slashes. */
export const isPlainPath = (path: string): boolean => !path.includes('%') && !path.includes('//')

/** Whether a text with this prefix may fit a pattern. */
export function mayFitBelow({ parts: [first] }: PathPattern, head: string): boolean {
  return typeof first !== 'object' || first.text.startsWith(head) || head.startsWith(first.text)
}
