import type { Json, JsonObject } from '../../src/protocol/json.ts'

/** A field that is asked for: its name, the name in the answer, its arguments, and the fields below it. */
export interface Selection {
  readonly name: string
  readonly alias: string
  readonly args: Readonly<Record<string, Value>>
  readonly below?: readonly Selection[]
  /** Only of objects of this type: a fragment. */
  readonly on?: string
  readonly line: number
  readonly column: number
}

type Value =
  | { readonly variable: string }
  | { readonly list: Value[] }
  | { readonly fields: Record<string, Value> }
  | Json

/** A fault of a request, as it stands in `errors`. */
export class GraphqlFault extends Error {
  readonly error: JsonObject
  constructor(error: JsonObject & { message: string }) {
    super(error.message)
    this.error = error
  }
}

export interface Operation {
  readonly kind: 'query' | 'mutation'
  readonly variables: JsonObject
  readonly selections: readonly Selection[]
}

const TOKEN =
  /[\s,\uFEFF]+|#[^\n]*|("""[\s\S]*?(?<!\\)"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[!$():=@[\]{|}]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*)|([\s\S])/g

/** Reads a request: the operation of the name, or the only one. Throws {@link GraphqlFault}. */
export function parseOperation(query: string, wanted: string | undefined, given: JsonObject): Operation {
  const tokens: { text: string; at: number }[] = []
  const placeOf = (at: number) => {
    const lines = query.slice(0, at).split('\n')
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  }
  const fail = (text: string, at: number): never => {
    const place = placeOf(at)
    const message = `Parse error on ${JSON.stringify(text)} at [${place.line}, ${place.column}]`
    throw new GraphqlFault({ message, locations: [place] })
  }
  for (const match of query.matchAll(TOKEN)) {
    if (match[2] !== undefined) fail(match[2], match.index)
    if (match[1] !== undefined) tokens.push({ text: match[1], at: match.index })
  }
  let place = 0
  const peek = () => tokens[place]?.text
  const next = () => tokens[place++]?.text ?? fail('end of file', query.length)
  const take = (text: string) => peek() === text && ++place > 0
  const expect = (text: string) => take(text) || fail(peek() ?? 'end of file', tokens[place]?.at ?? query.length)
  const until = <T>(end: string, read: () => T): T[] => {
    const all: T[] = []
    while (!take(end)) all.push(read())
    return all
  }
  const value = (): Value => {
    const text = next()
    if (text === '$') return { variable: next() }
    if (text === '[') return { list: until(']', value) }
    if (text === '{') return { fields: Object.fromEntries(until('}', () => pair())) }
    if (text.startsWith('"""')) return text.slice(3, -3).replaceAll('\\"""', '"""').trim()
    if (text.startsWith('"')) return JSON.parse(text)
    return /^-?\d|^(true|false|null)$/.test(text) ? JSON.parse(text) : text
  }
  const pair = (): [string, Value] => {
    const name = next()
    expect(':')
    return [name, value()]
  }
  const args = () => (take('(') ? Object.fromEntries(until(')', pair)) : {})
  const variables: JsonObject = { ...given }
  const plain = (one: Value) => filled(one, variables)
  /** Whether `@include` and `@skip` leave the field in. */
  const isIn = () => {
    let isKept = true
    while (take('@')) {
      const [name, { if: test }] = [next(), args() as { if?: Value }]
      if (name === 'include' || name === 'skip') isKept &&= (plain(test ?? true) === true) === (name === 'include')
    }
    return isKept
  }
  const fragments = new Map<string, { on: string; from: number }>()
  const selections = (): Selection[] => {
    expect('{')
    return until('}', selection).flat()
  }
  const selection = (): Selection[] => {
    const at = tokens[place]?.at ?? 0
    if (take('...')) {
      const isInline = peek() === 'on' || peek() === '{' || peek() === '@'
      const name = isInline ? (take('on') ? next() : undefined) : next()
      const isKept = isIn()
      if (isInline) return narrowed(selections(), name, isKept)
      const fragment = fragments.get(name ?? '')
      if (fragment === undefined) return fail(name ?? '', at)
      const back = place
      place = fragment.from
      const below = selections()
      place = back
      return narrowed(below, fragment.on, isKept)
    }
    const first = next()
    const name = take(':') ? next() : first
    const given = args()
    const isKept = isIn()
    const below = peek() === '{' ? { below: selections() } : {}
    return isKept ? [{ name, alias: first, args: given, ...below, ...placeOf(at) }] : []
  }
  const starts: { kind: Operation['kind']; name: string | undefined; from: number }[] = []
  while (place < tokens.length) {
    const word = peek() === '{' ? 'query' : next()
    const name = peek() === '{' || peek() === '(' || peek() === '@' ? undefined : next()
    if (word === 'fragment') expect('on')
    const on = word === 'fragment' ? next() : ''
    if (word === 'fragment') fragments.set(name ?? '', { on, from: place })
    else if (word === 'query' || word === 'mutation') starts.push({ kind: word, name, from: place })
    else fail(word, tokens[place - 1]?.at ?? 0)
    let depth = 0
    for (; place < tokens.length; place++) {
      if (peek() === '{') depth++
      else if (peek() === '}' && --depth === 0) break
    }
    place++
  }
  const start = starts.find(({ name }) => wanted === undefined || name === wanted)
  if (start === undefined) throw new GraphqlFault({ message: `No operation named ${JSON.stringify(wanted ?? '')}` })
  place = start.from
  if (take('('))
    until(')', () => {
      expect('$')
      const name = next()
      expect(':')
      const type = typeText(next, peek)
      const fallback = take('=') ? plain(value()) : undefined
      if (variables[name] === undefined && fallback !== undefined) variables[name] = fallback
      if (variables[name] == null && type.endsWith('!'))
        throw new GraphqlFault({
          message: `Variable $${name} of type ${type} was provided invalid value`,
          extensions: { value: null, problems: [{ path: [], explanation: 'Expected value to not be null' }] },
        })
    })
  isIn()
  return { kind: start.kind, variables, selections: selections() }
}

function typeText(next: () => string, peek: () => string | undefined): string {
  const name = next()
  const inner = name === '[' ? `[${typeText(next, peek)}${next()}` : name
  return peek() === '!' ? `${inner}${next()}` : inner
}

const narrowed = (below: readonly Selection[], on: string | undefined, isKept: boolean): Selection[] =>
  isKept ? below.map((one) => (on === undefined || one.on !== undefined ? one : { ...one, on })) : []

/** A value with its variables filled in. */
export function filled(value: Value, variables: JsonObject): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as Json
  if ('variable' in value) return variables[String(value.variable)] ?? null
  if ('list' in value) return (value.list as Value[]).map((one) => filled(one, variables))
  return Object.fromEntries(
    Object.entries((value as { fields: Record<string, Value> }).fields)
      .filter(([, one]) => !(isVariable(one) && variables[one.variable] === undefined))
      .map(([name, one]) => [name, filled(one, variables)]),
  )
}

const isVariable = (value: Value): value is { variable: string } =>
  typeof value === 'object' && value !== null && 'variable' in value
