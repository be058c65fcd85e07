import { capitalised } from '../../../names/words.ts'
import { mixPair, pickBy } from '../../../runtime/random.ts'
import { Deal } from '../permutation.ts'
import { ADJECTIVES, QUALIFIERS } from './general.ts'
import { GENERAL_DESCRIPTIONS, VOCABULARIES, type Vocabulary } from './vocabularies.ts'

const SLOT = /\{(\w+)\}/g

/** The words for a kind of thing: `task`, `billing_invoice`. Undefined for unknown nouns. */
export function findVocabulary(noun: string): Vocabulary | undefined {
  return VOCABULARIES.find(({ of }) => of.test(noun))
}

/** `template` with each `{slot}` replaced by a vocabulary word of that name. */
function fillPhrase(template: string, slots: Readonly<Record<string, readonly string[]>>, draw: number): string {
  let place = 0
  return template.replace(SLOT, (whole, name: string) => {
    const words = slots[name]
    return words ? pickBy(words, mixPair(draw, ++place)) : whole
  })
}

/** A title or name for a thing of this kind: of a task, of a product. */
export function makeTitle(noun: string, draw: number): string {
  const vocabulary = findVocabulary(noun)
  if (vocabulary) return sentenceCase(fillPhrase(pickBy(vocabulary.titles, draw), vocabulary.slots, draw))
  return `${capitalised(pickBy(ADJECTIVES, draw))} ${noun.replaceAll('_', ' ')}`
}

/** Titles for this kind of thing by number, with as few repetitions as possible. Prepared for the first title. */
export function createTitles(noun: string, key: number): (number: number) => string {
  let titles: ((number: number) => string) | undefined
  return (number) => {
    titles ??= prepareTitles(noun, key)
    return titles(number)
  }
}

function prepareTitles(noun: string, key: number): (number: number) => string {
  const vocabulary = findVocabulary(noun)
  const templates = vocabulary?.titles ?? [`{adjective} ${noun.replaceAll('_', ' ')}`]
  const slots: Readonly<Record<string, readonly string[]>> = vocabulary?.slots ?? {
    adjective: ADJECTIVES.map(capitalised),
  }
  const counts = templates.map((template) => countPhrases(template, slots))
  const deal = new Deal(
    counts.reduce((sum, count) => sum + count, 0),
    key,
  )
  return (number) => {
    let place = deal.at(number)
    let at = 0
    while (place >= (counts[at] as number)) place -= counts[at++] as number
    return sentenceCase(
      (templates[at] as string).replace(SLOT, (whole, name: string) => {
        const words = slots[name]
        if (!words) return whole
        const word = words[place % words.length] as string
        place = Math.floor(place / words.length)
        return word
      }),
    )
  }
}

/** `title` with a capital letter, unless it is the name of a file or a machine. */
function sentenceCase(title: string): string {
  return title.includes(' ') || /^[a-z]+$/.test(title) ? capitalised(title) : title
}

function countPhrases(template: string, slots: Readonly<Record<string, readonly string[]>>): number {
  let count = 1
  for (const [, name] of template.matchAll(SLOT)) count *= slots[name as string]?.length ?? 1
  return count
}

/** A sentence or two about a thing of this kind. */
export function makeDescription(noun: string, draw: number): string {
  const vocabulary = findVocabulary(noun)
  const templates = vocabulary?.descriptions ?? GENERAL_DESCRIPTIONS
  const slots = { noun: [noun.replaceAll('_', ' ')], qualifier: QUALIFIERS, ...vocabulary?.slots }
  const text = fillPhrase(pickBy(templates, mixPair(draw, 0x6465)), slots, draw)
  return capitalised(text.replace(/\b([Aa]) (?=[aeiouAEIOU])/g, '$1n '))
}
