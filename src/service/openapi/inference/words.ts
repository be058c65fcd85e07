import { wordsOf as splitName } from '../../../protocol/name-words.ts'
import { remember } from './remember.ts'

/** Words that are the same in the singular and the plural, or that only look like plurals. */
const UNCOUNTABLE = new Set(
  'metadata data media sms mms dns news series equipment information software hardware feedback status analysis basis access address process business progress success canvas atlas bus gas lens class pass express https tls aws kubernetes'.split(
    ' ',
  ),
)

const IRREGULAR = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['criteria', 'criterion'],
  ['indices', 'index'],
  ['vertices', 'vertex'],
  ['matrices', 'matrix'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['ties', 'tie'],
  ['caches', 'cache'],
  ['niches', 'niche'],
  ['leaves', 'leaf'],
  ['men', 'man'],
  ['women', 'woman'],
  ['quizzes', 'quiz'],
  ['buses', 'bus'],
  ['axes', 'axis'],
  ['analyses', 'analysis'],
  ['apis', 'api'],
])

/** Longer names are cut: nothing that matters is said so late. */
const MAX_NAME = 300

/** The words of a name in any of the usual spellings, in lower case: `customFieldSettings`, `pull-requests`, `URLParser`. */
export const wordsOf = remember((name): readonly string[] => splitName(name.slice(0, MAX_NAME)))

/** `custom_field_settings` */
export function toSnakeCase(name: string): string {
  return wordsOf(name).join('_')
}

/** Lower case without anything between words: for comparing names in different spellings. A name of signs alone stays. */
export const foldName = remember((name): string => wordsOf(name).join('') || name)

/** The singular of one lower-case English word. */
export function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular) return irregular
  if (UNCOUNTABLE.has(word) || word.length < 3 || !word.endsWith('s')) return word
  if (/(ss|us|is)$/.test(word)) return word
  if (/(status|alias|address|process|bus|virus|campus|bonus|lens)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(ch|x|ss|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** The singular of a name in snake case: only its last word changes. */
export function singularName(name: string): string {
  const words = name.split('_')
  const last = words.pop() ?? ''
  return [...words, singularOf(last)].join('_')
}

/** Whether two names mean the same thing, whatever their spelling and number. */
export function isSameNoun(left: string, right: string): boolean {
  return foldNoun(left) === foldNoun(right)
}

/** A name for comparison: folded, its last word in the singular. */
export const foldNoun = remember((name): string => {
  const words = wordsOf(name)
  return [...words.slice(0, -1), singularOf(words.at(-1) ?? '')].join('') || name
})
