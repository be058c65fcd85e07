import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'

/** A field and its index. */
export interface NamedField {
  readonly at: number
  readonly name: string
  readonly schema: Schema
}

/** Most fields without an index: for a few, an index takes ten times their memory. */
const FEW = 8

/** Fields by name in any spelling: many collections may share one wide schema, and each needs a few names. */
export class NamedFields {
  readonly #all: readonly NamedField[]
  #byName: FieldIndex | undefined
  #byNoun: FieldIndex | undefined

  constructor(fields: ReadonlyMap<string, Schema>) {
    this.#all = [...fields].map(([name, schema], at) => ({ at, name, schema }))
  }

  /** The fields of a folded name, in order. */
  named(folded: string): readonly NamedField[] {
    this.#byName ??= indexOf(this.#all, foldName)
    return this.#byName(folded)
  }

  /** The fields named by this folded noun in the singular or the plural, in order. */
  ofNoun(folded: string): readonly NamedField[] {
    this.#byNoun ??= indexOf(this.#all, foldNoun)
    return this.#byNoun(folded)
  }

  /** The fields named by one of these folded nouns, in order. */
  ofNouns(folded: Iterable<string>): readonly NamedField[] {
    return inOrder([...folded].flatMap((noun) => this.ofNoun(noun)))
  }

  /** The fields of these folded names, and of this noun, in order. */
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

/** The fields of values, including those of variants, by name. */
export function namedFields(schema: Schema | undefined): NamedFields {
  if (schema === undefined) return NO_FIELDS
  return schema.fields === schema.properties ? namedProperties(schema) : schema.once(indexFields)
}

export function namedProperties(schema: Schema): NamedFields {
  return schema.once(indexProperties)
}

const indexFields = ({ fields }: Schema) => new NamedFields(fields)
const indexProperties = ({ properties }: Schema) => new NamedFields(properties)
