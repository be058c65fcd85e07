import type { Json } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import type { Check, Direction } from './check.ts'
import { toFormatTest } from './format.ts'
import { toPatternTest } from './pattern.ts'
import type { Problem } from './problem.ts'

const INT32 = 2 ** 31
const UUID_LENGTH = 36

/** The bounds that a schema sets to texts. Values of other types pass. */
export function stringChecks(schema: Schema, direction: Direction): Check[] {
  const { minLength, maxLength, pattern, format } = schema
  const matches = agreeing(schema, pattern === undefined ? undefined : toPatternTest(pattern))
  const isFormat = agreeing(schema, format === undefined ? undefined : toFormatTest(format, direction === 'request'))
  return [
    minLength !== undefined && onText((text) => lengthOf(text) >= minLength, characters('at least', minLength)),
    maxLength !== undefined && onText((text) => lengthOf(text) <= maxLength, characters('at most', maxLength)),
    matches && onText(matches, `a text that matches ${pattern}`),
    isFormat && onText(isFormat, `a text of format ${format}`),
  ].filter((check) => check !== false && check !== undefined)
}

/** The bounds that a schema sets to numbers. Values of other types pass. */
export function numberChecks(schema: Schema, direction: Direction): Check[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const isInt32 = schema.format === 'int32' && direction === 'response'
  return [
    minimum !== undefined && onNumber((value) => value >= minimum, `at least ${minimum}`),
    maximum !== undefined && onNumber((value) => value <= maximum, `at most ${maximum}`),
    exclusiveMinimum !== undefined && onNumber((value) => value > exclusiveMinimum, `more than ${exclusiveMinimum}`),
    exclusiveMaximum !== undefined && onNumber((value) => value < exclusiveMaximum, `less than ${exclusiveMaximum}`),
    multipleOf !== undefined && multipleOf > 0 && onNumber(isMultiple(multipleOf), `a multiple of ${multipleOf}`),
    isInt32 && onNumber((value) => value >= -INT32 && value < INT32, 'a 32-bit whole number'),
  ].filter((check) => check !== false)
}

/** A test that the description does not break itself: its own example is believed more than its pattern or format. */
function agreeing({ example, maxLength, format }: Schema, test: ((text: string) => boolean) | undefined) {
  if (typeof example === 'string' && test?.(example) === false) return undefined
  return format === 'uuid' && maxLength !== undefined && maxLength < UUID_LENGTH ? undefined : test
}

const characters = (bound: string, count: number): string => `${bound} ${count} character${count === 1 ? '' : 's'} long`

function onText(test: (text: string) => boolean, expected: string): Check {
  return (value) => (typeof value !== 'string' || test(value) ? undefined : fault(expected, value))
}

function onNumber(test: (value: number) => boolean, expected: string): Check {
  return (value) => (typeof value !== 'number' || test(value) ? undefined : fault(expected, value))
}

const fault = (expected: string, got: Json): Problem => ({ path: [], expected, got })

/** Length in characters, as JSON Schema counts: a pair of surrogates is one. */
function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length--
  }
  return length
}

function isMultiple(step: number): (value: number) => boolean {
  return (value) => {
    const quotient = value / step
    return (
      Number.isInteger(quotient) || Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
    )
  }
}
