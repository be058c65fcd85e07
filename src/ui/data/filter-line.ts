/** Whether something passes a filter. @param text what bare words are looked up in */
export type Passes = (fields: Readonly<Record<string, unknown>>, text: () => string) => boolean

/** A filter as it is typed: `type:invoice.* status:>=400 -cause:edit "net 30"`. */
export interface FilterLine {
  readonly passes: Passes
  /** The fields that it names. */
  readonly fields: readonly string[]
}

const TERM = /(-)?(?:([\w.]+)(:|>=|<=|>|<|=))?("[^"]*"?|\S+)/g

/** Reads one line of text as a filter. Everything is allowed while it is typed. */
export function parseFilterLine(line: string): FilterLine {
  const terms = [...line.matchAll(TERM)].map(([, minus, field, sign, text = '']) => ({
    field,
    passes: toTest({ field, sign: sign ?? ':', text: text.replace(/^"|"$/g, ''), isWanted: minus === undefined }),
  }))
  return {
    passes: (fields, text) => terms.every(({ passes }) => passes(fields, text)),
    fields: terms.flatMap(({ field }) => field ?? []),
  }
}

interface Term {
  readonly field: string | undefined
  readonly sign: string
  readonly text: string
  readonly isWanted: boolean
}

function toTest({ field, sign, text, isWanted }: Term): Passes {
  const lower = text.toLowerCase()
  if (field === undefined) return (_, whole) => whole().toLowerCase().includes(lower) === isWanted
  const fits = toValueTest(sign, text)
  return (fields) => fits(valueAt(fields, field)) === isWanted
}

/** `status:>=400` reads as `status>=400`. */
function toValueTest(sign: string, text: string): (value: unknown) => boolean {
  const [, inner, rest = ''] = /^(>=|<=|>|<)(.*)$/.exec(text) ?? []
  if ((sign === ':' || sign === '=') && inner !== undefined) return toValueTest(inner, rest)
  if (sign === ':' || sign === '=') {
    return toPatternTest(text)
  }
  return (value) => compare(value, text, sign)
}

/** `*` stands for any text. Patterns that people type most are looked up without an expression, which tries every place. */
function toPatternTest(text: string): (value: unknown) => boolean {
  const parts = text.toLowerCase().split('*')
  const [first = '', middle = '', last = ''] = parts
  const textOf = (value: unknown): string => String(value ?? 'null').toLowerCase()
  if (parts.length === 1) return (value) => textOf(value) === first
  if (parts.length === 2) {
    const least = first.length + middle.length
    return (value) => {
      const whole = textOf(value)
      return whole.length >= least && whole.startsWith(first) && whole.endsWith(middle)
    }
  }
  if (parts.length === 3 && first === '' && last === '') return (value) => textOf(value).includes(middle)
  const whole = new RegExp(`^${text.split('*').map(escapePattern).join('.*')}$`, 'is')
  return (value) => whole.test(String(value ?? 'null'))
}

function compare(value: unknown, text: string, sign: string): boolean {
  if (value === undefined || value === null || text === '') return false
  const [left, right] = Number.isNaN(Number(text)) ? [String(value), text] : [Number(value), Number(text)]
  if (sign === '>') return left > right
  if (sign === '<') return left < right
  return sign === '>=' ? left >= right : left <= right
}

/** `customer.name` goes into what a field holds, unless a field has that very name. */
function valueAt(fields: Readonly<Record<string, unknown>>, path: string): unknown {
  if (path in fields) return fields[path]
  return path.split('.').reduce<unknown>((value, step) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
  }, fields)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
