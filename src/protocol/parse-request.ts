import * as z from 'zod'
import { didYouMean } from '../names/nearest-name.ts'
import { invalidRequest } from './errors.ts'
import { grouped } from './grouped.ts'
import { valueAt } from './json.ts'

/** A fault from zod. */
type Issue = z.core.$ZodIssue

/**
 * Parses input from outside. The one place where the issues of zod become messages.
 *
 * @param subject what a message calls the whole value: `the body`, `the query`, or a field such as `config`.
 * @throws {@link ApiError} `invalid_request`, naming the first fault's field and bound and counting the others:
 * ``Expected `hours` to be from 0.25 to 720, got 0.1.``
 */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown, subject = 'the body'): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidRequest(explainFaults(schema, value, result.error, subject), result.error)
}

/** The message of {@link parseRequest}, for callers that drop invalid input instead of refusing it. */
export function explainFaults(schema: z.ZodType, value: unknown, error: z.ZodError, subject: string): string {
  const others = error.issues.length - 1
  const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'fault' : 'faults'} found.`
  return `${explain(schema, value, firstIssue(error), subject)}${more}`
}

/** Reports an unknown name first: a missing field next to it is probably the same field, misspelt. */
function firstIssue({ issues }: z.ZodError): Issue {
  const found = issues.map(nearest)
  return (found.find(({ code }) => code === 'unrecognized_keys') ?? found[0]) as Issue
}

/** All faults, each with its path; for an unknown field, that of the field itself. */
export function listFaults(
  schema: z.ZodType,
  value: unknown,
  error: z.ZodError,
  subject: string,
): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  return error.issues.map(nearest).map((issue) => ({
    path: issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path,
    message: explain(schema, value, issue, subject),
  }))
}

/** The value as a message shows it: at most 80 characters. */
function preview(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  return value.length > 80 ? `a text of ${grouped(value.length)} characters` : JSON.stringify(value)
}

/** The fault of a union's best-fitting alternative, since the union's own issue says little. */
function nearest(issue: Issue): Issue {
  const inner = innerIssues(issue)
  const deepest = inner.toSorted((left, right) => rankOf(right) - rankOf(left))[0]
  if (deepest === undefined || (issue.code === 'invalid_union' && rankOf(deepest) === 0)) return issue
  return nearest({ ...deepest, path: [...issue.path, ...deepest.path] })
}

/** How well an alternative fits: an unknown field counts less than any other fault. */
const rankOf = ({ code, path }: Issue): number => path.length + (code === 'unrecognized_keys' ? 0.5 : 0)

function innerIssues(issue: Issue): Issue[] {
  if (issue.code === 'invalid_union') return issue.errors.flat()
  return issue.code === 'invalid_key' || issue.code === 'invalid_element' ? issue.issues : []
}

function explain(schema: z.ZodType, root: unknown, issue: Issue, subject: string): string {
  const field = fieldName(issue.path, subject)
  const value = valueAt(root, issue.path)
  const target = schemaAt(schema, root, issue.path)
  if (issue.code === 'unrecognized_keys') return explainStrangers(field, issue.keys, objectOf(target, value))
  if (issue.code === 'too_small' || issue.code === 'too_big') return explainBound(field, value, target, issue)
  const next = issue.code === 'invalid_type' ? nextStepOf(objectOf(target, value)) : ''
  return `Expected ${field} to be ${expectation(issue, target)}, got ${preview(value)}.${meantOf(issue, value)}${next}`
}

/** The nearest allowed value, where few are allowed. */
const meantOf = (issue: Issue, value: unknown): string =>
  issue.code === 'invalid_value' && typeof value === 'string'
    ? didYouMean(value.slice(0, 100), issue.values.map(String))
    : ''

function explainStrangers(field: string, [name = '']: readonly string[], target: z.ZodObject | undefined): string {
  const known = Object.keys(target?.shape ?? {})
  const shown = name.slice(0, 100)
  return `Expected ${field} to have no field "${shown}", got one.${didYouMean(shown, known)} It may have ${known.join(', ')}.${nextStepOf(target)}`
}

const nextStepOf = (target: z.ZodObject | undefined): string => (target?.description ? ` ${target.description}` : '')

function explainBound(
  field: string,
  value: unknown,
  target: z.ZodType | undefined,
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): string {
  const { min, max } = boundsOf(target, issue)
  const range = rangeText(min, max, !issue.inclusive)
  if (typeof value === 'string' && issue.origin === 'string') {
    return `Expected ${field} to have ${range} ${plural('character', min, max)}, got ${grouped(value.length)}.`
  }
  if (Array.isArray(value))
    return `Expected ${field} to have ${range} ${plural('item', min, max)}, got ${grouped(value.length)}.`
  const words = min !== undefined && max !== undefined ? `from ${grouped(min)} to ${grouped(max)}` : range
  return `Expected ${field} to be ${words}, got ${preview(value)}.`
}

/** The noun after a range: singular for `at least 1` and `at most 1`. */
function plural(noun: string, min: number | undefined, max: number | undefined): string {
  return (max ?? min) === 1 ? noun : `${noun}s`
}

function rangeText(min: number | undefined, max: number | undefined, exclusive: boolean): string {
  if (min !== undefined && max !== undefined) return `${grouped(min)} to ${grouped(max)}`
  if (min !== undefined) return `${exclusive ? 'more than' : 'at least'} ${grouped(min)}`
  return `${exclusive ? 'less than' : 'at most'} ${grouped(max as number)}`
}

/** What the schema expects, as a noun. */
function expectation(issue: Issue, target: z.ZodType | undefined): string {
  switch (issue.code) {
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return unionText(issue, target)
    case 'invalid_format':
      return formatText(issue)
    case 'invalid_type':
      return target === undefined || issue.expected === 'int' ? typeText(issue.expected, target) : nounOf(target)
    case 'not_multiple_of':
      return `a multiple of ${grouped(issue.divisor)}`
    default:
      return issue.message
  }
}

function unionText(issue: z.core.$ZodIssueInvalidUnion, target: z.ZodType | undefined): string {
  if (issue.discriminator !== undefined && 'options' in issue) return oneOf(issue.options as z.core.util.Primitive[])
  return target === undefined ? 'one of several shapes' : nounOf(target)
}

function formatText(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.format === 'datetime') return 'an ISO 8601 date and time with its offset'
  return issue.message.startsWith('Invalid') ? `a valid ${issue.format}` : issue.message
}

const NOUNS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeText(type: string, target: z.ZodType | undefined): string {
  const { min, max } = boundsOf(target)
  const bounds = min === undefined && max === undefined ? '' : ` ${numberBounds(min, max)}`
  return `${NOUNS[type] ?? type}${bounds}`
}

function numberBounds(min: number | undefined, max: number | undefined): string {
  return min !== undefined && max !== undefined ? `from ${grouped(min)} to ${grouped(max)}` : rangeText(min, max, false)
}

function nounOf(schema: z.ZodType): string {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodEnum) return oneOf(inner.options)
  if (inner instanceof z.ZodLiteral) return oneOf([...inner.values])
  if (inner instanceof z.ZodUnion) return unionNouns(inner)
  if (inner instanceof z.ZodNumber) return typeText(inner.isInt ? 'int' : 'number', inner)
  return NOUNS[inner.def.type] ?? 'a value of another kind'
}

function unionNouns(union: z.ZodUnion): string {
  const nouns = [...new Set(union.options.map((option) => nounOf(option as z.ZodType)))]
  return nouns.length === 1 ? (nouns[0] as string) : `${nouns.slice(0, -1).join(', ')} or ${nouns.at(-1)}`
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => `\`${String(value)}\``)
  return texts.length === 1 ? (texts[0] as string) : `one of ${texts.join(', ')}`
}

