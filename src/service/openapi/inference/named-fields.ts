import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'

/** A field and its place among the others. */
export interface NamedField {
  readonly at: number
  readonly name: string
  readonly schema: Schema
}

/** Fields by their names in any spelling: many collections may share one wide schema, and each asks for some names. */
export class NamedFields {
  readonly #all: readonly NamedField[]
  #byName: ReadonlyMap<string, readonly NamedField[]> | undefined
  #byNoun: ReadonlyMap<string, readonly NamedField[]> | undefined

  constructor(fields: ReadonlyMap<string, Schema>) {
    this.#all = [...fields].map(([name, schema], at) => ({ at, name, schema }))
  }

  /** The fields of a folded name, in their order. */
  named(folded: string): readonly NamedField[] {
    this.#byName ??= Map.groupBy(this.#all, ({ name }) => foldName(name))
    return this.#byName.get(folded) ?? NONE
  }

  /** The fields whose name is this folded noun in the singular or the plural, in their order. */
  ofNoun(folded: string): readonly NamedField[] {
    this.#byNoun ??= Map.groupBy(this.#all, ({ name }) => foldNoun(name))
    return this.#byNoun.get(folded) ?? NONE
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
