import { type Json, lengthOf } from '../protocol/json.ts'
import { formatTest } from './formats.ts'
import { patternTest } from './pattern-test.ts'
import type { Problem } from './problem.ts'
import type { Schema } from './schema.ts'

/** The least and the greatest number of a format. Generated numbers need not know the small ones. */
const RANGES: Readonly<Record<string, readonly [least: number, greatest: number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 1024],
  uint64: [0, 2 ** 64 - 2048],
  float: [-3.4028234663852886e38, 3.4028234663852886e38],
}
const UUID_LENGTH = 36

type TextBounds = Pick<Schema, 'minLength' | 'maxLength' | 'pattern' | 'format' | 'example'>

export function checkText(
  schema: TextBounds,
  mode: 'strict' | 'lenient',
): ((text: string) => Problem | undefined) | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  const matches = agreeing(schema, pattern === undefined ? undefined : patternTest(pattern))
  const isFormat = agreeing(schema, format === undefined ? undefined : formatTest(format, mode))
  const isBound = minLength > 0 || maxLength !== Number.POSITIVE_INFINITY
  if (!isBound && matches === undefined && isFormat === undefined) return undefined
  return (text) => {
    if (isBound && !(text.length >= 2 * minLength && text.length <= maxLength)) {
      const length = lengthOf(text)
      if (length < minLength) return fault(characters('at least', minLength), text)
      if (length > maxLength) return fault(characters('at most', maxLength), text)
    }
    if (matches !== undefined && !matches(text)) return fault(`a text that matches ${pattern}`, text)
    if (isFormat !== undefined && !isFormat(text)) return fault(`a text of format ${format}`, text)
    return undefined
  }
}

export type NumberBounds = Pick<Schema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'>

/** A check for a schema's keywords for numbers; undefined without any. */
export function checkNumber(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: NumberBounds,
  format = '',
): ((value: number) => Problem | undefined) | undefined {
  const [least, greatest] = Object.hasOwn(RANGES, format) ? (RANGES[format] ?? []) : []
  const bounds = [
    minimum !== undefined && bound((value) => value >= minimum, `at least ${minimum}`),
    maximum !== undefined && bound((value) => value <= maximum, `at most ${maximum}`),
    exclusiveMinimum !== undefined && bound((value) => value > exclusiveMinimum, `more than ${exclusiveMinimum}`),
    exclusiveMaximum !== undefined && bound((value) => value < exclusiveMaximum, `less than ${exclusiveMaximum}`),
    multipleOf !== undefined && multipleOf > 0 && bound(isMultiple(multipleOf), `a multiple of ${multipleOf}`),
    least !== undefined && bound((value) => value >= least, `at least ${least}, as ${format}`),
    greatest !== undefined && bound((value) => value <= greatest, `at most ${greatest}, as ${format}`),
  ].filter((each) => each !== false)
  if (bounds.length === 0) return undefined
  return (value) => {
    for (const { holds, expected } of bounds) if (!holds(value)) return fault(expected, value)
    return undefined
  }
}

/** `test`, unless it refuses the description's own example: an example is more reliable than a pattern or a format. */
function agreeing({ example, maxLength, format }: TextBounds, test: ((text: string) => boolean) | undefined) {
  if (typeof example === 'string' && test?.(example) === false) return undefined
  return format === 'uuid' && maxLength !== undefined && maxLength < UUID_LENGTH ? undefined : test
}

const characters = (bound: string, count: number): string => `${bound} ${count} character${count === 1 ? '' : 's'} long`

const bound = (holds: (value: number) => boolean, expected: string) => ({ holds, expected })

const fault = (expected: string, got: Json): Problem => ({ path: [], expected, got })

function isMultiple(step: number): (value: number) => boolean {
  return (value) => {
    const quotient = value / step
    return (
      Number.isInteger(quotient) || Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
    )
  }
}
