import { foldName } from '../../../names/words.ts'
import type { ErrorRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { isJsonType } from '../../../protocol/media-type.ts'
import { http } from '../../../runtime/node-http.ts'
import { onceFor } from '../../../runtime/once.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, Operation, ResponseModel } from '../../openapi/model.ts'
import type { ApiResponse } from '../exchange.ts'
import { type ErrorFacts, writeByRow } from './error-rows.ts'
import type { Projector } from './project.ts'

interface ErrorShape {
  readonly mediaType: string
  readonly schema: Schema | undefined
}

const MAX_DEPTH = 6

/** Writes error answers in the description's own form. */
export class ErrorBodies {
  readonly #model: ApiModel
  readonly #projector: Projector
  readonly #rows: readonly ErrorRow[]
  readonly #common = new Map<number, ErrorShape | undefined>()

  /** @param rows the error bodies of a library entry */
  constructor(model: ApiModel, projector: Projector, rows: readonly ErrorRow[] = []) {
    this.#model = model
    this.#projector = projector
    this.#rows = rows
  }

  write(operation: Operation | undefined, facts: ErrorFacts): ApiResponse {
    const documentation = operation?.documentation
    const byRow = writeByRow(
      this.#rows,
      documentation === undefined ? facts : { ...facts, facts: { documentation, ...facts.facts } },
    )
    if (byRow !== undefined) return byRow
    const declared = operation && declaredShape(operation, facts.status)
    const shape = declared ?? this.#commonShape(facts.status)
    const isDetail = declared === undefined && facts.status !== 422 && isOfFastApi(shape?.schema)
    const plain = isDetail ? { detail: facts.message } : rpcStatus(shape?.schema, facts)
    const body = plain ?? (shape?.schema && this.#compose(shape.schema, facts))
    return {
      status: facts.status,
      headers: { 'Content-Type': shape?.mediaType ?? 'application/json' },
      body: JSON.stringify(body ?? plainBody(facts)),
    }
  }

  #compose(schema: Schema, facts: ErrorFacts): Json | undefined {
    const written = this.#value(schema, facts, '', 0)
    const isWhole = written !== undefined && fits(schema, written)
    return explained(
      isWhole ? written : this.#projector.project(written, schema, `error.${facts.status}`),
      schema,
      facts,
    )
  }

  #value(schema: Schema | undefined, facts: ErrorFacts, name: string, depth: number): Json | undefined {
    if (schema === undefined || depth > MAX_DEPTH) return undefined
    if (schema.variants) return this.#variantValue(schema.variants, facts, name, depth)
    // `errors: { name: [...], email: [...] }`, with all fields that may be faulty.
    const isByField = depth > 0 && /errors|fields/i.test(name) && schema.properties.has(facts.field ?? '')
    const byField = isByField ? freeForm(schema, facts, name, depth) : undefined
    if (byField !== undefined && fits(schema, byField)) return byField
    if (schema.properties.size > 0) return this.#object(schema, facts, depth)
    if (schema.types.includes('array')) return this.#list(schema, facts, name, depth)
    if (schema.types.includes('object')) return freeForm(schema, facts, name, depth)
    if (schema.types.length === 0 && depth === 0) return plainBody(facts)
    const { message, status } = facts
    return [message, status].find((value) => fits(schema, value))
  }

  #variantValue(variants: readonly Schema[], facts: ErrorFacts, name: string, depth: number): Json | undefined {
    let first: Json | undefined
    for (const variant of byMeaning(variants, facts.status)) {
      const value = this.#value(variant, facts, name, depth)
      if (value === undefined || !fits(variant, value)) continue
      if (depth > 0 || (isJsonObject(value) && holds(value, facts.message))) return value
      if (first === undefined || (isJsonObject(value) && !isJsonObject(first))) first = value
    }
    return first
  }

  #object(schema: Schema, facts: ErrorFacts, depth: number): JsonObject {
    const result: JsonObject = {}
    for (const [name, field] of schema.properties) {
      const isRequired = schema.required.has(name)
      const value =
        errorWord(name, field, facts, schema) ?? this.#nested(name, field, { facts, isRequired, depth, whole: schema })
      const written = value === undefined && isRequired ? this.#generate(name, field, facts) : value
      if (written !== undefined) setOwn(result, name, written)
    }
    return result
  }

  /** A required field without information about the error: empty, if allowed. */
  #generate(name: string, field: Schema, facts: ErrorFacts): Json {
    const empty = ([null, ''] as const).find((value) => fits(field, value))
    return empty === undefined || field.enum
      ? this.#projector.project(undefined, field, `error.${facts.status}.${name}`, name)
      : empty
  }

  /** Nested errors: `error: { message }`, `errors: [{ message }]`. */
  #nested(
    name: string,
    field: Schema,
    { facts, isRequired, depth, whole }: { facts: ErrorFacts; isRequired: boolean; depth: number; whole: Schema },
  ): Json | undefined {
    if (facts.field === undefined && hasMessage(whole) && (FIELD_ERRORS.test(name) || isAboutFields(field))) {
      return isRequired ? [[], {}].find((empty: Json) => fits(field, empty)) : undefined
    }
    // Errors inside of an error of the same kind would say the same again.
    if (!isRequired && field.items === whole) return undefined
    const isErrors =
      FIELD_ERRORS.test(name) ||
      /^(error|errors|err|fault|data|details?|issues|violations|problems|messages|meta|response|source)$/i.test(name)
    const isContainer =
      field.types.some((type) => type === 'object' || type === 'array') || field.variants !== undefined
    if (!isContainer || !(isErrors || isRequired)) return undefined
    const value = this.#value(field, facts, name, depth + 1)
    return value !== undefined && fits(field, value) ? value : undefined
  }

  #list(schema: Schema, facts: ErrorFacts, name: string, depth: number): Json | undefined {
    const items = eachFault(facts).map((one) =>
      schema.items === undefined ? one.message : this.#value(schema.items, one, name, depth + 1),
    )
    return items.includes(undefined) ? undefined : (items as Json[])
  }

  /** The most frequent error schema of the description, preferably of this status. */
  #commonShape(status: number): ErrorShape | undefined {
    return onceFor(this.#common, status, () => {
      const wanted = [`^${status}$`, `^${String(status)[0]}`, '^([45]|default$)']
      const find = (found: ErrorShape | undefined, text: string) =>
        found ?? mostFrequent(this.#model, status, new RegExp(text))
      return wanted.reduce(find, undefined)
    })
  }
}

