import { foldName, isRemembered, wordsOf } from './words.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that end in `s` in the singular, or have the same singular and plural. */
const UNCHANGED = setOf(
  `means headquarters kubernetes christmas analytics logistics mathematics physics politics economics
   ethics alias atlas bias canvas gas lens texas yes has was sms mms dns aws tls https ios gps gprs cors ddos pos saas paas
   iaas sas nas corps`,
)

/** Plurals that break the rules, each with its singular. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `people person, children child, men man, women woman, feet foot, teeth tooth, mice mouse, geese goose, oxen ox,
   criteria criterion, phenomena phenomenon, alumni alumnus, radii radius, stimuli stimulus, foci focus, syllabi syllabus,
   indices index, vertices vertex, matrices matrix, appendices appendix, axes axis, schemata schema, formulae formula,
   corpora corpus, caches cache, niches niche, aches ache, headaches headache, quizzes quiz, apis api, menus menu, gurus guru,
   cpus cpu, gpus gpu, skus sku, leaves leaf, loaves loaf, halves half, calves calf, elves elf, selves self, shelves shelf,
   wolves wolf, thieves thief, knives knife, lives life, wives wife, hooves hoof, scarves scarf`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Endings of plurals, the number of letters to cut and the text to add. The first that fits applies. */
const ENDINGS: readonly (readonly [ending: RegExp, cut: number, put: string])[] = [
  [/(ss|us|is|news|series|species)$/, 0, ''],
  [/(analy|diagno|synop|empha|parenthe|hypothe|^the|^cri|^oa)ses$/, 2, 'is'],
  [
    /(status|alias|address|process|virus|campus|canvas|census|corpus|bonus|focus|atlas|^bus|^gas|^bias|^iris|^lens)es$/,
    2,
    '',
  ],
  [/(mov|cook|calor|zomb|self|rook|brown|gen)ies$/, 1, ''],
  [/^.ies$/, 1, ''],
  [/ies$/, 3, 'y'],
  [/(her|potat|tomat|ech|vet|zer|mosquit|volcan|carg|tornad|torped|domin)oes$/, 2, ''],
  [/(ch|x|ss|sh|zz|tz)es$/, 2, ''],
  [/s$/, 1, ''],
]

/** The singular of one lower-case English word; words of other languages stay unless they end in `s`. */
export function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (word.length < 3 || !word.endsWith('s') || UNCHANGED.has(word)) return word
  const [, cut, put] = ENDINGS.find(([ending]) => ending.test(word)) ?? [undefined, 0, '']
  return word.slice(0, word.length - cut) + put
}

/** The singular of a name in snake case: only its last word changes. */
export function singularName(name: string): string {
  const start = name.lastIndexOf('_') + 1
  return name.slice(0, start) + singularOf(name.slice(start))
}

/** A name for comparison: folded, its last word in the singular. */
export function foldNoun(name: string): string {
  const known = NOUNS.get(name)
  if (known !== undefined) return known
  const folded = foldLast(name)
  if (isRemembered(name, NOUNS)) NOUNS.set(name, folded)
  return folded
}

/** Folded nouns; see decisions/module-state.md. */
const NOUNS = new Map<string, string>()

function foldLast(name: string): string {
  const words = wordsOf(name)
  const last = words.pop()
  return last === undefined ? foldName(name) : words.join('') + singularOf(last)
}

/** Whether two names mean the same thing, whatever their spelling and number. */
export function isSameNoun(left: string, right: string): boolean {
  return foldNoun(left) === foldNoun(right)
}
