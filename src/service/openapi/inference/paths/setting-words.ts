import { singularOf } from '../../../../names/nouns.ts'
import { wordsOf } from '../../../../names/words.ts'

/** Words of paths that write settings, in the singular. */
const SETS = new Set(
  'config configure configuration setting option preference setup set save update edit change apply'.split(' '),
)
/** Words of paths that show them. */
const SHOWS = new Set([...SETS, ...'status state info detail get show list current all'.split(' ')])

/** The noun of a path word that writes settings: `dns` of `dns_config`, '' of `configure`; undefined for other words. */
export function nounWritten(text: string): string | undefined {
  const words = namesOf(text)
  return words.some((word) => SETS.has(word)) ? without(words, SETS) : undefined
}

/** The noun of a path word that shows them: `dns` of `dns_info`, '' of `status`. */
export const nounShown = (text: string): string => without(namesOf(text), SHOWS)

const namesOf = (text: string): string[] => wordsOf(text).map(singularOf)

const without = (words: readonly string[], said: ReadonlySet<string>): string =>
  words.filter((word) => !said.has(word)).join(' ')