/** FastAPI describes only refusals by its validation; others are `{ detail }` (https://fastapi.tiangolo.com/tutorial/handling-errors/). */
const isOfFastApi = (schema: Schema | undefined): boolean =>
  schema?.properties.get('detail')?.items?.properties.has('loc') === true

/** Whether FastAPI validates the requests of the operation: with 422, whatever else it declares. */
export const isValidatedByFastApi = ({ responses }: Operation): boolean =>
  isOfFastApi(toShape(responses.get('422'))?.schema)

/** Whether the operation declares to refuse with this status: the 422 of FastAPI is for its validation alone. */
export const refusesWith = (operation: Operation, status: number): boolean =>
  operation.responses.has(`${status}`) && !(status === 422 && isValidatedByFastApi(operation))

/**
 * The place of a fault as huma describes it: 'body.items[3].tags'. Its validation answers 422, also where an operation declares
 * only `default` (https://huma.rocks/features/response-errors/).
 */
const isPlaceOfHuma = (schema: Schema | undefined): boolean => /\bbody\.\w/.test(schema?.description ?? '')

/** Whether the operation answers errors only as huma does. */
export const isOfHuma = ({ responses }: Operation): boolean =>
  [...(responses.get('default')?.content.values() ?? [])].some(({ schema }) =>
    isPlaceOfHuma(schema?.properties.get('errors')?.items?.properties.get('location')),
  )

/** Codes of google.rpc.Code by the HTTP status of each (googleapis/googleapis, google/rpc/code.proto). */
const RPC_CODES = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [409, 6],
  [429, 8],
  [500, 13],
  [501, 12],
  [503, 14],
  [504, 4],
])
const UNKNOWN_CODE = 2

/** An error of gRPC-Gateway, described as google.rpc.Status: its code is none of HTTP. Undefined for others. */
function rpcStatus(schema: Schema | undefined, { status, message }: ErrorFacts): JsonObject | undefined {
  const details = schema?.properties.get('details')?.items
  if (!details?.properties.has('@type') || schema?.properties.has('code') !== true) return undefined
  return { code: RPC_CODES.get(status) ?? UNKNOWN_CODE, message, details: [] }
}

/** Adds the message where no field of the body says it, and the description allows more fields. */
function explained(body: Json | undefined, schema: Schema, { message }: ErrorFacts): Json | undefined {
  if (!isJsonObject(body) || Object.hasOwn(body, 'message') || holds(body, message)) return body
  const more = { ...body, message }
  return fits(schema, more) ? more : body
}

/** The alternatives, first those whose fixed words are about this status: `type: 'not_found_error'`. */
function byMeaning(variants: readonly Schema[], status: number): readonly Schema[] {
  const meaning = STATUS_WORDS[status]
  const isOfStatus = ({ properties }: Schema): boolean =>
    [...properties].some(
      ([name, { enum: values }]) =>
        CODE.test(foldName(name)) && values?.some((value) => typeof value === 'string' && meaning?.test(value)),
    )
  const first = meaning === undefined ? [] : variants.filter(isOfStatus)
  return first.length === 0 ? variants : [...first, ...variants]
}

