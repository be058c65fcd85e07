/** Longer names are cut. */
const MAX_NAME = 300

/**
 * The words of a name in lower case, for any usual spelling and alphabet: `customFieldSettings`, `pull-requests`,
 * `URLParser`, `Aufträge`.
 */
export function wordsOf(name: string): string[] {
  const text = name.slice(0, MAX_NAME)
  return isPlain(text)
    ? (text.match(PLAIN_WORD) ?? []).map((word) => word.toLowerCase())
    : anyWordsOf(text.normalize('NFC'))
}

/** `custom_field_settings` */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_')
}

/**
 * The letters and digits of a name in lower case, for comparing names in different spellings: `createdAt`, `created_at`
 * and `Created-At` give `createdat`. A name without letters and digits stays.
 */
export function foldName(name: string): string {
  const known = FOLDED.get(name)
  if (known !== undefined) return known
  const folded = fold(name)
  if (isRemembered(name, FOLDED)) FOLDED.set(name, folded)
  return folded
}

/** Folded names, since a description repeats the same few thousand names; see decisions/module-state.md. */
const FOLDED = new Map<string, string>()
const MOST_REMEMBERED = 10_000

/** Whether the result for a name may be cached in `known`, which is cleared when it is full. */
export function isRemembered(name: string, known: Map<string, string>): boolean {
  if (known.size >= MOST_REMEMBERED) known.clear()
  return name.length <= MAX_NAME
}

function fold(name: string): string {
  const text = name.slice(0, MAX_NAME)
  const folded = isPlain(text)
    ? text.replace(/[^a-zA-Z\d]+/g, '')
    : text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return folded === '' ? name : folded.toLowerCase()
}

/** A label for addresses, with lower-case ASCII letters, digits and hyphens: `Task tracker · 2` becomes `task-tracker-2`. */
export function slugOf(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '')
}

/** `text` with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Nearly all names are ASCII, and Unicode's classes take 2 ms to load. */
function isPlain(name: string): boolean {
  return /^[ -~]*$/.test(name)
}

/** Capitals before the start of the next word (`URL` of `URLParser`), else capitals with the letters that follow (`APKs`). */
const PLAIN_WORD = /[A-Z]+(?=[A-Z](?!s(?![a-z]))[a-z])|[A-Z]*[a-z\d]+|[A-Z]+/g

function anyWordsOf(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The parts of a list that is written as one text: `blue | dark red`. */
export const phrases = (text: string): string[] => text.split('|').map((phrase) => phrase.trim())
