import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import { attributesOf, fieldsOf, isArraySchema, isObjectSchema, isScalarSchema } from './bodies.ts'
import { hasOwnId } from './shapes.ts'

/** Most fields of a record checked for one action; the widest real record has some hundreds. */
const MOST_FIELDS = 500

/** A field, with the data that actions of its record need. */
export interface Settable {
  readonly field: FieldPath
  readonly folded: string
  /** The folded name with its last word in the singular. */
  readonly noun: string
  /** The folded name of a flag without `is`, `has` and `was`. */
  readonly flag: string
  /** The noun without a derivational ending: `renew` of `renewal` and of `renewed`. */
  readonly stem: string
  /** `publish` of `published_at`: the words before the word for a time. */
  readonly moment: string | undefined
  readonly isReadOnly: boolean
  readonly isArray: boolean
  readonly isFlag: boolean
  readonly isCount: boolean
  readonly isValue: boolean
  /** Its index among the fields. */
  readonly at: number
}

/** A time in a nested part of a record: `approval.approved_at`. */
interface PartMoment {
  readonly field: FieldPath
  readonly moment: string
}

type NamedBy = 'folded' | 'noun' | 'flag' | 'stem' | 'moment'

/** The fields of a record, indexed for actions: a record may have thousands of actions. */
export class SettableFields {
  readonly all: readonly Settable[]
  readonly #schema: Schema | undefined
  #partMoments: readonly PartMoment[] | undefined
  readonly #indexes = new Map<NamedBy, ReadonlyMap<string | undefined, readonly Settable[]>>()

  constructor(schema: Schema | undefined) {
    this.#schema = schema
    const inner = [...fieldsOf(attributesOf(schema))]
    this.all = [
      ...[...fieldsOf(schema)].slice(0, MOST_FIELDS).map(([name, field], at) => toSettable([name], field, at)),
      ...inner
        .slice(0, MOST_FIELDS)
        .map(([name, field], at) => toSettable(['attributes', name], field, MOST_FIELDS + at)),
    ]
  }

  /** The fields whose index `by` has one of `names`, in order. */
  named(by: NamedBy, names: Iterable<string>): readonly Settable[] {
    const index = this.#indexes.get(by) ?? Map.groupBy(this.all, NAMES[by])
    this.#indexes.set(by, index)
    const found = [...new Set(names)].flatMap((name) => index.get(name) ?? [])
    return found.sort((left, right) => left.at - right.at)
  }

  /** The times in nested parts of the record that are not records. */
  get partMoments(): readonly PartMoment[] {
    this.#partMoments ??= [...fieldsOf(this.#schema)].slice(0, MOST_FIELDS).flatMap(([name, part]) => {
      if (!isObjectSchema(part) || hasOwnId(part) || name === 'attributes') return []
      return [...fieldsOf(part)].slice(0, MOST_FIELDS).flatMap(([inner, schema]) => {
        const moment = momentOf(foldName(inner), schema)
        return moment === undefined || !isScalarSchema(schema) ? [] : [{ field: [name, inner], moment }]
      })
    })
    return this.#partMoments
  }
}

/** A word without the ending of a noun or a participle; the word itself where little would remain. */
export function stemOf(folded: string): string {
  const stem = folded.replace(/scription$/, 'scrib').replace(/(ations?|tions?|ions?|ings?|als?|ments?|ed|es?|d|s)$/, '')
  return stem.length < 4 ? folded : stem
}

/** `publish` of `published_at`; of a date, also `accepted` and `date_accepted`. */
function momentOf(folded: string, { format }: Schema): string | undefined {
  const before = /^(.+?)(at|on|date|time|timestamp|datetime)$/.exec(folded)?.[1]
  return before ?? (format === 'date' || format === 'date-time' ? folded.replace(/^date(time)?(of)?/, '') : undefined)
}

/** The fields of a record, indexed once. */
export function settableFields(schema: Schema | undefined): SettableFields {
  return schema?.once(readFields) ?? NO_FIELDS
}

const readFields = (schema: Schema) => new SettableFields(schema)
const NO_FIELDS = new SettableFields(undefined)

const NAMES: Readonly<Record<NamedBy, (field: Settable) => string | undefined>> = {
  folded: ({ folded }) => folded,
  noun: ({ noun }) => noun,
  flag: ({ flag }) => flag,
  stem: ({ stem }) => stem,
  moment: ({ moment }) => moment,
}

function toSettable(field: FieldPath, schema: Schema, at: number): Settable {
  const name = field.at(-1) ?? ''
  const folded = foldName(name)
  const [type, ...more] = schema.types
  const only = more.length === 0 ? type : undefined
  return {
    field,
    folded,
    noun: foldNoun(name),
    flag: folded.replace(/^(is|has|was)/, ''),
    stem: stemOf(folded.replace(/^(is|has|was)/, '')),
    moment: momentOf(folded, schema),
    isReadOnly: schema.readOnly,
    isArray: isArraySchema(schema),
    isFlag: only === 'boolean',
    isCount: only === 'integer' || only === 'number',
    isValue: only !== 'boolean' && isScalarSchema(schema),
    at,
  }
}
