import { mixPair } from '../../runtime/random.ts'
import { type Cell, fieldKey } from './cell.ts'
import { subjectFrom } from './person.ts'
import type { Site } from './site.ts'

const SAME_SUBJECT =
  /^(?:billing|shipping|contact|primary|work|personal|full|display|main|home|mobile|from|login|account|default|business|public|profile|legal|preferred|first|last|customer_facing|notification|reply_to|support|invoice)$/

/**
 * Whom a field tells of: `customer_email` of the customer that the record refers to, `owner_name` of somebody else than
 * the record itself, `billing_email` and `email` of the same one.
 */
export function subjectFor(site: Site): (cell: Cell) => number {
  const prefix = prefixOf(site.snake)
  if (prefix === '' || SAME_SUBJECT.test(prefix) || prefix === site.owner || site.owner.endsWith(`_${prefix}`))
    return (cell) => cell.subject
  const known = site.surroundings.subjectOf(prefix)
  if (known) return known
  const key = fieldKey(prefix)
  return (cell) => subjectFrom(mixPair(cell.seed, key))
}

/** `customer` of `customer_email`; what stands before the word that says what kind of value it is. */
function prefixOf(snakeName: string): string {
  return (
    /^(.+?)_(?:(?:first|last|full|given|family|display|user|company|legal)_?)?(?:name|email|e_?mail|phone|phone_number|email_address|username|login|avatar|avatar_url|initials|surname|mail|address|mobile|handle|number)$/.exec(
      snakeName,
    )?.[1] ?? ''
  )
}
