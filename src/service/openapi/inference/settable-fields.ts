import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import { fieldsOf, isArraySchema, isScalarSchema } from './bodies.ts'

/** Most fields of a record that are looked at for one action; the widest real record has some hundreds. */
const MOST_FIELDS = 500

/** A field, and what every action of its record asks of it. */
export interface Settable {
  readonly name: string
  readonly folded: string
  /** The folded name with its last word in the singular. */
  readonly noun: string
  /** The folded name of a flag without `is`, `has` and `was`. */
  readonly flag: string
  /** `publish` of `published_at`: what the name says before the word for a moment. */
  readonly moment: string | undefined
  readonly isReadOnly: boolean
  readonly isArray: boolean
  readonly isFlag: boolean
  readonly isCount: boolean
  readonly isValue: boolean
  /** Its place among the others. */
  readonly at: number
}

type NamedBy = 'folded' | 'noun' | 'flag' | 'moment'

/** The fields of a record by what actions name them: a record may have thousands of actions. */
export class SettableFields {
  readonly all: readonly Settable[]
  readonly #indexes = new Map<NamedBy, ReadonlyMap<string | undefined, readonly Settable[]>>()

  constructor(schema: Schema | undefined) {
    this.all = [...fieldsOf(schema)].slice(0, MOST_FIELDS).map(toSettable)
  }

  /** The fields that `by` names one of `names`, in their order. */
  named(by: NamedBy, names: Iterable<string>): readonly Settable[] {
    const index = this.#indexes.get(by) ?? Map.groupBy(this.all, NAMES[by])
    this.#indexes.set(by, index)
    const found = [...new Set(names)].flatMap((name) => index.get(name) ?? [])
    return found.sort((left, right) => left.at - right.at)
  }
}

/** The fields of a record, read once. */
export function settableFields(schema: Schema | undefined): SettableFields {
  return schema?.once(readFields) ?? NO_FIELDS
}

const readFields = (schema: Schema) => new SettableFields(schema)
const NO_FIELDS = new SettableFields(undefined)

const NAMES: Readonly<Record<NamedBy, (field: Settable) => string | undefined>> = {
  folded: ({ folded }) => folded,
  noun: ({ noun }) => noun,
  flag: ({ flag }) => flag,
  moment: ({ moment }) => moment,
}

function toSettable([name, schema]: readonly [string, Schema], at: number): Settable {
  const folded = foldName(name)
  const [type, ...more] = schema.types
  const only = more.length === 0 ? type : undefined
  return {
    name,
    folded,
    noun: foldNoun(name),
    flag: folded.replace(/^(is|has|was)/, ''),
    moment: /^(.+?)(at|on|date|time|timestamp|datetime)$/.exec(folded)?.[1],
    isReadOnly: schema.readOnly,
    isArray: isArraySchema(schema),
    isFlag: only === 'boolean',
    isCount: only === 'integer' || only === 'number',
    isValue: only !== 'boolean' && isScalarSchema(schema),
    at,
  }
}
