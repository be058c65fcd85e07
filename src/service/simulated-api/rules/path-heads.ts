import type { PathPattern } from '../../../protocol/path-pattern.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'

/**
 * What the texts begin with that patterns of rules are held against, for plain paths of an operation: its own path up to the first
 * parameter, with base paths in front and without.
 */
export function pathHeadsOf({ segments }: Operation, { basePath, basePaths }: ApiModel): readonly string[] {
  let own = ''
  for (const segment of segments) {
    own += '/'
    if (segment.kind !== 'static') break
    own += segment.text
  }
  // Clients leave `.json` out.
  const head = own.replace(/\.json$/, '')
  const bases = [basePath, ...basePaths].filter((base) => base !== '')
  const asked = [head, ...bases.map((base) => base + head)]
  return [...new Set(asked.flatMap((path) => [path, ...bases.flatMap((base) => [base + path, ...below(path, base)])]))]
}

/** What is left of a path without a base path; nothing is known of what a base path ends amid of. */
function below(path: string, base: string): string[] {
  if (path.startsWith(base)) return [path.slice(base.length)]
  return base.startsWith(path) ? [''] : []
}

/** Whether a path is written as its operation declares it: nothing is decoded, no slash is left out. */
export const isPlainPath = (path: string): boolean => !path.includes('%') && !path.includes('//')

/** Whether a text with this beginning may fit a pattern. */
export function mayFitBelow({ parts: [first] }: PathPattern, head: string): boolean {
  return typeof first !== 'object' || first.text.startsWith(head) || head.startsWith(first.text)
}
