import { fraction } from '../../runtime/random.ts'
import { drawAt, type Maker, withInitial } from './cell.ts'
import { statusReached } from './presence.ts'
import type { Site } from './site.ts'

/** How many of a hundred records have the flag set, by its name. */
const CHANCES: readonly (readonly [RegExp, number])[] = [
  [
    /delet|archiv|trash|cancel|suspend|disab|block|bann|hidden|deprecat|test|sandbox|spam|error|fail|locked|expired|revoked|void|refunded|disputed|paused|muted|stale|draft|unsubscrib|bounc/,
    6,
  ],
  [
    /(^|_)(active|enabled|live(_?mode)?|visible|valid|available|published|public|verified|confirmed|success|succeeded|ok|in_stock|taxable|deletable|editable|activated|subscribed|current)$|(^|_)(can|has_access|allow)/,
    86,
  ],
  [/complet|done|finish|closed|paid|resolved|read$|seen|delivered|shipped|approved/, 45],
  [
    /default|primary|main|admin|superuser|staff|root|owner|featured|starred|pinned|favou?rite|private|internal|bot|system|readonly|read_only|template/,
    14,
  ],
  [/has_more|has_next|truncated|more$/, 0],
]
/** Flags that are set on a record that was just made. */
const SET_AT_FIRST =
  /(^|_)(active|enabled|live(_?mode)?|visible|valid|available|success|succeeded|ok|in_stock|deletable|editable|current)$|(^|_)(can|allow)/

/** Flags by their name; on a record just made the schema's default, or what nothing has happened to yet. */
export function makeBoolean(site: Site): Maker {
  const { schema, snake, key } = site
  const chance = (CHANCES.find(([pattern]) => pattern.test(snake))?.[1] ?? (schema.default === true ? 80 : 30)) / 100
  const initial = typeof schema.default === 'boolean' ? schema.default : SET_AT_FIRST.test(snake)
  const followsAge = /complet|done|finish|closed|paid|resolved|delivered|shipped/.test(snake)
  const reached = followsAge && site.path?.length === 1 ? statusReached(site) : undefined
  return withInitial(initial, (cell) => {
    if (reached) return reached(cell)
    return fraction(drawAt(cell, key)) < (followsAge ? chance * (0.3 + 1.4 * cell.frame.age) : chance)
  })
}
