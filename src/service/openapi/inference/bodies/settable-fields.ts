import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import { attributesOf, fieldsOf, isArraySchema, isScalarSchema } from './bodies.ts'
import { FieldIndex } from './named-fields.ts'

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
}

/** The fields of a record, indexed once for its actions. */
export const settableFields = (schema: Schema | undefined): FieldIndex<Settable> =>
  schema?.once(readFields) ?? NO_FIELDS

function readFields(schema: Schema): FieldIndex<Settable> {
  const own = [...fieldsOf(schema)].slice(0, MOST_FIELDS)
  const inner = [...fieldsOf(attributesOf(schema))].slice(0, MOST_FIELDS)
  const all = [
    ...own.map(([name, field]) => toSettable([name], field)),
    ...inner.map(([name, field]) => toSettable(['attributes', name], field)),
  ]
  return new FieldIndex(all, (field) => field)
}

const NO_FIELDS = new FieldIndex<Settable>([], (field) => field)

/** A word without the ending of a noun or a participle; the word itself where little would remain. */
export function stemOf(folded: string): string {
  const stem = folded.replace(/scription$/, 'scrib').replace(/(ations?|tions?|ions?|ings?|als?|ments?|ed|es?|d|s)$/, '')
  return stem.length < 4 ? folded : stem
}

function toSettable(field: FieldPath, schema: Schema): Settable {
  const name = field.at(-1) ?? ''
  const folded = foldName(name)
  const flag = folded.replace(/^(is|has|was)/, '')
  const type = schema.types.join()
  const before = /^(.+?)(at|on|date|time|timestamp|datetime)$/.exec(folded)?.[1]
  // Of a date, also `accepted` and `date_accepted`.
  const isDate = schema.format === 'date' || schema.format === 'date-time'
  return {
    field,
    folded,
    noun: foldNoun(name),
    flag,
    stem: stemOf(flag),
    moment: before ?? (isDate ? folded.replace(/^date(time)?(of)?/, '') : undefined),
    isReadOnly: schema.readOnly,
    isArray: isArraySchema(schema),
    isFlag: type === 'boolean',
    isCount: type === 'integer' || type === 'number',
    isValue: type !== 'boolean' && isScalarSchema(schema),
  }
}