/** Both bounds of a schema that has both, so that a message names the whole range. */
function boundsOf(
  target: z.ZodType | undefined,
  issue?: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): { min: number | undefined; max: number | undefined } {
  const inner = target === undefined ? undefined : unwrap(target)
  const [min, max] = inner === undefined ? [undefined, undefined] : schemaBounds(inner)
  return {
    min: min ?? (issue?.code === 'too_small' ? Number(issue.minimum) : undefined),
    max: max ?? (issue?.code === 'too_big' ? Number(issue.maximum) : undefined),
  }
}

function schemaBounds(schema: z.ZodType): [number | undefined, number | undefined] {
  if (schema instanceof z.ZodNumber) return [finite(schema.minValue), finite(schema.maxValue)]
  if (schema instanceof z.ZodString) return [finite(schema.minLength), finite(schema.maxLength)]
  if (schema instanceof z.ZodArray) return arrayBounds(schema)
  return [undefined, undefined]
}

function arrayBounds(schema: z.ZodArray): [number | undefined, number | undefined] {
  const bag = schema._zod.bag as { minimum?: number; maximum?: number }
  return [bag.minimum, bag.maximum]
}

function finite(bound: number | null): number | undefined {
  return bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined
}

/** The schema of the value that a path leads to; undefined where the path leads out of the schema. */
function schemaAt(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): z.ZodType | undefined {
  let current: z.ZodType | undefined = schema
  let at = value
  for (const key of path) {
    current = current === undefined ? undefined : childOf(unwrap(current), at, key)
    at = valueAt(at, [key])
  }
  return current
}

function childOf(schema: z.ZodType, value: unknown, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[key as string] as z.ZodType | undefined
  if (schema instanceof z.ZodArray) return typeof key === 'number' ? (schema.element as z.ZodType) : undefined
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  if (schema instanceof z.ZodUnion && !(schema instanceof z.ZodDiscriminatedUnion))
    return schema.options.map((one) => childOf(unwrap(one as z.ZodType), value, key)).find((one) => one !== undefined)
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return undefined
  const option = objectOf(schema, value)
  return option === undefined ? undefined : childOf(option, value, key)
}

/** The object schema that applies; of a union, the alternative that the value's discriminator names. */
function objectOf(schema: z.ZodType | undefined, value: unknown): z.ZodObject | undefined {
  const inner = schema === undefined ? undefined : unwrap(schema)
  if (inner instanceof z.ZodObject) return inner
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const name = inner.def.discriminator
    return (inner.options as z.ZodObject[]).find(
      ({ shape }) => (shape[name] as z.ZodType).safeParse(valueAt(value, [name])).success,
    )
  }
  return inner instanceof z.ZodUnion ? inner.options.find((option) => option instanceof z.ZodObject) : undefined
}

/** Kinds of schema that wrap another one. */
const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly', 'catch'])

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe)
    return unwrap((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType)
  if (schema instanceof z.ZodLazy) return unwrap(schema.unwrap() as z.ZodType)
  if (!WRAPPERS.has(schema.def.type)) return schema
  return unwrap((schema as z.ZodOptional<z.ZodType>).unwrap())
}

/** `ipAllowlist[2]`, `config.latencyMs`; the subject itself where the path is empty. */
function fieldName(path: readonly PropertyKey[], subject: string): string {
  const inner = subject.startsWith('the ') ? path : [subject, ...path]
  if (inner.length === 0) return subject
  const steps = inner.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return `\`${steps.join('').replace(/^\./, '').slice(0, 200)}\``
}
