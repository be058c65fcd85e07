import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'

/** The forms in which names of fields are compared. */
type NameForm = 'folded' | 'noun' | 'flag' | 'stem' | 'moment'

type InForms = { readonly [Form in NameForm]?: string | undefined }

/** Most fields without an index: for a few, an index takes ten times their memory. */
const FEW = 8

/** Fields by name in any spelling: many collections may share one wide schema, and a record may have thousands of actions. */
export class FieldIndex<Field> {
  readonly all: readonly Field[]
  readonly #formsOf: (field: Field) => InForms
  readonly #indexes = new Map<NameForm, ReadonlyMap<string | undefined, readonly Field[]>>()

  constructor(all: readonly Field[], formsOf: (field: Field) => InForms) {
    this.all = all
    this.#formsOf = formsOf
  }

  /** The fields that have one of `names` in this form, in order. */
  named(form: NameForm, ...names: readonly string[]): readonly Field[] {
    const nameOf = (field: Field) => this.#formsOf(field)[form]
    if (this.all.length <= FEW) return this.all.filter((field) => names.includes(nameOf(field) ?? ''))
    const index = this.#indexes.get(form) ?? Map.groupBy(this.all, nameOf)
    this.#indexes.set(form, index)
    const found = new Set(names.flatMap((name) => index.get(name) ?? []))
    return found.size < 2 ? [...found] : this.all.filter((field) => found.has(field))
  }
}

/** A field of a schema. */
export interface NamedField {
  readonly name: string
  readonly schema: Schema
}

const NO_FIELDS = new FieldIndex<NamedField>([], () => ({}))

/** The fields of values, including those of variants, by name. */
export function namedFields(schema: Schema | undefined): FieldIndex<NamedField> {
  if (schema === undefined) return NO_FIELDS
  return schema.fields === schema.properties ? namedProperties(schema) : schema.once(indexFields)
}

export const namedProperties = (schema: Schema): FieldIndex<NamedField> => schema.once(indexProperties)

const indexFields = ({ fields }: Schema) => indexOf(fields)
const indexProperties = ({ properties }: Schema) => indexOf(properties)

const indexOf = (fields: ReadonlyMap<string, Schema>) =>
  new FieldIndex(
    [...fields].map(([name, schema]) => ({ name, schema })),
    formsOf,
  )

/** In place of fields: the forms of many names would take memory. */
const formsOf = ({ name }: NamedField): InForms => ({
  get folded() {
    return foldName(name)
  },
  get noun() {
    return foldNoun(name)
  },
})
