import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { toPointer } from './references.ts'

/** Where the description of the API itself stands; what else there is may refer to anything. */
const ROOTS = ['paths', 'components', 'webhooks', 'definitions', 'parameters', 'responses']
/** Keys below which there are values, not descriptions. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example'])

/**
 * Looks at every keyword of a description once, extensions (`x-...`) and examples aside, and returns a sentence for each
 * that cannot be kept to the letter.
 *
 * Throws `invalid_spec`, naming the reference and its place, where the description depends on another document: nothing
 * outside is ever read.
 */
export function surveyDocument(document: JsonObject): string[] {
  const warnings: string[] = []
  const seen = new Set<object>()
  const place: string[] = []
  const visit = (node: object): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const key of Object.keys(node)) {
      const value: unknown = (node as Record<string, unknown>)[key]
      if (typeof value === 'string') {
        if (key === '$ref' && !value.startsWith('#')) throw refusal(value, place)
      } else if (typeof value === 'number') {
        if (key === 'minLength' && value > LIMITS.generatedCharacters) warnings.push(tooLong(value, place))
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
  return warnings
}

function refusal(reference: string, place: readonly string[]): Error {
  return invalidSpec(
    `Failed to read the description: ${toPointer(place)} refers to \`${reference}\` outside of it, and other documents are never read. Bundle the description into one document first.`,
  )
}

function tooLong(wanted: number, place: readonly string[]): string {
  const [least, most] = [wanted, LIMITS.generatedCharacters].map((count) => count.toLocaleString('en-US'))
  return `${toPointer(place)} asks for texts of at least ${least} characters; those that are made have ${most} at most.`
}
