import type { Json } from '../shared/values.ts'

/** A field of a request, and why it is refused. */
export interface Fault {
  /** @default none */
  readonly field?: string
  readonly message: string
  readonly code?: string
}

export const missingField = (field: string): Fault => ({
  code: 'missing_required_parameter',
  field,
  message: `Missing required parameter: '${field}'.`,
})

export const unknownParameter = (field: string): Fault => ({
  code: 'unknown_parameter',
  field,
  message: `Unknown parameter: '${field}'.`,
})

export const invalidValue = (field: string, value: Json | undefined, known: readonly string[]): Fault => ({
  code: 'invalid_value',
  field,
  message: `Invalid value: '${value}'. Supported values are: ${inQuotes(known)}.`,
})

export const inQuotes = (names: readonly string[]): string =>
  new Intl.ListFormat('en').format(names.map((name) => `'${name}'`))

export const unsupported = (field: string, more = ''): Fault => ({
  code: 'unsupported_parameter',
  field,
  message: `Unsupported parameter: '${field}' is not supported with this model.${more}`,
})

export const unsupportedValue = (field: string, problem: string, value = field): Fault => ({
  code: 'unsupported_value',
  field,
  message: `Unsupported value: '${value}' ${problem}`,
})

export const emptyArray = (field: string): Fault => ({
  code: 'empty_array',
  field,
  message: `Invalid '${field}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
})

export function wrongType(field: string, value: Json, expected: string): Fault {
  const kind = typeof value === 'number' ? 'a number' : typeof value === 'string' ? 'a string' : 'an object'
  const message = `Invalid type for '${field}': expected ${expected}, but got ${kind} instead.`
  return { code: 'invalid_type', field, message }
}

export const mismatched = (field: string, pattern: string): Fault => ({
  code: 'invalid_value',
  field,
  message: `Invalid '${field}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
})

export const tooLong = (field: string, most: number, { length }: string): Fault => ({
  code: 'string_above_max_length',
  field,
  message: `Invalid '${field}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
})
