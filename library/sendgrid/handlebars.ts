import { isJsonObject, type Json, readPath } from '../../src/protocol/json.ts'

/** Most loop iterations in one text: enough for every mail, and an end for nested loops. */
const MOST_PASSES = 10_000
/** Deepest nesting of blocks; deeper ones are omitted. */
const MOST_DEPTH = 50
/** Most characters of a filled text: it may use a fact of 1 MB a million times. */
const MOST_FILLED = 2_000_000
// A comment ends where another begins, so that the search for its end is bounded.
const TAG = /\{\{!--(?:(?!\{\{!--)[\s\S])*?--\}\}|\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}/g
const WORD = /"[^"]*"|'[^']*'|[^\s"']+/g
const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** The context of a text: accessible facts, the nearest last, and the loop's variables. */
interface Place {
  readonly reach: readonly Json[]
  readonly loop: Readonly<Record<string, Json>>
  readonly passes: { left: number }
  /** Characters that the text may still have. */
  readonly rest: { left: number }
}

type Part = string | { readonly words: readonly string[]; readonly isRaw: boolean } | Block
interface Block {
  readonly name: string
  readonly words: readonly string[]
  readonly parts: Part[]
  readonly depth: number
  otherwise?: Part[]
}

/** Conditions of blocks, by name, over resolved arguments. */
const CONDITIONS: Readonly<Record<string, (given: readonly Json[]) => boolean>> = {
  if: ([one]) => isTrue(one),
  unless: ([one]) => !isTrue(one),
  and: ([one, other]) => isTrue(one) && isTrue(other),
  or: ([one, other]) => isTrue(one) || isTrue(other),
  equals: ([one, other]) => textOf(one) === textOf(other),
  notEquals: ([one, other]) => textOf(one) !== textOf(other),
  greaterThan: ([one, other]) => Number(one) > Number(other),
  lessThan: ([one, other]) => Number(one) < Number(other),
}

/** Fills a text's tags like Handlebars: names and paths, conditions, loops, and SendGrid's further helpers. */
export function renderHandlebars(text: string, facts: Json): string {
  const whole: Part[] = []
  const open: { block: Block; readonly outer: Part[] }[] = []
  let into = whole
  let last = 0
  for (const found of text.matchAll(TAG)) {
    into.push(text.slice(last, found.index))
    last = found.index + found[0].length
    const words = (found[1] ?? found[2] ?? '').match(WORD) ?? []
    const [first = '', second, ...others] = words
    if (first === '' || first.startsWith('!')) continue
    const inner = open.at(-1)
    if (first.startsWith('#')) {
      const block: Block = { name: first.slice(1), words: words.slice(1), parts: [], depth: depthBelow(inner?.block) }
      if (block.depth <= MOST_DEPTH) into.push(block)
      open.push({ block, outer: into })
      into = block.parts
    } else if (first.startsWith('/')) into = open.pop()?.outer ?? whole
    else if (first === 'else' && inner !== undefined) {
      into = inner.block.otherwise = []
      if (second === undefined) continue
      // `{{else if paid}}` is an inner block, which ends with the outer one.
      inner.block = { name: second, words: others, parts: [], depth: depthBelow(inner.block) }
      if (inner.block.depth <= MOST_DEPTH) into.push(inner.block)
      into = inner.block.parts
    } else into.push({ words, isRaw: found[1] !== undefined })
  }
  into.push(text.slice(last))
  return render(whole, { reach: [facts], loop: {}, passes: { left: MOST_PASSES }, rest: { left: MOST_FILLED } })
}

const depthBelow = (block: Block | undefined): number => (block?.depth ?? 0) + 1

