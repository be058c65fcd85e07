import { didYouMean, misspeltFor } from '../../names/nearest-name.ts'
import { grouped } from '../../protocol/grouped.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'
import { UNREAD } from '../../protocol/unread.ts'
import { type OpenNode, placeIn } from './document-walk.ts'
import { isWrongObject, TYPE_NAMES, typeOfDefault } from './schemas/schema-types.ts'

/** Keywords whose values are words of OpenAPI, with these words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  type: [...TYPE_NAMES, 'null'],
  in: ['query', 'path', 'header', 'cookie', 'querystring', 'body', 'formData'],
}

/** The kinds of values that are read of a keyword, and how they are called. */
interface Kinds {
  readonly kinds: readonly string[]
  readonly called: string
}

const NUMBER: Kinds = { kinds: ['number'], called: 'a number' }
const BOOLEAN: Kinds = { kinds: ['boolean'], called: 'true or false' }
const TEXT: Kinds = { kinds: ['string'], called: 'a text' }
const LIST: Kinds = { kinds: ['list'], called: 'a list' }
const BOUND: Kinds = { kinds: ['number', 'boolean'], called: 'a number' }

const KINDS: readonly [string, Kinds][] = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(asKey(NUMBER)),
  ...['minimum', 'maximum', 'multipleOf'].map(asKey(NUMBER)),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map(asKey(BOUND)),
  ...['uniqueItems', 'nullable', 'readOnly', 'writeOnly', 'deprecated'].map(asKey(BOOLEAN)),
  ...['pattern', 'format', 'operationId'].map(asKey(TEXT)),
  ...['enum', 'allOf', 'oneOf', 'anyOf'].map(asKey(LIST)),
  ['required', { kinds: ['list', 'boolean'], called: 'a list of names' }],
  ['properties', { kinds: ['object'], called: 'an object' }],
  ['items', { kinds: ['object', 'list', 'boolean'], called: 'a schema' }],
]

/** Keywords that are looked for where a name is none of OpenAPI: without them, checks are lost. */
const MEANT = [
  ...KINDS.map(([name]) => name),
  ...'additionalProperties patternProperties discriminator default example schema content headers'.split(' '),
  ...'parameters requestBody responses security callbacks'.split(' '),
]
/** Words of OpenAPI that are like one of those, or frequent, and usual additions. */
const OTHERS =
  'schemas schemes scheme examples contains contact context description type name title summary tags xml style explode'

/** Known names, with the kinds of values that are read of them. */
const KEYWORDS: ReadonlyMap<string, Kinds | null> = new Map([
  ...[...MEANT, ...OTHERS.split(' ')].map((name): [string, null] => [name, null]),
  ...KINDS,
])

/** Objects that have names of their user, not keywords. */
const NAMES = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependentRequired', 'mapping'],
  ...['schemas', 'parameters', 'responses', 'requestBodies', 'headers', 'links', 'callbacks', 'pathItems', 'paths'],
  ...['securitySchemes', 'securityDefinitions', 'webhooks', 'content', 'encoding', 'scopes', 'variables', 'mediaTypes'],
])
/** Most different words that are listed, and most different names that are compared with keywords. */
const MOST_TOLD = 20
const MOST_COMPARED = 200
const LONGEST_COMPARED = 30
/** A note on a frame: its names are those of the user. */
const HAS_NAMES = 4

/** The words of a description that are not read, each with its first place: the type `interger`, `minLength: "3"`, `enmu`. */
export class UnknownWords {
  readonly #found = new Map<string, { readonly first: string; count: number }>()
  readonly #compared = new Map<string, string | undefined>()

  /** Looks at the names of an object, the last frame's, and at the kinds of their values. */
  enter(frame: OpenNode, stack: readonly OpenNode[]): void {
    const holder = stack[stack.length - 2]
    const isOfNames = holder !== undefined && (holder.asks & HAS_NAMES) !== 0
    const isRequirement = holder?.key === 'security' && holder.names === undefined
    if (isOfNames ? holder.key === 'callbacks' : NAMES.has(frame.key) || isRequirement) {
      frame.asks |= HAS_NAMES
      return
    }
    const { node } = frame
    if (isJsonObject(node) && isWrongObject(node)) {
      const fact = `is "object", and its default ${shown(node.default)}: it is read as a ${typeOfDefault(node)}. Correct one of them.`
      this.#note('type of default', [...placeIn(stack), 'type'], fact)
    }
    for (const name of frame.names ?? []) {
      const wanted = KEYWORDS.get(name)
      if (wanted) this.#checkKind(name, (frame.node as JsonObject)[name], wanted, stack)
      else if (wanted === undefined) this.#compare(name, stack)
    }
  }

  /** Looks at a value of the last frame that is a word of OpenAPI. */
  word({ asks }: OpenNode, keyword: 'type' | 'in', value: unknown, stack: readonly OpenNode[]): void {
    if (typeof value !== 'string' || (asks & HAS_NAMES) !== 0 || WORDS[keyword]?.includes(value)) return
    if (/^security(Schemes|Definitions)$/.test(stack[stack.length - 2]?.key ?? '')) return
    const nearest = didYouMean(value, WORDS[keyword] ?? [])
    this.#note(`${keyword} ${value}`, [...placeIn(stack), keyword], `is ${shown(value)}, which ${UNREAD}${nearest}`)
  }

  /** A sentence for each word. */
  sentences(): string[] {
    return [...this.#found.values()].map(({ first, count }) =>
      count === 1 ? first : `${first} It stands at ${grouped(count)} places.`,
    )
  }

  #checkKind(name: string, value: unknown, { kinds, called }: Kinds, stack: readonly OpenNode[]): void {
    const kind = Array.isArray(value) ? 'list' : typeof value
    const isOfProperty = name === 'required' && kind === 'boolean' && stack[stack.length - 2]?.key === 'properties'
    if (value === null || (kinds.includes(kind) && !isOfProperty)) return
    const advice = isOfProperty ? 'Name the property in the `required` of its object' : `Expected ${called}`
    this.#note(`${name} ${kind}`, [...placeIn(stack), name], `is ${shown(value)}, which ${UNREAD} ${advice}.`)
  }

  #compare(name: string, stack: readonly OpenNode[]): void {
    if (name.length < 4 || name.length > LONGEST_COMPARED || name.startsWith('x-')) return
    if (!this.#compared.has(name)) {
      if (this.#compared.size >= MOST_COMPARED) return
      this.#compared.set(name, misspeltFor(name, MEANT))
    }
    const nearest = this.#compared.get(name)
    if (nearest === undefined) return
    this.#note(`name ${name}`, [...placeIn(stack), name], `${UNREAD} Did you mean "${nearest}"?`)
  }

  #note(key: string, place: readonly string[], fact: string): void {
    const known = this.#found.get(key)
    if (known) known.count++
    else if (this.#found.size < MOST_TOLD) this.#found.set(key, { first: `${toPointer(place)} ${fact}`, count: 1 })
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object'
    ? Array.isArray(value)
      ? 'a list'
      : 'an object'
    : JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value)

function asKey(kinds: Kinds): (name: string) => [string, Kinds] {
  return (name) => [name, kinds]
}
