import { hexDigits, mixPair, pickBy } from '../../../runtime/random.ts'
import { type Cell, drawAt } from '../cell.ts'
import { Deal } from '../permutation.ts'
import type { Site } from '../site.ts'
import { subjectFor } from '../words/person.ts'

/** Makes the text of one field. */
export type TextMaker = (cell: Cell) => string

/**
 * Names of fields, in snake case and separated by spaces, with the makers of their texts. A field is found by its whole
 * name or a suffix after an underscore: `billing_first_name` by `first_name`. The longest name applies.
 */
export type Rules = readonly (readonly [names: string, make: (site: Site) => TextMaker])[]

/** A fact about the person or company of a field: `of(givenName)`. */
export function of(read: (subject: number) => string): (site: Site) => TextMaker {
  return (site) => {
    const subject = subjectFor(site)
    return (cell) => read(subject(cell))
  }
}

/** One of a few words. */
export function oneOf(...values: readonly string[]): (site: Site) => TextMaker {
  return (site) => variedPick(site, values)
}

/** `count` hexadecimal digits. */
export function hex(count: number): (site: Site) => TextMaker {
  return ({ key }) =>
    (cell) =>
      hexDigits(drawAt(cell, key), count)
}

/** `count` decimal digits, the first not 0. */
export function digits(count: number): (site: Site) => TextMaker {
  return ({ key }) =>
    (cell) => {
      const draw = drawAt(cell, key)
      let text = String(1 + (draw % 9))
      for (let place = 1; place < count; place++) text += String(mixPair(draw, place) % 10)
      return text
    }
}

/** A text made from 32 random bits. */
export function fromDraw(make: (draw: number, site: Site) => string): (site: Site) => TextMaker {
  return (site) => (cell) => make(drawAt(cell, site.key), site)
}

/** Reads tables of names, in snake case and separated by spaces. The first mention of a name applies. */
export function readWords<T>(
  ...tables: readonly (readonly (readonly [names: string, value: T])[])[]
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>()
  for (const table of tables) {
    for (const [names, value] of table) {
      for (const name of names.split(' ')) if (!byName.has(name)) byName.set(name, value)
    }
  }
  return byName
}

/** The value for `name`, or for its longest suffix after an underscore: `exp_year` before `year`. */
export function findBySuffix<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  let suffix = name
  for (;;) {
    const found = byName.get(suffix)
    if (found !== undefined) return found
    const at = suffix.indexOf('_')
    if (at < 0) return undefined
    suffix = suffix.slice(at + 1)
  }
}

const NAMING = /(?:^|_)(?:name|title|subject|label|headline|display_name|key|code|sku)$/

/** Whether users recognise a record by this field, so that its values should rarely repeat. */
export function isNamingField({ path, snake }: Site): boolean {
  return path?.length === 1 && NAMING.test(snake)
}

/**
 * Picks from `items`: a different one for each item of a list, and for each record in a naming field, while there are
 * enough; for other fields at random.
 */
export function variedPick<T>(site: Site, items: readonly T[]): (cell: Cell) => T {
  const { key } = site
  const deal = isNamingField(site) ? new Deal(items.length, key) : undefined
  return (cell) => {
    const { turn } = cell
    if (turn) return items[((mixPair(turn.seed, key) % items.length) + turn.at) % items.length] as T
    return deal ? (items[deal.at(cell.frame.rank)] as T) : pickBy(items, drawAt(cell, key))
  }
}
