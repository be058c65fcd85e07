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
  const visit = (node: unknown, place: readonly string[]): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) throw refusal(value, place)
      if (key.startsWith('x-') || VALUES.has(key)) continue
      if (typeof value === 'object' && value !== null) visit(value, [...place, key])
    }
  }
  for (const root of ROOTS) if (Object.hasOwn(document, root)) visit(document[root], [root])
}

function refusal(reference: string, place: readonly string[]): Error {
  return invalidSpec(
    `Failed to read the description: ${toPointer(place)} refers to \`${reference}\` outside of it, and other documents are never read. Bundle the description into one document first.`,
  )
}
