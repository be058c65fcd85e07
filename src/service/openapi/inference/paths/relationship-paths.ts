import type { FieldPath } from '../../../../schema/schema.ts'
import { keyOfSteps, type Step } from './path-shape.ts'
import type { PathSite } from './sites.ts'

type Sites = ReadonlyMap<string, PathSite>

/** The parts of `/lists/{id}/relationships/profiles`, as JSON:API writes it; undefined for other paths. */
export function partsOf(steps: readonly Step[]): { readonly owner: readonly Step[]; readonly last: Step } | undefined {
  const [param, word, last] = steps.slice(-3)
  const isOne = param?.kind === 'param' && word?.kind === 'static' && last?.kind === 'static'
  return isOne && word.text === 'relationships' ? { owner: steps.slice(0, -2), last } : undefined
}

/** Whether a path holds which records belong to one: `/lists/{id}/relationships/profiles` beside `/lists/{id}/profiles`. */
export function isRelationship(sites: Sites, steps: readonly Step[]): boolean {
  const parts = partsOf(steps)
  return parts !== undefined && sites.get(keyOfSteps([...parts.owner, parts.last]))?.own.has('GET') === true
}

/** Where a record keeps the keys that clients write to its relationship, for the paths below it that show these records. */
export function relationshipField(sites: Sites, owner: readonly Step[], rest: readonly Step[]): FieldPath | undefined {
  const last = rest.at(-1)
  if (last?.kind !== 'static' || rest.length > 2) return undefined
  const steps: readonly Step[] = [...owner, { kind: 'static', text: 'relationships' }, last]
  const own = sites.get(keyOfSteps(steps))?.own
  if (own === undefined || !(own.has('POST') || own.has('PATCH'))) return undefined
  return isRelationship(sites, steps) ? ['relationships', last.text, 'data'] : undefined
}
