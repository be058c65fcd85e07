import type { Schema } from '../../../../schema/schema.ts'

/** The values of a text without an enum, as its description lists them: `APPROVED, PENDING, or FAILED`. Empty for less than two. */
export const describedValues = (schema: Schema | undefined): readonly string[] => schema?.once(readValues) ?? NONE

const NONE: readonly string[] = []

/** Longest part of a description that is read. */
const MOST_TEXT = 1_000
/** A value: in quotes, or in capitals. */
const VALUE = '(?:`[\\w.-]{1,40}`|"[\\w.-]{1,40}"|\'[\\w.-]{1,40}\'|\\b[A-Z][A-Z_]{2,39}\\b)'
const LISTED = new RegExp(`${VALUE}(?:\\s*(?:,|\\||/|\\bor\\b|\\band\\b)(?:\\s*(?:or|and)\\b)?\\s*${VALUE})+`)

function readValues({ description, types, enum: values, format, pattern, variants }: Schema): readonly string[] {
  const isText = types.length === 1 && types[0] === 'string'
  const isOpen = values === undefined && format === undefined && pattern === undefined && variants === undefined
  if (!isText || !isOpen || description === undefined) return NONE
  const [listed] = LISTED.exec(description.slice(0, MOST_TEXT)) ?? []
  if (listed === undefined) return NONE
  const words = [...listed.matchAll(new RegExp(VALUE, 'g'))].map(([value]) => value.replace(/^[`"']|[`"']$/g, ''))
  return [...new Set(words)]
}
