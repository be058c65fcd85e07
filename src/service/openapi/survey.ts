import type { DocumentOrigin } from '../../description/read-text.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { grouped } from '../../protocol/grouped.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { countPatternParts, isOversizedPattern, isSimplePattern } from '../../schema/pattern-cost.ts'
import { type DocumentVisitor, type OpenNode, placeIn, walkDocument } from './document-walk.ts'
import { LocalReferences } from './references.ts'
import { MOST_ALTERNATIVES, MOST_MERGED, MOST_PROPERTIES } from './schemas/schema-parts.ts'
import { SchemaWidths } from './schemas/schema-widths.ts'
import { UnknownWords } from './unknown-words.ts'

/** Most pattern parts for linear matching in one description; see {@link countPatternParts}. */
const MOST_PATTERN_PARTS = 100_000
/** Most sentences about one kind of cut. */
const MOST_SENTENCES = 100

/** A schema that merges others, whose properties are counted after its inner schemas. */
const MERGES = 2

/** The result of a pass over every keyword of a description. */
export interface Survey {
  /** A sentence for each place that exceeds the limits of generating or checking. */
  readonly cuts: readonly string[]
  /** Patterns that are too large to compile, alone or all together. */
  readonly unmatched: ReadonlySet<string>
  /** Most properties read of each schema. */
  readonly mostProperties: number
  /** Most combined alternatives generated for one schema. */
  readonly mostWays: number
  /** A sentence for each broken reference, including those that only a request would read. */
  readonly broken: readonly string[]
  /** A sentence for each word that OpenAPI does not have. */
  readonly unknown: readonly string[]
  /** How many values the document holds; values behind YAML aliases count once. */
  readonly values: number
}

/**
 * Visits every keyword of a description once, except in extensions (`x-...`) and examples. Pauses at intervals.
 *
 * Throws `invalid_spec` like {@link walkDocument}, and for a reference to another document, with its place: other
 * documents are never read.
 */
export function* surveyDocument(document: JsonObject, origin?: DocumentOrigin): Generator<undefined, Survey> {
  const surveyor = new Surveyor(document)
  const values = yield* walkDocument(document, surveyor, origin)
  return { ...surveyor.found(), values }
}

class Surveyor implements DocumentVisitor {
  readonly #cuts: string[] = []
  readonly #unmatched = new Set<string>()
  readonly #patterns = new Set<string>()
  readonly #references: LocalReferences
  readonly #widths: SchemaWidths
  readonly #words = new UnknownWords()
  #patternParts = 0

  constructor(document: JsonObject) {
    this.#references = new LocalReferences(document)
    this.#widths = new SchemaWidths(this.#references)
  }

