import { mixPair, pickBy } from '../../../runtime/random.ts'
import { type Cell, drawAt } from '../cell.ts'
import { Deal } from '../permutation.ts'
import type { Site } from '../site.ts'

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
