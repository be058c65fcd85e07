import type { OperationSummary } from '../../protocol/inspection.ts'
import type { LiveSimulation } from './live.ts'
import { simulationPath } from './service.ts'
import { type Read, useAnswer } from './use-answer.ts'

/** The operations of the simulated API. */
export function useOperations(live: LiveSimulation): Read<{ data: OperationSummary[] }> {
  return useAnswer<{ data: OperationSummary[] }>(simulationPath(live.slug, '/operations'))
}

const DOES: Readonly<Record<OperationSummary['kind'], (subject: string) => string>> = {
  list: (subject) => `lists ${subject}`,
  search: (subject) => `finds ${subject}`,
  read: (subject) => `reads one of ${subject}`,
  update: (subject) => `changes one of ${subject}`,
  replace: (subject) => `replaces one of ${subject}`,
  delete: (subject) => `deletes one of ${subject}`,
  create: (subject) => `adds to ${subject}`,
  action: (subject) => `changes nothing of ${subject}`,
  bulkCreate: (subject) => `adds several to ${subject}`,
  bulkUpdate: (subject) => `changes several of ${subject}`,
  bulkDelete: (subject) => `deletes several of ${subject}`,
  singletonRead: (subject) => `reads ${subject}`,
  singletonUpdate: (subject) => `changes ${subject}`,
  singletonReplace: (subject) => `replaces ${subject}`,
  singletonDelete: (subject) => `deletes ${subject}`,
  signIn: () => 'signs users in',
  computed: () => 'answers what a handler or a rule computes',
  example: () => 'answers the example of the description',
}

/** The effect of an operation, in a few words. */
export const whatItDoes = ({ kind, subject, sets }: OperationSummary): string =>
  sets.length > 0 ? `changes ${subject}: ${sets.join(', ')}` : DOES[kind](subject ?? 'records')

/** Whether a response rule's pattern matches an operation, by method and path. */
export function meets(
  rule: { method: string; pathPattern: string },
  operation: OperationSummary,
  basePath: string,
): boolean {
  if (rule.method !== '*' && rule.method !== operation.method) return false
  const pattern = segmentsOf(rule.pathPattern)
  return ['', basePath].some((base) => fits(pattern, segmentsOf(base + operation.path)))
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean)

/** A parameter on either side matches anything; a final `*` matches the rest. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpen = pattern.at(-1)?.endsWith('*') === true
  if (isOpen ? path.length < pattern.length - 1 : path.length !== pattern.length) return false
  return pattern.every((part, at) => {
    const segment = path[at] ?? ''
    if (/^(:|{)/.test(part) || /^(:|{)/.test(segment)) return true
    const wild = part.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${wild.join('.*')}$`).test(segment)
  })
}