/** Whether a field says that the error has another status: `status: 401`. */
const isOfOther = ({ properties }: Schema, status: number): boolean =>
  [...properties].some(
    ([name, { enum: values }]) =>
      STATUS.test(foldName(name)) &&
      values?.every((value) => typeof value === 'number' && value >= 400) === true &&
      !values.includes(status),
  )

const holds = (value: Json, text: string): boolean =>
  value === text ||
  (typeof value === 'object' && value !== null && Object.values(value).some((one) => holds(one, text)))

const FIELD_ERRORS = /^(fields|(field|validation)_?errors)$/i

/** Whether each item of a list requires a field name, or a map has names: then there is no item without a faulty field. */
const isAboutFields = ({ items, properties, additionalProperties }: Schema): boolean =>
  [...(items?.required ?? [])].some(isFieldName) || (properties.size === 0 && typeof additionalProperties === 'object')

function declaredShape(operation: Operation, status: number): ErrorShape | undefined {
  const { responses } = operation
  const exact = responses.get(String(status)) ?? responses.get(`${String(status)[0]}XX`)
  const fallback = responses.get('default')
  return toShape(exact) ?? (fallback === operation.success ? undefined : toShape(fallback))
}

function toShape(response: ResponseModel | undefined): ErrorShape | undefined {
  for (const [mediaType, media] of response?.content ?? []) {
    if (media.schema !== undefined && (isJsonType(mediaType) || mediaType === '*/*')) {
      return { mediaType: mediaType === '*/*' ? 'application/json' : mediaType, schema: media.schema }
    }
  }
  return undefined
}

function mostFrequent(model: ApiModel, status: number, wanted: RegExp): ErrorShape | undefined {
  const counts = new Map<Schema | string, { shape: ErrorShape; count: number }>()
  for (const [responses, operations] of Map.groupBy(model.operations, (operation) => operation.responses)) {
    for (const [declared, response] of responses) {
      const shape = wanted.test(declared) && response !== operations[0]?.success ? toShape(response) : undefined
      if (shape?.schema === undefined || isOfOther(shape.schema, status)) continue
      // Many descriptions repeat one schema in each operation.
      const form = [...shape.schema.properties.keys()].join() || shape.schema
      const known = counts.get(form) ?? { shape, count: 0 }
      known.count += operations.length
      counts.set(form, known)
    }
  }
  const [first] = [...counts.values()].sort((left, right) => right.count - left.count)
  // A schema of hardly any operation does not represent the API.
  return first && first.count >= model.operations.length / 20 ? first.shape : undefined
}

/** `{ title: ["..."] }` where errors are listed by field, else code and message. */
function freeForm(schema: Schema, facts: ErrorFacts, name: string, depth: number): Json | undefined {
  const { additionalProperties: rest } = schema
  const byField = Map.groupBy(eachFault(facts), ({ field = depth === 0 ? 'non_field_errors' : 'base' }) => field)
  const messages = [...byField].map(([field, faults]) => [field, faults.map(({ message }) => message)] as const)
  if (typeof rest === 'object') {
    const written = [messages, messages.map(([field, [first = '']]) => [field, first] as const)]
    const fitting = written.find((fields) => fields.every(([, value]) => fits(rest, value as Json)))
    return fitting && Object.fromEntries(fitting as [string, Json][])
  }
  if (depth > 0 && /errors|fields/i.test(name)) return Object.fromEntries(messages)
  return depth === 0 ? plainBody(facts) : { code: facts.code, message: facts.message }
}

/** The facts of each fault, or those of the only one. */
const eachFault = ({ faults = [], ...facts }: ErrorFacts): ErrorFacts[] =>
  faults.length === 0 ? [facts] : faults.map((fault) => ({ ...facts, ...fault, message: fault.message }))

/** An error where the description says nothing of errors: clients look for the message inside `error` or beside it. */
function plainBody({ status, code, message }: ErrorFacts): JsonObject {
  return { error: { code, message }, code: status, status, statusCode: status, message }
}

const MESSAGE =
  /^(message|msg|errmsg|errmessage|errormessage|errormsg|errordescription|detail|details|description|reason|text|longmessage|developermessage|usermessage|summary|errorsummary|userfacingerror|explanation|context)$/
const TITLE = /^(title|statustext|error|name|errorname|label)$/
const CODE =
  /^(code|errcode|errorcode|error|type|errortype|kind|class|slug|key|errorkey|errorid|reason|statuscode|status|category|subcode|subtype)$/
