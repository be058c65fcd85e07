import type { Fields } from '../shared/values.ts'
import { textsOf } from './records.ts'

/** What a qualifier of a search asks of an item, by its name. */
export type Qualifiers<T> = Readonly<Record<string, (item: T, value: string) => boolean>>

/** Several repositories, owners, authors or languages are alternatives; all else must be true. */
const EITHER = [['repo', 'user', 'org'], ['author'], ['language']]

/** Whether an item has all qualifiers of a search, and none of those after `-`. */
export const fits = <T>(item: T, terms: Fields, tests: Qualifiers<T>): boolean =>
  EITHER.every((names) => {
    const given = names.flatMap((name) => textsOf(terms[name]).map((value) => tests[name]?.(item, value)))
    return given.length === 0 || given.includes(true)
  }) &&
  Object.entries(withoutTexts(terms)).every(([name, values]) => {
    const test = tests[name.replace(/^-/, '')]
    return (
      EITHER.flat().includes(name) || textsOf(values).every((value) => test?.(item, value) === !name.startsWith('-'))
    )
  })

/** The qualifiers of a search. */
const withoutTexts = ({ words, without, sort, in: places, ...qualifiers }: Fields): Fields => qualifiers

/** Why a search is refused: it has a qualifier that is not known; undefined where it has none. */
export function faultOf<T>(terms: Fields, tests: Qualifiers<T>): string | undefined {
  const unknown = Object.keys(withoutTexts(terms)).find((name) => tests[name.replace(/^-/, '')] === undefined)
  return (
    unknown && `backlot does not search by "${unknown.replace(/^-/, '')}:". It knows ${Object.keys(tests).join(', ')}.`
  )
}

/** Whether a text has all words of a search, and none of those after `NOT`. */
export function hasWords(text: string, { words, without }: Fields): boolean {
  const key = text.toLowerCase()
  return textsOf(words).every((word) => key.includes(word)) && !textsOf(without).some((word) => key.includes(word))
}

/** The texts in which `in:title,body` looks; all without it. */
export const placesOf = (terms: Fields, texts: Readonly<Record<string, string>>): string => {
  const places = textsOf(terms.in).flatMap((place) => place.split(','))
  return (places.length === 0 ? Object.keys(texts) : places).map((place) => texts[place] ?? '').join('\n')
}

/** Whether a time or a number is in `>=2024-01-01`, `1..5`, `<10` or `2024-01-01`, which is a whole day. */
export function isWithin(value: string | number, range: string): boolean {
  const [, sign = '', from = '', upto] = /^([<>]=?)?(.*?)(?:\.\.(.*))?$/.exec(range) ?? []
  const compared = (end: string) => {
    if (typeof value === 'number') return value - Number(end)
    const part = value.slice(0, end.replace(/\+00:00$/, 'Z').length)
    return part < end ? -1 : Number(part > end)
  }
  if (upto !== undefined) return (from === '*' || compared(from) >= 0) && (upto === '*' || compared(upto) <= 0)
  if (sign === '') return compared(from) === 0
  return (
    (sign.endsWith('=') && compared(from) === 0) || (sign.startsWith('>') ? compared(from) > 0 : compared(from) < 0)
  )
}
