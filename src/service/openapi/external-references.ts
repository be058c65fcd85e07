import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { toPointer } from './references.ts'

/** Where the description of the API itself stands; what else there is may refer to anything. */
const ROOTS = ['paths', 'components', 'webhooks', 'definitions', 'parameters', 'responses']
/** Keys below which there are values, not descriptions. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example'])

/**
 * Throws `invalid_spec`, naming the reference and its place, where the description depends on another document: nothing
 * outside is ever read. References in extensions (`x-...`) and in examples count for nothing.
 */
export function refuseExternalReferences(document: JsonObject): void {
  const seen = new Set<object>()
  const place: string[] = []
  const visit = (node: object): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const key of Object.keys(node)) {
      const value: unknown = (node as Record<string, unknown>)[key]
      if (typeof value === 'string') {
        if (key === '$ref' && !value.startsWith('#')) throw refusal(value, place)
      } else if (typeof value === 'object' && value !== null && !VALUES.has(key) && !key.startsWith('x-')) {
        place.push(key)
        visit(value)
        place.pop()
      }
    }
  }
  for (const root of ROOTS) {
    const node = document[root]
    if (typeof node !== 'object' || node === null) continue
    place.push(root)
    visit(node)
    place.pop()
  }
}

function refusal(reference: string, place: readonly string[]): Error {
  return invalidSpec(
    `Failed to read the description: ${toPointer(place)} refers to \`${reference}\` outside of it, and other documents are never read. Bundle the description into one document first.`,
  )
}
