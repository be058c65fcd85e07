import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'

/** A field and its place among the others. */
export interface NamedField {
  readonly at: number
  readonly name: string
  readonly schema: Schema
}

/** Fields of which one is found by looking at all of them: an index of a few takes ten times their memory. */
const FEW = 8

/** Fields by their names in any spelling: many collections may share one wide schema, and each asks for some names. */
export class NamedFields {
  readonly #all: readonly NamedField[]
  #byName: FieldIndex | undefined
  #byNoun: FieldIndex | undefined

  constructor(fields: ReadonlyMap<string, Schema>) {
    this.#all = [...fields].map(([name, schema], at) => ({ at, name, schema }))
  }

  /** The fields of a folded name, in their order. */
  named(folded: string): readonly NamedField[] {
    this.#byName ??= indexOf(this.#all, foldName)
    return this.#byName(folded)
  }

  /** The fields whose name is this folded noun in the singular or the plural, in their order. */
  ofNoun(folded: string): readonly NamedField[] {
    this.#byNoun ??= indexOf(this.#all, foldNoun)
    return this.#byNoun(folded)
  }

  /** The fields whose name is one of these folded nouns, in their order. */
  ofNouns(folded: Iterable<string>): readonly NamedField[] {
    return inOrder([...folded].flatMap((noun) => this.ofNoun(noun)))
  }

  /** The fields of these folded names, and of this noun, in their order. */
  like(folded: Iterable<string>, noun?: string): readonly NamedField[] {
    const named = [...folded].flatMap((name) => this.named(name))
    return inOrder(noun === undefined ? named : [...named, ...this.ofNoun(noun)])
  }
}

type FieldIndex = (folded: string) => readonly NamedField[]

function indexOf(fields: readonly NamedField[], fold: (name: string) => string): FieldIndex {
  if (fields.length <= FEW) {
    const names = fields.map(({ name }) => fold(name))
    return (folded) => (names.includes(folded) ? fields.filter((_, at) => names[at] === folded) : NONE)
  }
  const index = Map.groupBy(fields, ({ name }) => fold(name))
  return (folded) => index.get(folded) ?? NONE
}

const inOrder = (fields: readonly NamedField[]): readonly NamedField[] =>
  [...new Set(fields)].sort((left, right) => left.at - right.at)

const NONE: readonly NamedField[] = []
const NO_FIELDS = new NamedFields(new Map())

/** The fields of values, those of variants counted, by name. */
export function namedFields(schema: Schema | undefined): NamedFields {
  if (schema === undefined) return NO_FIELDS
  return schema.fields === schema.properties ? namedProperties(schema) : schema.once(indexFields)
}

/** The properties of a schema by name. */
export function namedProperties(schema: Schema): NamedFields {
  return schema.once(indexProperties)
}

const indexFields = ({ fields }: Schema) => new NamedFields(fields)
const indexProperties = ({ properties }: Schema) => new NamedFields(properties)