const STATUS = /^(status|statuscode|httpstatus|httpstatuscode|httpcode|code|errorcode|errornumber|httpstatuscode)$/
const FIELD = /^(field|param|parameter|property|pointer|fieldname|paramname|attribute|target|source|path|location|loc)$/
const FALSE = /^(ok|success|successful|succeeded|issuccess)$/

/** Words in enum values of error codes, by status. */
const STATUS_WORDS: Readonly<Record<number, RegExp>> = {
  400: /bad.?request|invalid|validation|malformed|parse/i,
  401: /unauth|authentication|not_authed|credential|token/i,
  403: /forbidden|permission|not_allowed|access|denied/i,
  404: /not.?found|missing|unknown|no_such|does.?not.?exist/i,
  405: /method/i,
  406: /accept/i,
  409: /conflict|exists|duplicate|taken/i,
  412: /precondition|version|stale/i,
  428: /precondition\W?_?required/i,
  415: /media|content.?type/i,
  422: /unprocessable|validation|invalid/i,
  429: /rate|too.?many|throttl|limit/i,
  501: /not.?implemented|unsupported/i,
  503: /unavailable|maintenance|overload|temporar/i,
}

/** The value of the field `name` in an error body; undefined for an unknown name. */
function errorWord(name: string, schema: Schema, facts: ErrorFacts, whole: Schema): Json | undefined {
  const folded = foldName(name)
  const place = folded === 'location' && isPlaceOfHuma(schema) ? placeOf(facts) : undefined
  const words = place === undefined ? [...candidates(folded, facts, whole)] : [place]
  const word = words.find((value) => fits(schema, value))
  if (word !== undefined || words.length === 0 || schema.enum === undefined) return word
  const meaning = STATUS_WORDS[facts.status] ?? /internal|server|error/i
  const fault = facts.status < 500 ? /invalid|bad.?request|client/i : /internal|server|api/i
  const like = (words: RegExp) => schema.enum?.find((value) => typeof value === 'string' && words.test(value))
  const named = schema.enum.find((value) => typeof value === 'string' && foldName(value) === foldName(facts.code))
  const fitting = named ?? like(meaning) ?? like(fault)
  if (fitting !== undefined || facts.status < 500) return fitting ?? schema.enum[0]
  // A fault of the simulation is no 401 or 404, so that its code claims nothing, if the description allows that.
  const isClaim = (value: Json) => Object.values(STATUS_WORDS).some((words) => words.test(String(value)))
  return whole.required.has(name) ? schema.enum.find((value) => !isClaim(value)) : undefined
}

/** `body.items[3].tags`; the object for a missing field. */
function placeOf({ field = '', facts = {} }: ErrorFacts): string | undefined {
  const path = facts.fault === 'missing' ? field.split('.').slice(0, -1).join('.') : field
  const place = typeof facts.place === 'string' ? [facts.place, path].filter(Boolean).join('.') : undefined
  return place?.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
}

/** Whether an error body's field of that name holds the faulty field. */
const isFieldName = (name: string): boolean => FIELD.test(foldName(name))

function* candidates(name: string, facts: ErrorFacts, whole: Schema): Generator<Json> {
  const { status, code, message, field } = facts
  const reason = http.STATUS_CODES[status] ?? 'Error'
  if (FALSE.test(name)) yield* [false, 'false', 0]
  if (MESSAGE.test(name)) yield message
  if (name === 'messages' || name === 'errors') yield eachFault(facts).map((fault) => fault.message)
  if (STATUS.test(name)) yield status
  if (/^(http)?status(code)?$/.test(name)) yield String(status)
  if (name === 'instance' || name === 'documentationurl') return
  if (name === 'type' && whole.properties.has('loc')) yield facts.facts?.fault === 'missing' ? 'missing' : 'value_error'
  if (name === 'type') yield* [code, 'about:blank']
  if (/^(error|issue)$/.test(name) && !hasMessage(whole)) yield message
  if (CODE.test(name)) yield* [code, status, String(status), reason]
  if (name === 'title' && !hasMessage(whole)) yield message
  if (TITLE.test(name)) yield reason
  const path = field?.split('.')
  // As FastAPI and JSON:API name a fault.
  if (name === 'loc' && path && typeof facts.facts?.place === 'string') yield [facts.facts.place, ...path]
  if (name === 'value' && facts.facts?.got !== undefined) yield facts.facts.got
  if (name === 'pointer' && path) yield `/${path.join('/')}`
  if (FIELD.test(name) && field && path) yield* [field, [field], path]
}

/** Whether an error body has a field for the message. */
function hasMessage(schema: Schema): boolean {
  return [...schema.properties.keys()].some((name) => MESSAGE.test(foldName(name)))
}
