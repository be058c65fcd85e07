import { foldName } from '../../../names/words.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import { ENVELOPES, RECORD_HOLDERS } from './event-body.ts'

/** The field of a body that names its event, and its values. */
export interface NameField {
  readonly path: FieldPath
  /** One value for a body of one event, several for a body that events share. */
  readonly values: readonly string[]
}

/** Names of such fields, folded; those that records have as well come last. */
const NAMES = 'eventtype webhooktype eventname event eventkind topic trigger type action kind name'.split(' ')
/** A name may stand in an object of the body: `{ event: { type } }`. */
const DEPTH = 2
/** Most fields of one object that are looked at. */
const MOST_FIELDS = 100

/** The field of a body that names its event, by its fixed values or its example; undefined without one. */
export function findNameField(body: Schema, depth = DEPTH): NameField | undefined {
  const fields = [...body.fields].slice(0, MOST_FIELDS)
  const named = fields
    .flatMap(([name, schema]) => {
      const rank = NAMES.indexOf(foldName(name))
      const values = rank < 0 ? [] : valuesOf(schema)
      return values.length > 0 ? [{ rank, field: { path: [name], values } }] : []
    })
    .toSorted((left, right) => left.rank - right.rank)
  if (named[0] !== undefined || depth <= 1) return named[0]?.field
  for (const [name, schema] of fields) {
    if (!ENVELOPES.has(foldName(name)) && !RECORD_HOLDERS.has(foldName(name))) continue
    const below = findNameField(schema, depth - 1)
    if (below !== undefined) return { path: [name, ...below.path], values: below.values }
  }
  return undefined
}

function valuesOf({ enum: values, example, default: usual }: Schema): string[] {
  return (values ?? [example, usual]).filter((value) => typeof value === 'string' && value !== '') as string[]
}
