/** How a filter looks at the items of a list. */
export interface Searched<Item> {
  /** The fields that a filter can name. */
  readonly names: (item: Item) => readonly string[]
  /** The value of a field; undefined where the item has none. */
  readonly read: (item: Item, field: string) => unknown
  /** What bare words are looked up in. Asked for once. */
  readonly text: (item: Item) => string
}

/** How a filter looks at plain objects. */
export const OBJECTS: Searched<object> = { names: Object.keys, read: valueAt, text: (item) => JSON.stringify(item) }

const TERM = /(-)?(?:([\w.]+)(:|>=|<=|>|<|=))?("[^"]*"?|\S+)/g

/** Where an item keeps its text in lower case: a filter is typed letter by letter, and a map of 10,000 texts takes longer to fill than they. */
const TEXT = Symbol('text')

function textOf<Item extends object>(item: Item & { [TEXT]?: string }, { text }: Searched<Item>): string {
  item[TEXT] ??= text(item).toLowerCase()
  return item[TEXT]
}

/** Items whose texts are made in one go. */
const MADE_TOGETHER = 200

/** Makes the texts of items while the page waits for the first letter of a filter. */
export function prepareTexts<Item extends object>(items: readonly Item[], searched: Searched<Item>, from = 0): void {
  for (const item of items.slice(from, from + MADE_TOGETHER)) textOf(item, searched)
  const next = from + MADE_TOGETHER
  if (next < items.length) setTimeout(() => prepareTexts(items, searched, next))
}

/** Reads one line of text as a filter: `type:invoice.* status:>=400 -cause:edit "net 30"`. Everything is allowed while it is typed. */
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
function valueAt(item: object, path: string): unknown {
  const fields = item as Readonly<Record<string, unknown>>
  if (path in fields) return fields[path]
  return path.split('.').reduce<unknown>((value, step) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
  }, fields)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
