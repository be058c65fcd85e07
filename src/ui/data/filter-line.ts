/** How a filter reads the items of a list. */
export interface Searched<Item> {
  /** The fields for a filter. */
  readonly names: (item: Item) => readonly string[]
  /** The value of a field; undefined without one. */
  readonly read: (item: Item, field: string) => unknown
  /** The text for plain words. Computed once. */
  readonly text: (item: Item) => string
}

/** How a filter reads plain objects. */
export const OBJECTS: Searched<object> = { names: Object.keys, read: valueAt, text: (item) => JSON.stringify(item) }

const TERM = /(-)?(?:([\w.]+)(:|>=|<=|>|<|=))?("[^"]*"?|\S+)/g

/**
 * Place for an item's text in lower case: a filter runs at every letter, and filling a map of 10,000 texts takes longer
 * than computing them.
 */
const TEXT = Symbol('text')

function textOf<Item extends object>(item: Item & { [TEXT]?: string }, { text }: Searched<Item>): string {
  item[TEXT] ??= text(item).toLowerCase()
  return item[TEXT]
}

/** Items whose texts are computed in one step. */
const MADE_TOGETHER = 200

/** Computes the texts of items before the first letter of a filter. */
export function prepareTexts<Item extends object>(items: readonly Item[], searched: Searched<Item>, from = 0): void {
  for (const item of items.slice(from, from + MADE_TOGETHER)) textOf(item, searched)
  const next = from + MADE_TOGETHER
  if (next < items.length) setTimeout(() => prepareTexts(items, searched, next))
}

/** Parses one line of text as a filter: `type:invoice.* status:>=400 -cause:edit "net 30"`. Incomplete input is valid. */
export function parseFilterLine<Item extends object>(line: string, searched: Searched<Item>): (item: Item) => boolean {
  const terms = [...line.matchAll(TERM)].map(([, minus, field, sign = ':', typed = '']) => {
    const isWanted = minus === undefined
    const plain = typed.replace(/^"|"$/g, '')
    if (field === undefined) {
      const lower = plain.toLowerCase()
      return (item: Item) => textOf(item, searched).includes(lower) === isWanted
    }
    const fits = toValueTest(sign, plain)
    return (item: Item) => fits(searched.read(item, field)) === isWanted
  })
  const [only, ...others] = terms
  if (only === undefined) return () => true
  return others.length === 0 ? only : (item) => terms.every((passes) => passes(item))
}

/** `status:>=400` means `status>=400`. */
function toValueTest(sign: string, text: string): (value: unknown) => boolean {
  const [, inner, rest = ''] = /^(>=|<=|>|<)(.*)$/.exec(text) ?? []
  if ((sign === ':' || sign === '=') && inner !== undefined) return toValueTest(inner, rest)
  if (sign === ':' || sign === '=') {
    return toPatternTest(text)
  }
  return (value) => compare(value, text, sign)
}

/** `*` stands for any text. Frequent patterns need no regular expression, which would try every position. */
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

/** `customer.name` reads a nested value, unless a field has that very name. */
function valueAt(item: object, path: string): unknown {
  const fields = item as Readonly<Record<string, unknown>>
  if (path in fields) return fields[path]
  return path.split('.').reduce<unknown>((value, step) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
  }, fields)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