  found(): Omit<Survey, 'values'> {
    const mostProperties = this.#widths.most
    const merged = mostProperties < MOST_PROPERTIES ? [tooManyMerged(mostProperties)] : []
    return {
      cuts: [...merged, ...this.#cuts],
      unmatched: this.#unmatched,
      mostProperties,
      mostWays: this.#widths.mostWays,
      broken: this.#references.notes,
      unknown: this.#words.sentences(),
    }
  }

  /** Examples and the like hold values, not descriptions. */
  describes(name: string): boolean {
    switch (name) {
      case 'example':
      case 'examples':
      case 'default':
      case 'enum':
      case 'const':
        return false
      default:
        return !(name.charCodeAt(0) === 0x78 && name.charCodeAt(1) === 0x2d)
    }
  }

  enter(frame: OpenNode, stack: readonly OpenNode[]): void {
    const { node, names } = frame
    if (names === undefined) return
    this.#words.enter(frame, stack)
    // Names are compared: nearly no object has one of these, and each of a kind of its own would be looked through for them.
    let isWide = false
    let isChoice = false
    for (const name of names) {
      if (name === 'properties' || name === 'required') isWide = true
      else if (name === 'oneOf' || name === 'anyOf') isChoice = true
    }
    if (isWide && isTooWide(node as JsonObject)) this.#tell(tooWide, stack)
    if (isChoice && hasManyAlternatives(node as JsonObject)) this.#tell(tooManyAlternatives, stack)
  }

  inner(frame: OpenNode, name: string): void {
    if (name === 'allOf' || name === 'oneOf' || name === 'anyOf') frame.asks |= MERGES
  }

  scalar(frame: OpenNode, name: string, value: unknown, stack: readonly OpenNode[]): void {
    if (name === '$ref') {
      if (typeof value !== 'string') return
      if (!value.startsWith('#')) throw refusal(value, placeIn(stack))
      this.#references.follow(value)
      frame.asks |= MERGES
    } else if (name === 'pattern') {
      if (typeof value === 'string') this.#visitPattern(value, stack)
    } else if (name === 'type' || name === 'in') this.#words.word(frame, name, value, stack)
    else if (name === 'minLength' && typeof value === 'number' && value > LIMITS.generatedCharacters) {
      this.#tell((place) => tooLong(value, place), stack)
    } else if ((name === 'minItems' || name === 'minProperties') && Number(value) > LIMITS.generatedValues) {
      this.#tell(tooLarge, stack)
    }
  }

  leave({ node, asks }: OpenNode): void {
    if ((asks & MERGES) !== 0) this.#widths.add(node as JsonObject)
  }

  #visitPattern(source: string, stack: readonly OpenNode[]): void {
    if (this.#patterns.has(source)) return
    this.#patterns.add(source)
    const isOversized = isOversizedPattern(source)
    if (!isOversized && !isSimplePattern(source)) this.#patternParts += countPatternParts(source)
    if (!isOversized && this.#patternParts <= MOST_PATTERN_PARTS) return
    this.#unmatched.add(source)
    this.#tell(unmatchedAt, stack)
  }

  #tell(sentence: (place: readonly string[]) => string, stack: readonly OpenNode[]): void {
    if (this.#cuts.length < MOST_SENTENCES) this.#cuts.push(sentence(placeIn(stack)))
  }
}

function refusal(reference: string, place: readonly string[]): Error {
  const next = /^\w+:\/\//.test(reference)
    ? 'Download it, and refer to its file.'
    : 'Pass the path of its file in place of its text, or bundle it into one document first.'
  return invalidSpec(
    `Failed to read the description: ${toPointer(place)} refers to \`${reference}\` outside of it, and other documents are never read. ${next}`,
  )
}

function tooLong(wanted: number, place: readonly string[]): string {
  const [least, most] = [wanted, LIMITS.generatedCharacters].map(grouped)
  return `${toPointer(place)} asks for texts of at least ${least} characters; those that are made have ${most} at most.`
}

function tooLarge(place: readonly string[]): string {
  const most = grouped(LIMITS.generatedValues)
  return `${toPointer(place)} requires more than ${most} values; records and answers that are made have ${most} at most, and are cut there.`
}

function isTooWide({ properties, required }: JsonObject): boolean {
  if (Array.isArray(required) && required.length > MOST_PROPERTIES) return true
  return isJsonObject(properties) && Object.keys(properties).length > MOST_PROPERTIES
}

function tooWide(place: readonly string[]): string {
  const most = grouped(MOST_PROPERTIES)
  return `${toPointer(place)} has more than ${most} properties or required names; the first ${most} are read.`
}

const hasManyAlternatives = ({ oneOf, anyOf }: JsonObject): boolean =>
  [oneOf, anyOf].some((written) => Array.isArray(written) && written.length > MOST_ALTERNATIVES)

function tooManyAlternatives(place: readonly string[]): string {
  const most = grouped(MOST_ALTERNATIVES)
  return `${toPointer(place)} has more than ${most} alternatives; the first ${most} are read, and what fits none of them is taken to fit.`
}

function tooManyMerged(read: number): string {
  const most = grouped(MOST_MERGED)
  return `The schemas that merge others (\`allOf\`, \`oneOf\`, \`anyOf\`) have more than ${most} properties all together; the first ${read} of each are read.`
}

function unmatchedAt(place: readonly string[]): string {
  return `${toPointer(place)} has a pattern that is too large to be compiled, by itself or with those before it; it is not enforced.`
}
