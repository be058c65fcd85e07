import { foldName } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { http } from '../../../runtime/node-http.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/** What an error answer has to tell. */
export interface ErrorFacts {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The field at fault, dotted, where there is one. */
  readonly field?: string | undefined
}

const MESSAGE =
  /^(message|msg|errormessage|errormsg|errordescription|detail|details|description|reason|text|longmessage|developermessage|usermessage|summary|errorsummary|userfacingerror|explanation|context)$/
const TITLE = /^(title|statustext|error|name|errorname|label)$/
const CODE =
  /^(code|errorcode|error|type|errortype|kind|class|slug|key|errorkey|errorid|reason|statuscode|status|category|subcode|subtype)$/
const STATUS = /^(status|statuscode|httpstatus|httpstatuscode|httpcode|code|errorcode|errornumber|httpstatuscode)$/
const FIELD = /^(field|param|parameter|property|pointer|fieldname|paramname|attribute|target|source|path|location|loc)$/
const FALSE = /^(ok|success|successful|succeeded|issuccess)$/

/** Words of error codes, by status: which value of an enum means it. */
const STATUS_WORDS: Readonly<Record<number, RegExp>> = {
  400: /bad.?request|invalid|validation|malformed|parse/i,
  401: /unauth|authentication|not_authed|credential|token/i,
  403: /forbidden|permission|not_allowed|access|denied/i,
  404: /not.?found|missing|unknown|no_such|does.?not.?exist/i,
  405: /method|not.?allowed|not.?found/i,
  406: /accept/i,
  409: /conflict|exists|duplicate|taken/i,
  412: /precondition|version|stale/i,
  415: /media|content.?type/i,
  422: /unprocessable|validation|invalid/i,
  429: /rate|too.?many|throttl|limit/i,
  503: /unavailable|maintenance/i,
}

/** What the field `name` of an error body says; undefined where its name tells nothing. */
export function errorWord(name: string, schema: Schema, facts: ErrorFacts, whole: Schema): Json | undefined {
  const folded = foldName(name)
  const words = [...candidates(folded, facts, whole)]
  const word = words.find((value) => fits(schema, value))
  if (word !== undefined || words.length === 0 || schema.enum === undefined) return word
  const meaning = STATUS_WORDS[facts.status] ?? /internal|server|error/i
  const fault = facts.status < 500 ? /invalid|bad.?request|client/i : /internal|server|api/i
  const like = (words: RegExp) => schema.enum?.find((value) => typeof value === 'string' && words.test(value))
  const named = schema.enum.find((value) => typeof value === 'string' && foldName(value) === foldName(facts.code))
  return named ?? like(meaning) ?? like(fault) ?? schema.enum[0]
}

/** Whether an error body has a place for the field at fault of that name. */
export const isFieldName = (name: string): boolean => FIELD.test(foldName(name))

function* candidates(name: string, facts: ErrorFacts, whole: Schema): Generator<Json> {
  const { status, code, message, field } = facts
  const reason = http.STATUS_CODES[status] ?? 'Error'
  if (FALSE.test(name)) yield* [false, 'false', 0]
  if (MESSAGE.test(name)) yield message
  if (name === 'messages' || name === 'errors') yield* [[message]]
  if (STATUS.test(name)) yield status
  if (/^(http)?status(code)?$/.test(name)) yield String(status)
  if (name === 'instance' || name === 'documentationurl') return
  if (name === 'type') yield* [code, 'about:blank']
  if (name === 'error' && !hasMessage(whole)) yield message
  if (CODE.test(name)) yield* [code, status, String(status), reason]
  if (TITLE.test(name)) yield reason
  if (FIELD.test(name) && field !== undefined) yield* [field, [field], field.split('.')]
}

/** Whether an error body has a place of its own for the message. */
export function hasMessage(schema: Schema): boolean {
  return [...schema.properties.keys()].some((name) => MESSAGE.test(foldName(name)))
}
