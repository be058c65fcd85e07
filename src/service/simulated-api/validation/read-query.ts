import type { Json } from '../../../protocol/json.ts'
import type { Parameter } from '../../openapi/model.ts'
import { parsePairs } from '../body/form.ts'
import {
  fromTexts,
  isLeftOut,
  readFields,
  takesAnyText,
  takesFields,
  withoutBrackets,
} from '../body/parameter-styles.ts'

/** The query of a request, parsed by the operation's parameters. */
export interface Query {
  /** By declared name; undeclared parameters by the name before the first bracket. */
  readonly values: Readonly<Record<string, Json>>
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Whether each name occurs once, and without brackets. */
  readonly isFlat: boolean
}

/** The names of the fields that a request changes: `?updateMask=title,labels`. Source: google.aip.dev/134. */
export const updateMaskOf = ({ pairs }: Query): string | undefined =>
  pairs.find(([name]) => /^update_?mask$/i.test(name))?.[1]

const EMPTY_QUERY: Query = { values: {}, pairs: [], isFlat: true }

/** A parameter that depends only on the value of its own name. */
interface FlatParameter {
  readonly parameter: Parameter
  readonly isText: boolean
}

/** Parses the queries of one operation: declared parameters by style and schema, others as nested texts. */
export class QueryReader {
  readonly #parameters: readonly Parameter[]
  #flat: ReadonlyMap<string, FlatParameter | undefined> | undefined
  #names: { readonly own: ReadonlySet<string>; readonly byLowerCase: ReadonlyMap<string, string> } | undefined

  constructor(parameters: readonly Parameter[]) {
    this.#parameters = parameters
  }

  read(text: string): Query {
    if (text === '') return EMPTY_QUERY
    const pairs = this.#inDeclaredCase(parsePairs(text))
    this.#flat ??= findFlat(this.#parameters)
    return readFlat(this.#flat, pairs) ?? { values: readFields(this.#parameters, pairs), pairs, isFlat: false }
  }

  /** The declared names. */
  get names(): readonly string[] {
    this.#names ??= namesOf(this.#parameters)
    return [...this.#names.own]
  }

  /** The names in a query that are not declared, without those in brackets. */
  undeclaredIn({ pairs }: Query): string[] {
    this.#names ??= namesOf(this.#parameters)
    const { own } = this.#names
    return pairs.map(([name]) => name).filter((name) => !own.has(name) && !name.includes('[') && !own.has(`${name}[]`))
  }

  /** `?count=` of a declared `Count`. */
  #inDeclaredCase(pairs: Query['pairs']): Query['pairs'] {
    this.#names ??= namesOf(this.#parameters)
    const { own, byLowerCase } = this.#names
    if (pairs.every(([name]) => own.has(name) || !byLowerCase.has(name.toLowerCase()))) return pairs
    return pairs.map(([name, value]) => [own.has(name) ? name : (byLowerCase.get(name.toLowerCase()) ?? name), value])
  }
}

function namesOf(parameters: readonly Parameter[]) {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return { own: new Set(names), byLowerCase: new Map(names.map((name) => [name.toLowerCase(), name])) }
}

/** By name; undefined where other names matter too. Empty where fields of any name may form a parameter. */
function findFlat(parameters: readonly Parameter[]): ReadonlyMap<string, FlatParameter | undefined> {
  const flat = new Map<string, FlatParameter | undefined>()
  for (const parameter of parameters) {
    if (takesFields(parameter)) return NO_FLAT
    const base = withoutBrackets(parameter.name)
    const isAlone = base === parameter.name && !flat.has(base)
    flat.set(base, isAlone ? { parameter, isText: takesAnyText(parameter) } : undefined)
  }
  return flat
}

const NO_FLAT: ReadonlyMap<string, undefined> = new Map()

/** The fast path for most queries; undefined where the slow one is needed. */
function readFlat(flat: ReadonlyMap<string, FlatParameter | undefined>, pairs: Query['pairs']): Query | undefined {
  if (flat === NO_FLAT) return undefined
  const values: Record<string, Json> = {}
  for (const [name, text] of pairs) {
    // This excludes inherited names too.
    if (values[name] !== undefined || name === 'prototype' || name.includes('[')) return undefined
    const own = flat.get(name)
    if (own === undefined) {
      if (flat.has(name)) return undefined
      values[name] = text
    } else if (own.isText) values[name] = text
    else if (isLeftOut(own.parameter, [text])) return undefined
    else values[name] = fromTexts(own.parameter, [text])
  }
  return { values, pairs, isFlat: true }
}
