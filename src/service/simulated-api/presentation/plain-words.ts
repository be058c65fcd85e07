import { foldName } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/** Usual values of fields in a successful answer, by folded name; the first value that fits is used. */
const WORDS: Readonly<Record<string, readonly Json[]>> = {
  ok: [true, 'ok', 1],
  success: [true, 'true', 1],
  successful: [true],
  succeeded: [true],
  issuccess: [true],
  acknowledged: [true],
  result: [true],
  deleted: [true],
  error: [null, false, ''],
  errors: [[], null, {}],
  warnings: [[], null],
  warning: [null, ''],
  errormessage: [null, ''],
  errorcode: [null, 0, ''],
  statuscode: [200, '200'],
  httpstatuscode: [200, 'OK', '200'],
  validationerrors: [[]],
}

/** A status next to the records says how the call went: `{ status: 'COMPLETE', results: [...] }`. */
const DONE_NAMES = /^(status|state)$/i
const isDone = (value: Json): boolean =>
  typeof value === 'string' && /^(ok|success(ful)?|succeeded|completed?|done|finished)$/i.test(value)

/** `ok` of a plain text, or what the description says in quotes. A `state` may be that of a country. */
function doneWord(name: string, schema: Schema | undefined): Json | undefined {
  if (schema === undefined || schema.enum) return schema?.enum?.find(isDone)
  const usual = /^status$/i.test(name) ? 'ok' : undefined
  const word = /["'`](ok|success)["'`]/i.exec(schema.description ?? '')?.[1] ?? schema.example ?? usual
  return typeof word === 'string' && schema.types.join() === 'string' && fits(schema, word) ? word : undefined
}

/** The value of a field next to the record in a successful answer; undefined for an unknown name. Constants are always set. */
export function plainWord(name: string, schema: Schema | undefined): Json | undefined {
  if (schema?.enum?.length === 1) return schema.enum[0]
  const words = Object.hasOwn(WORDS, foldName(name)) ? WORDS[foldName(name)] : undefined
  if (words === undefined) return DONE_NAMES.test(name) ? doneWord(name, schema) : undefined
  return schema === undefined ? words[0] : words.find((word) => fits(schema, word))
}
