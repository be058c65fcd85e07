import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { countPatternParts, isOversizedPattern, isSimplePattern } from '../../schema/pattern-cost.ts'
import { LeastSizes } from './least-sizes.ts'
import { LocalReferences, toPointer } from './references.ts'
import { MOST_MERGED, MOST_PROPERTIES } from './schema-bounds.ts'
import { SchemaWidths } from './schema-widths.ts'

/** Keys that hold the description of the API; other keys may refer to other documents. */
const ROOTS = ['paths', 'components', 'webhooks', 'definitions', 'parameters', 'responses']
/** Keys that hold values, not descriptions. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example'])
/** Most parts of all patterns together that are matched in linear time; see {@link countPatternParts}. */
const MOST_PATTERN_PARTS = 100_000
/** Objects and arrays that are looked at between two pauses. */
const SEEN_AT_ONCE = 1_000
/** Most sentences about one kind of cut. */
const MOST_SENTENCES = 100

/** What a schema asks for that is measured once all inside it is: values of its own, or properties of others. */
const REQUIRES = 1
const MERGES = 2
const ASKS: ReadonlyMap<string, number> = new Map([
  ['required', REQUIRES],
  ['allOf', MERGES],
  ['oneOf', MERGES],
  ['anyOf', MERGES],
])

/** An object or an array whose inside is looked at. */
interface Frame {
  readonly node: object
  readonly key: string
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  next: number
  asks: number
}

/** What a look at every keyword of a description found. */
export interface Survey {
  /** A sentence for each place that asks for more than is made or checked. */
  readonly cuts: readonly string[]
  /** Patterns that are too large to be compiled, each by itself or all together. */
  readonly unmatched: ReadonlySet<string>
  /** Most properties that are read of each schema. */
  readonly mostProperties: number
}

/**
 * Looks at every keyword of a description once, except in extensions (`x-...`) and examples. Pauses now and then.
 *
 * Throws `invalid_spec`, naming the reference and its place, where the description depends on another document: nothing
 * outside is ever read.
 */
export function* surveyDocument(document: JsonObject): Generator<undefined, Survey> {
  const cuts: string[] = []
  const unmatched = new Set<string>()
  const patterns = new Set<string>()
  const references = new LocalReferences(document)
  const sizes = new LeastSizes(references)
  const widths = new SchemaWidths(references)
  let patternParts = 0
  const seen = new Set<object>()
  const stack: Frame[] = []
  const place = (): string[] => stack.map(({ key }) => key)
  const tell = (sentence: () => string): void => {
    if (cuts.length < MOST_SENTENCES) cuts.push(sentence())
  }
  const open = (node: object, key: string): void => {
    if (seen.has(node)) return
    seen.add(node)
    const names = Array.isArray(node) ? undefined : Object.keys(node)
    stack.push({ node, key, names, length: names?.length ?? (node as unknown[]).length, next: 0, asks: 0 })
    if (isTooWide(node, names)) tell(() => tooWide(place()))
  }
  const visitKeyword = (frame: Frame, key: string, value: unknown): void => {
    if (key === '$ref') {
      if (typeof value !== 'string') return
      if (!value.startsWith('#')) throw refusal(value, place())
      references.follow(value)
      frame.asks |= MERGES
    } else if (key === 'pattern') {
      if (typeof value === 'string') visitPattern(value)
    } else if (key === 'minItems' || key === 'minProperties') frame.asks |= REQUIRES
    else if (key === 'minLength' && typeof value === 'number' && value > LIMITS.generatedCharacters) {
      tell(() => tooLong(value, place()))
    }
  }
  const visitPattern = (source: string): void => {
    if (patterns.has(source)) return
    patterns.add(source)
    const isOversized = isOversizedPattern(source)
    if (!isOversized && !isSimplePattern(source)) patternParts += countPatternParts(source)
    if (!isOversized && patternParts <= MOST_PATTERN_PARTS) return
    unmatched.add(source)
    tell(() => unmatchedAt(place()))
  }
  const close = ({ node, asks }: Frame): void => {
    // What is inside was measured before: however much there is, nothing is measured in one piece.
    if ((asks & REQUIRES) !== 0 && sizes.exceeds(node as JsonObject)) tell(() => tooLarge(place()))
    if ((asks & MERGES) !== 0) widths.add(node as JsonObject)
    stack.pop()
  }
  for (const root of ROOTS) {
    const node = document[root]
    if (typeof node === 'object' && node !== null) open(node, root)
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const { node, names, length } = frame
      while (frame.next < length && stack.at(-1) === frame) {
        const key = names === undefined ? String(frame.next) : (names[frame.next] as string)
        const value: unknown = (node as Record<string, unknown>)[key]
        frame.next++
        if (typeof value !== 'object' || value === null) {
          if (names !== undefined) visitKeyword(frame, key, value)
        } else if (!VALUES.has(key) && !key.startsWith('x-')) {
          if (names !== undefined) frame.asks |= ASKS.get(key) ?? 0
          open(value, key)
        }
      }
      if (stack.at(-1) === frame) close(frame)
      if (seen.size % SEEN_AT_ONCE === 0) yield
    }
  }
  const mostProperties = widths.most
  if (mostProperties < MOST_PROPERTIES) cuts.unshift(tooManyMerged(mostProperties))
  return { cuts, unmatched, mostProperties }
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

function tooLarge(place: readonly string[]): string {
  const most = LIMITS.generatedValues.toLocaleString('en-US')
  return `${toPointer(place)} requires more than ${most} values; records and answers that are made have ${most} at most, and are cut there.`
}

function isTooWide(node: object, names: readonly string[] | undefined): boolean {
  if (names === undefined) return false
  const { properties, required } = node as JsonObject
  if (Array.isArray(required) && required.length > MOST_PROPERTIES) return true
  return isJsonObject(properties) && Object.keys(properties).length > MOST_PROPERTIES
}

function tooWide(place: readonly string[]): string {
  const most = MOST_PROPERTIES.toLocaleString('en-US')
  return `${toPointer(place)} has more than ${most} properties or required names; the first ${most} are read.`
}

function tooManyMerged(read: number): string {
  const most = MOST_MERGED.toLocaleString('en-US')
  return `The schemas that merge others (\`allOf\`, \`oneOf\`, \`anyOf\`) have more than ${most} properties all together; the first ${read} of each are read.`
}

function unmatchedAt(place: readonly string[]): string {
  return `${toPointer(place)} has a pattern that is too large to be compiled, by itself or with those before it; it is not enforced.`
}
