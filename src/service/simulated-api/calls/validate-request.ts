import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { checkerOf } from '../../../schema/checker.ts'
import { describeProblem, listProblems, type Problem, toFieldName, UNDECLARED } from '../../../schema/problem.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import { toJsonPatch } from '../body/json-patch.ts'
import type { Body } from '../body/read-body.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import type { ApiRequest } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'
import { isOfHuma, isValidatedByFastApi } from '../presentation/error-bodies.ts'
import { Refusal } from '../refusal.ts'
import { checkParameters, credentialNames } from '../validation/parameters.ts'
import { type Query, updateMaskOf } from '../validation/read-query.ts'

/** Misfits of a request with the description. */
interface Misfits {
  /** In the query, the headers, the cookies and the body; the most serious first. */
  readonly sent: readonly Refusal[]
  /** In the path. For paths to records, they matter only when no record is found. */
  readonly path: readonly Refusal[]
}

/** Validates a request against the description. */
export function validateRequest(
  compiled: CompiledOperation,
  input: { params: Readonly<Record<string, string>>; query: Query; body: Body; request: ApiRequest },
): Misfits {
  const { params } = input
  const { operation } = compiled
  const problems = checkParameters(compiled.checkedParameters, input)
  // A change of some fields needs no others.
  const inBody = validateBody(compiled, input.body, params, updateMaskOf(input.query) !== undefined)
  if (problems.length === 0) return inBody.length === 0 ? NO_MISFITS : { sent: inBody, path: [] }
  const sent: Refusal[] = []
  const path: Refusal[] = []
  for (const { parameter, problem } of problems) {
    const isInPath = parameter.in === 'path'
    // A text of the wrong type identifies no record: the look-up answers that.
    const { effect } = operation
    const isKey = 'keys' in effect && effect.keys.some(({ param }) => param === parameter.name)
    const isUuid = parameter.schema?.format === 'uuid' && isValidatedByFastApi(operation)
    if (isInPath && !isUuid && !isOfOtherKind(parameter.schema, params[parameter.name], isKey)) continue
    const isCondition = parameter.in === 'header' && /^if-match$/i.test(parameter.name) && problem.got === undefined
    const status = statusFor(operation, isInPath ? [400, 422, 404] : isCondition ? [428, 400, 422] : [400, 422])
    const list = isInPath ? path : sent
    list.push(misfit(status, problem, parameter.in))
  }
  return { sent: [...sent, ...inBody], path }
}

export const NO_MISFITS: Misfits = { sent: [], path: [] }

/** Most faults named in one refusal; further faults are counted. */
const MOST_NAMED = 3
/** Most faults that a list of errors has. */
const MOST_LISTED = 50

/** One refusal for all misfits: the status of the first, and the messages of the first few. */
export function joinRefusals(refusals: readonly Refusal[]): Refusal | undefined {
  const [first] = refusals
  if (first === undefined || refusals.length === 1) return first
  const named = refusals.slice(0, MOST_NAMED).map(({ message }) => message)
  const faults = refusals.slice(0, MOST_LISTED)
  const more = refusals.length - named.length
  const rest = more === 0 ? [] : [`${more} more ${more === 1 ? 'fault' : 'faults'} found.`]
  return new Refusal(first.status, first.code, [...named, ...rest].join(' '), first.field, {
    facts: first.facts,
    faults,
  })
}

const FORM = 'application/x-www-form-urlencoded'

/** A form field for the key may be absent when a header has the key. */
function withCredentials(value: Json, credentials: readonly string[]): Json {
  if (credentials.length === 0 || !isJsonObject(value)) return value
  const missing = credentials.filter((name) => !Object.hasOwn(value, name))
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map((name) => [name, 'key'])) }
}

/** Whether a path has a text in place of a number, or none of the declared values. */
function isOfOtherKind(schema: Schema | undefined, text: string | undefined, isKey: boolean): boolean {
  if (schema === undefined || schema.enum !== undefined) return !isKey
  return schema.types.length > 0 && !schema.types.includes('string') && !Number.isFinite(Number(text))
}