function render(parts: readonly Part[], place: Place): string {
  let text = ''
  for (const part of parts) {
    if (place.rest.left <= 0) break
    if (typeof part === 'string') text += taken(place, part)
    else if ('parts' in part) text += renderBlock(part, place)
    else {
      const filled = textOf(tagValue(part.words, place))
      text += taken(place, part.isRaw ? filled : filled.replace(/[&<>"']/g, (letter) => ESCAPED[letter] ?? letter))
    }
  }
  return text
}

/** The part of a text that may still be added. Empty parts count too. */
function taken({ rest }: Place, text: string): string {
  const part = text.slice(0, Math.max(0, rest.left))
  rest.left -= part.length + 1
  return part
}

function renderBlock({ name, words, parts, otherwise = [] }: Block, place: Place): string {
  const given = words.map((word) => lookUp(word, place))
  const { [name]: condition } = CONDITIONS
  if (Object.hasOwn(CONDITIONS, name)) return render(condition?.(given) ? parts : otherwise, place)
  const [subject = null] = given
  if (name === 'with') return isTrue(subject) ? render(parts, within(place, subject)) : render(otherwise, place)
  if (name !== 'each') return render(parts, place)
  const items = Object.entries(isJsonObject(subject) || Array.isArray(subject) ? subject : {})
  if (items.length === 0) return render(otherwise, place)
  return items
    .map(([key, item], at) => {
      if (place.passes.left-- <= 0 || place.rest.left <= 0) return ''
      const loop = { '@index': at, '@key': key, '@first': at === 0, '@last': at === items.length - 1 }
      return render(parts, { ...within(place, item), loop })
    })
    .join('')
}

const within = (place: Place, facts: Json): Place => ({ ...place, reach: [...place.reach, facts] })

/** The value of a tag: a name, or a helper with its arguments. */
function tagValue([first = '', ...rest]: readonly string[], place: Place): Json {
  const given = rest.map((word) => lookUp(word, place))
  if (first === 'insert') {
    const found = given[0] ?? null
    return found === null || found === '' ? textOf(given[1]).replace(/^default=/, '') : found
  }
  if (first === 'length') return Array.isArray(given[0]) ? given[0].length : textOf(given[0]).length
  if (first === 'formatDate') return formatted(textOf(given[0]), textOf(given[1]))
  return lookUp(first, place)
}

/** A literal, or the value at a path: from the nearest facts, with `../` from outer ones. */
function lookUp(word: string, { reach, loop }: Place): Json {
  if (/^["']/.test(word)) return word.slice(1, -1)
  if (/^-?\d+(\.\d+)?$/.test(word)) return Number(word)
  if (word === 'true' || word === 'false') return word === 'true'
  if (word.startsWith('@root')) return readPath(reach[0], pathOf(word.slice('@root'.length))) ?? null
  if (word.startsWith('@')) return loop[word] ?? null
  const up = word.match(/\.\.\//g)?.length ?? 0
  const facts = reach[Math.max(reach.length - 1 - up, 0)]
  return readPath(facts, pathOf(word.slice(3 * up).replace(/^this\b\.?|^\.\/?/, ''))) ?? null
}

const pathOf = (text: string): string[] => text.split(/[./[\]]+/).filter(Boolean)

/** Truth in Handlebars. */
const isTrue = (value: Json | undefined): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

const textOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(textOf).join(',') : isJsonObject(value) ? '[object Object]' : String(value)
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** A time in a format such as `MMMM DD, YYYY h:mm:ss A`, in UTC. */
function formatted(time: string, form: string): string {
  const date = new Date(/^\d+$/.test(time) ? Number(time) : time)
  if (Number.isNaN(date.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const [year, month, day, hours] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()]
  const [monthName = '', dayName = ''] = [MONTHS[month], DAYS[date.getUTCDay()]]
  const values: Readonly<Record<string, string>> = {
    YYYY: String(year),
    YY: two(year % 100),
    MMMM: monthName,
    MMM: monthName.slice(0, 3),
    MM: two(month + 1),
    M: String(month + 1),
    DD: two(day),
    D: String(day),
    dddd: dayName,
    ddd: dayName.slice(0, 3),
    HH: two(hours),
    H: String(hours),
    hh: two(hours % 12 || 12),
    h: String(hours % 12 || 12),
    mm: two(date.getUTCMinutes()),
    ss: two(date.getUTCSeconds()),
    A: hours < 12 ? 'AM' : 'PM',
    a: hours < 12 ? 'am' : 'pm',
    Z: '+00:00',
  }
  return form.replace(/Y{4}|YY|M{1,4}|DD?|d{3,4}|HH?|hh?|mm|ss|A|a|Z/g, (part) => values[part] ?? part)
}