function validateBody(
  compiled: CompiledOperation,
  { value, schema, mediaType }: Body,
  params: Readonly<Record<string, string>>,
  isPartial = false,
): readonly Refusal[] {
  const { operation } = compiled
  if (value === undefined) {
    // Many clients cannot send a body with GET.
    const isNeeded = operation.method !== 'GET' && operation.method !== 'HEAD'
    if (!operation.requestBody?.required || !isNeeded) return NO_REFUSALS
    const fields = onlyForm(operation)
    // A form without fields is an empty body.
    if (fields !== undefined) return validateBody(compiled, { value: {}, mediaType: FORM, schema: fields }, params)
    const status = statusOfBody(operation)
    const [schema] = operation.requestBody.content.values()
    const [field = 'body'] = schema?.required ?? []
    const facts = { fault: 'missing', field }
    return [new Refusal(status, codeFor(status), 'Expected the body to be present, got nothing.', undefined, { facts })]
  }
  // `{ token, password }` in JSON resets a password: that is no key.
  const credentials = schema && /form/.test(mediaType) ? credentialNames(schema) : []
  const joined = schema && checkerOf(schema, { direction: 'request' })(withCredentials(value, credentials))
  if (joined === undefined) return NO_REFUSALS
  const status = statusOfBody(operation)
  const given = new Set([...Object.keys(params), ...keyInPath(compiled)].map(foldName))
  // A JSON Patch may hold any value (RFC 6902), which descriptions often call an object.
  const isPatch = toJsonPatch(value) !== undefined
  return listProblems([joined])
    .filter((problem) => !isGiven(problem, given) && !isNullMissing(problem, schema))
    .filter(({ got, expected }) => !isPartial || got !== undefined || expected === UNDECLARED)
    .filter(({ path, got }) => !(isPatch && got !== undefined && path.some((name) => /(^|\.)value$/.test(name))))
    .map((problem) => misfit(status, problem, 'body'))
}

/** The field of the record's key, where the path has its value: `TemplateId` of `PUT /templates/{templateIdOrAlias}`. */
function keyInPath({ operation: { effect }, collection }: CompiledOperation): FieldPath {
  const isInPath = 'keys' in effect && effect.keys.length === 1 && effect.keys[0]?.in === 'path'
  const field = collection?.model.id.field ?? []
  return isInPath && field.length === 1 ? field : []
}

/** Whether a field is missing in the body that stands in the path, as in `PUT /templates/{templateId}`. */
const isGiven = ({ path, got, expected }: Problem, given: ReadonlySet<string>): boolean =>
  got === undefined && expected !== UNDECLARED && path.length === 1 && given.has(foldName(path[0] ?? ''))

/** Whether a field is missing that may be null: clients leave it out, and servers read that as null. */
function isNullMissing({ path, got, expected }: Problem, schema: Schema | undefined): boolean {
  if (got !== undefined || expected === UNDECLARED) return false
  let at = schema
  for (const name of path.flatMap((part) => part.split('.'))) {
    at = /^\d+$/.test(name) && at?.items !== undefined ? at.items : allNames(at).get(name)
  }
  return at?.nullable === true
}

/** The schema of a body that can only be a form. */
function onlyForm({ requestBody }: Operation): Schema | undefined {
  const content = requestBody?.content
  return content?.size === 1 ? content.get('application/x-www-form-urlencoded') : undefined
}

function misfit(status: number, problem: Problem, place: string): Refusal {
  const { got, expected, allowed = [], path } = problem
  const isUnknown = expected === UNDECLARED
  const fault = isUnknown ? 'unknown' : got === undefined ? 'missing' : 'value'
  const choices = new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed.map(String))
  const bound = allowed.length > 1 ? `one of ${choices}` : expected
  const fieldName = path.at(-1) ?? ''
  const lengths = { length: String(got).length, fieldName, fieldLength: fieldName.length }
  const facts = {
    fault,
    place,
    expected,
    bound,
    allowed: allowed.join(', '),
    each: new Intl.ListFormat('en').format(allowed.map(quote)),
    either: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(allowed.map(quote)),
    ...(got !== undefined && { got, type: typeName(got), ...lengths }),
  }
  return new Refusal(status, codeFor(status), describeProblem(problem), toFieldName(problem), { facts })
}

const quote = (value: Json): string => `'${value}'`

function typeName(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number'
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const NO_REFUSALS: readonly Refusal[] = []

/** The first of `wanted` that the operation declares; without one the usual one of its framework. */
export function statusFor(operation: Operation, wanted: readonly number[]): number {
  const declared = wanted.find((status) => operation.responses.has(String(status)))
  return isValidatedByFastApi(operation) ? 422 : (declared ?? (isOfHuma(operation) ? 422 : 400))
}

/** The declared status for a body that does not fit: 422, unless its text is about bodies that fit. */
function statusOfBody(operation: Operation): number {
  const { description = '' } = operation.responses.get('422') ?? {}
  return statusFor(operation, ABOUT_FITTING.test(description) ? [400, 422] : [422, 400])
}

const ABOUT_FITTING =
  /semantic|business|(not|n't) exist|unknown|no such|exceed|more than|insufficient|already|expects|supported|depend/i

const codeFor = (status: number): string => (status === 404 ? 'not_found' : 'invalid_request')
