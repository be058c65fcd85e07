import {
  COUNT,
  DONE,
  FIRST_LINK,
  HOLDER,
  LAST_LINK,
  LIMIT,
  MORE,
  NEXT_CURSOR,
  NEXT_LINK,
  NEXT_OFFSET,
  NEXT_PAGE,
  OFFSET,
  PAGE,
  PAGES,
  PREVIOUS_CURSOR,
  PREVIOUS_FLAG,
  PREVIOUS_LINK,
  PREVIOUS_PAGE,
  SELF_LINK,
  TOTAL,
} from '../../../names/paging-words.ts'
import { foldName } from '../../../names/words.ts'
import { type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import { type Fill, type Level, type LevelField, plainWord } from '../presentation/envelope-writer.ts'
import { toPlace } from './page.ts'
import type { PageFacts } from './page-facts.ts'

const MAX_DEPTH = 4

/** A field's value for a page; undefined without one. */
type Word = (facts: PageFacts) => Json | undefined

/** Values of fields next to the records of lists: the kind of value is found once for each field. */
export class PageWords {
  readonly #words = new Map<LevelField, Word>()
  readonly #headers = new Map<Operation, ReturnType<typeof headersOf>>()

  /** Fills the fields next to a list. */
  fill(facts: PageFacts): Fill {
    return (field, level) => {
      const known = this.#words.get(field)
      if (known !== undefined) return known(facts)
      const word = wordOf(field, level)
      this.#words.set(field, word)
      return word(facts)
    }
  }

  /** The headers of a list: the declared ones, and `Link` where no other part has the next page. */
  headers(operation: Operation, facts: PageFacts): Record<string, string> {
    const headers = this.#headers.get(operation) ?? headersOf(operation)
    this.#headers.set(operation, headers)
    return headers(facts)
  }
}

function wordOf({ name, schema }: LevelField, { fields, next }: Level): Word {
  const hasTotal = fields.some((field) => TOTAL.test(foldName(field.name)) && isNumeric(field.schema))
  const names = fields.map((field) => field.name)
  const around = { next, hasTotal, depth: 0, isLinks: holdsLinks(names), isCounted: isCounted(names) }
  if (schema !== undefined) return fieldWord(name, schema, around)
  const folded = foldName(name)
  return firstOf([numberWord(folded, around), flagWord(folded)])
}

/** The context of a field. */
interface Surroundings {
  /** Name of the field that holds the list. */
  readonly next: string
  readonly hasTotal: boolean
  readonly depth: number
  /** Whether `next` and similar fields are addresses here, not cursors. */
  readonly isLinks: boolean
  readonly isCounted: boolean
}

/** `from: 4, to: 6` of Laravel and of Rails' pagy: the first and the last record, counted from 1. */
const isCounted = (names: readonly string[]): boolean => names.includes('from') && names.includes('to')

function firstOf(words: readonly (Word | undefined)[], schema?: Schema): Word {
  return (facts) => {
    for (const word of words) {
      const value = word?.(facts)
      if (value !== undefined && (schema === undefined || fits(schema, value))) return value
    }
    return undefined
  }
}

function fieldWord(name: string, schema: Schema, around: Surroundings): Word {
  const folded = foldName(name)
  const word = firstOf(words(folded, schema, around), schema)
  if (around.depth >= MAX_DEPTH || !HOLDER.test(folded) || !isObject(schema)) return word
  const stored = holderWord(folded, schema, around)
  return (facts) => stored(facts) ?? word(facts)
}

/** `meta: { total }`, `links: { next: { href } }`: null or omitted where the page does not exist. */
function holderWord(name: string, schema: Schema, around: Surroundings): Word {
  const [isNext, isPrevious] = [/^next/.test(name), /^prev/.test(name)]
  const object = schema.variants?.find(isObject) ?? schema
  const hasTotal = [...object.properties].some(([field, type]) => TOTAL.test(foldName(field)) && isNumeric(type))
  const names = [...object.properties.keys()]
  const isLinks = /^_?links?$/.test(name) || (!/cursors?$/.test(name) && holdsLinks(names))
  const inner = { ...around, hasTotal, depth: around.depth + 1, isLinks, isCounted: isCounted(names) }
  const link = linkWord(name)
  const fields = [...object.properties].map(([field, type]) => ({
    field,
    type,
    link: isLinkField(field) ? link : undefined,
    word: fieldWord(field, type, inner),
  }))
  return (facts) => {
    const isGone = (isNext && !facts.hasMore) || (isPrevious && !facts.hasPrevious)
    if (isGone) return fits(schema, null) ? null : undefined
    const stored: JsonObject = {}
    for (const { field, type, link, word } of fields) {
      const cursor = isNext && isAfter(field, facts) ? facts.lastCursor : undefined
      const own = link?.(facts) ?? cursor ?? word(facts)
      const value = own === undefined ? plainWord(field, type) : own
      if (value === '' && !object.required.has(field)) continue
      if (value !== undefined && fits(type, value)) setOwn(stored, field, value)
    }
    return Object.keys(stored).length > 0 || fits(schema, stored) ? stored : undefined
  }
}

/** `next: { page }`, where `page` is the parameter with a cursor. */
const isAfter = (name: string, { paging: { after } }: PageFacts): boolean =>
  after !== undefined && foldName(after) === foldName(name)

/** With fields for both directions, or for the ends, `next` is an address. */
const holdsLinks = (names: readonly string[]): boolean =>
  names.some((name) => /^next$/i.test(name)) && names.some((name) => /^(previous|prev|first|last|self)$/i.test(name))

const isLinkField = (name: string): boolean => /^(href|url|uri)$/i.test(name)

/** The target of a link. */
type LinkWord = (facts: PageFacts) => string | undefined

/** The target of a link object: `next: { href }`. */
function linkWord(holder: string): LinkWord | undefined {
  return directionOf(holder) ?? (holder === 'self' ? ({ links }) => links.self : undefined)
}

function directionOf(name: string): LinkWord | undefined {
  if (NEXT_LINK.test(name)) return ({ links }) => links.next
  if (PREVIOUS_LINK.test(name)) return ({ links }) => links.previous
  if (FIRST_LINK.test(name)) return ({ links }) => links.first
  return LAST_LINK.test(name) ? ({ links }) => links.last : undefined
}

function words(name: string, schema: Schema, around: Surroundings): (Word | undefined)[] {
  const ofPage = around.isCounted && isNumeric(schema) && /^(from|to)$/.test(name)
  return [
    // The address of the list, to which clients of Laravel add a query.
    around.isCounted && name === 'path' ? ({ links }) => links.self.split('?')[0] : undefined,
    ofPage && schema.nullable ? ({ count }) => (count === 0 ? null : undefined) : undefined,
    isNumeric(schema) || (schema.types.length === 0 && TOTAL.test(name)) ? numberWord(name, around) : undefined,
    schema.types.includes('boolean') ? flagWord(name) : undefined,
    ...(isText(schema) ? textWords(name, schema, around) : []),
    /^_?links?$/.test(name) ? linksWord(schema.items) : undefined,
    schema.types.length === 0 || schema.nullable ? emptyWord(name) : undefined,
  ]
}

/** `links: [{ rel: 'next', uri }]`: the pages that there are. */
function linksWord(item: Schema | undefined): Word | undefined {
  const target = [...(item?.properties.keys() ?? [])].find(isLinkField)
  if (item === undefined || target === undefined) return undefined
  if (item.properties.has('label') && item.properties.has('active')) return numberedLinks
  if (!item.properties.has('rel')) return undefined
  return ({ links: { self, first, previous: prev, next, last } }) => {
    const all = Object.entries({ self, first, next, last, prev }).flatMap(([rel, url]) =>
      url === undefined ? [] : [{ rel, [target]: url }],
    )
    return all.filter((link) => fits(item, link))
  }
}

/** The buttons of Laravel's paginator: « Previous, 1, 2, Next » (https://laravel.com/docs/pagination#converting-results-to-json). */
function numberedLinks({ links, page, pages }: PageFacts): Json {
  const numbers = Array.from({ length: pages }, (_, at) => at + 1)
  const near = numbers.filter((one) => one < 3 || one > pages - 2 || Math.abs(one - page.number) < 4 || pages < 14)
  const shown = near.flatMap((one, at) => {
    const button = { url: links.at(one), label: `${one}`, active: one === page.number }
    return one - (near[at - 1] ?? 0) > 1 ? [{ url: null, label: '...', active: false }, button] : [button]
  })
  const way = (url: string | undefined, label: string) => ({ url: url ?? null, label, active: false })
  return [way(links.previous, '&laquo; Previous'), ...shown, way(links.next, 'Next &raquo;')]
}

const limitOf = ({ page: { limit }, count }: PageFacts): number => (Number.isFinite(limit) ? limit : count)

function numberWord(
  name: string,
  { hasTotal, isCounted }: Pick<Surroundings, 'hasTotal' | 'isCounted'>,
): Word | undefined {
  if (isCounted && name === 'from') return ({ page, count }) => (count === 0 ? 0 : page.offset + 1)
  if (TOTAL.test(name)) return ({ total }) => total
  if (name === 'results') return ({ count }) => count
  if (COUNT.test(name)) return ({ page, count, total }) => (hasTotal || !Number.isFinite(page.limit) ? count : total)
  if (LIMIT.test(name)) return limitOf
  if (NEXT_OFFSET.test(name)) return (facts) => (facts.hasMore ? facts.page.offset + limitOf(facts) : undefined)
  if (OFFSET.test(name)) return ({ page }) => page.offset
  if (PAGES.test(name)) return ({ pages }) => pages
  if (PAGE.test(name)) return ({ page }) => page.number
  const isNextPage = NEXT_PAGE.test(name)
  const isNextCursor = NEXT_CURSOR.test(name)
  if (isNextPage || isNextCursor) {
    return ({ page, count, hasMore }) => {
      const isCursor = page.style === 'cursor'
      if (!hasMore || !(isCursor ? isNextCursor : isNextPage)) return undefined
      return isCursor ? toPlace(page.offset + count) : page.number + 1
    }
  }
  if (PREVIOUS_PAGE.test(name)) return ({ page, hasPrevious }) => (hasPrevious ? page.number - 1 : undefined)
  return name === 'end' || name === 'to' ? ({ page, count }) => page.offset + count : undefined
}

function flagWord(name: string): Word | undefined {
  // "More" is in the requested direction, as for Stripe, Anthropic and OpenAI; "next" is not.
  if (MORE.test(name))
    return ({ hasMore, hasPrevious, page }) =>
      page.before !== undefined && page.after === undefined && !name.includes('next') ? hasPrevious : hasMore
  if (PREVIOUS_FLAG.test(name)) return ({ hasPrevious }) => hasPrevious
  if (DONE.test(name)) return ({ hasMore }) => !hasMore
  if (name === 'first' || name === 'isfirst') return ({ hasPrevious }) => !hasPrevious
  if (name === 'paged' || name === 'unpaged') return () => name === 'paged'
  return name === 'empty' ? ({ count }) => count === 0 : undefined
}

function textWords(name: string, schema: Schema, { next, isLinks }: Surroundings): (Word | undefined)[] {
  const own: Word | undefined = name === 'key' ? () => next : name === 'object' ? () => 'list' : undefined
  const nothing = schema.nullable ? null : ''
  const isOwnAddress = /ur[il]|href|link/.test(name) || /^ur[il]/.test(schema.format ?? '') || isAboutAddress(schema)
  const isAddress = isOwnAddress || (isLinks && !/\bcursor\b/i.test(schema.description ?? ''))
  const address = isAddress || /^(first|self|last)$/.test(name) ? addressWord(name, schema) : undefined
  const isNext = NEXT_CURSOR.test(name)
  const isPrevious = PREVIOUS_CURSOR.test(name)
  if (isAddress) {
    const leadsOn = NEXT_LINK.test(name) || PREVIOUS_LINK.test(name)
    const cursor = leadsOn && !isOwnAddress ? cursorOf(name, nothing) : undefined
    return [own, cursor, address, leadsOn ? () => nothing : undefined]
  }
  return [
    own,
    address,
    name === 'firstid' ? ({ firstKey }) => firstKey : undefined,
    name === 'lastid' ? ({ lastKey }) => lastKey : undefined,
    isNext ? ({ hasMore, lastCursor }) => (hasMore ? lastCursor : undefined) : undefined,
    isPrevious ? ({ hasPrevious, firstCursor }) => (hasPrevious ? firstCursor : undefined) : undefined,
    // `format: uuid` takes no cursor of ours; the key of a record is one too.
    isNext && schema.format ? ({ hasMore, lastKey }) => (hasMore ? lastKey : undefined) : undefined,
    isPrevious && schema.format ? ({ hasPrevious, firstKey }) => (hasPrevious ? firstKey : undefined) : undefined,
    TOTAL.test(name) ? ({ total }) => String(total) : undefined,
    LIMIT.test(name) ? ({ page }) => String(page.limit) : undefined,
    PAGE.test(name) ? ({ page }) => String(page.number) : undefined,
    isNext || isPrevious ? () => nothing : undefined,
  ]
}

/** `next` and `prev` where the parameters have these names: cursors for them, no addresses. */
const cursorOf =
  (name: string, nothing: '' | null): Word =>
  ({ paging, hasMore, hasPrevious, firstCursor, lastCursor }) => {
    if (foldName(paging.after ?? '') === name) return hasMore ? lastCursor : nothing
    if (foldName(paging.before ?? '') === name) return hasPrevious ? firstCursor : nothing
    return undefined
  }

function addressWord(name: string, schema: Schema): Word | undefined {
  const isSelf = SELF_LINK.test(name)
  const lead = directionOf(name) ?? (isSelf ? ({ links }: PageFacts) => links.self : undefined)
  if (lead === undefined) return undefined
  const isPath = name === 'path' && !/^ur[il]$/.test(schema.format ?? '')
  return (facts) => {
    const link = lead(facts)
    const shown = link ?? (isSelf ? facts.links.self : undefined)
    return link !== undefined && isPath ? facts.path : shown
  }
}

function emptyWord(name: string): Word {
  const isNext = NEXT_CURSOR.test(name) || NEXT_LINK.test(name) || NEXT_PAGE.test(name) || NEXT_OFFSET.test(name)
  const isPrevious = PREVIOUS_CURSOR.test(name) || PREVIOUS_LINK.test(name) || PREVIOUS_PAGE.test(name)
  return ({ hasMore, hasPrevious }) => ((isNext && !hasMore) || (isPrevious && !hasPrevious) ? null : undefined)
}

/** Whether a text is an address, by its example or description. */
function isAboutAddress({ example, description }: Schema): boolean {
  if (typeof example === 'string') return /^(https?:\/\/|\/)/.test(example)
  return /\bur[il]\b|\blink to\b/i.test(description ?? '')
}

const isNumeric = (schema: Schema | undefined): boolean =>
  schema?.types.some((type) => type === 'integer' || type === 'number') === true
const isText = (schema: Schema): boolean =>
  schema.types.includes('string') ||
  schema.types.length === 0 ||
  schema.variants?.some((one) => one.types.includes('string')) === true
const isObject = (schema: Schema): boolean =>
  schema.properties.size > 0 || schema.variants?.some((variant) => variant.properties.size > 0) === true

/** A header's value for a page; undefined or empty without one. */
type HeaderWord = (facts: PageFacts) => string | undefined

/** Writes the headers of an operation's lists: the declared ones, and `Link` where no other part has the next page. */
function headersOf(operation: Operation): (facts: PageFacts) => Record<string, string> {
  const words = [...operation.success.headers.keys()].flatMap((name) => {
    const word = headerWord(name)
    return word === undefined ? [] : [{ name: toWireName(name), word }]
  })
  const hasPlace = hasPlaceForNext(operation)
  return (facts) => {
    const headers: Record<string, string> = {}
    for (const { name, word } of words) {
      const value = word(facts)
      if (value !== undefined && value !== '') headers[name] = value
    }
    const isBare = Object.keys(headers).length === 0
    if (isBare && !hasPlace && facts.hasMore && facts.page.style === 'cursor') headers.Link = linkHeader(facts)
    return headers
  }
}

/** Whether a field of the body can hold the next page. An answer without a list has no next page. */
function hasPlaceForNext({ effect, success }: Operation): boolean {
  if (!('envelope' in effect) || effect.envelope.shape !== 'list') return true
  const [list] = effect.envelope.path
  const body = [...success.content.values()].find(({ schema }) => schema)?.schema
  const beside = [...(body?.fields ?? [])].filter(([name]) => name !== list)
  return beside.some(([name, schema]) => leadsOn(foldName(name)) || (HOLDER.test(foldName(name)) && mayLeadOn(schema)))
}

const leadsOn = (folded: string): boolean => NEXT_CURSOR.test(folded) || NEXT_LINK.test(folded)

/** Whether an object about a page may hold the way on: `_links: { self }` says all that it holds. */
function mayLeadOn({ fields }: Schema): boolean {
  const names = [...fields.keys()].map(foldName)
  return names.length === 0 || names.some((name) => name !== 'self')
}

/** Whether a header of a list says something about its page. */
export const isPageHeader = (name: string): boolean => headerWord(name) !== undefined

function headerWord(written: string): HeaderWord | undefined {
  const name = foldName(written).replace(/^x?(pagination)?/, '')
  if (name === 'link') return linkHeader
  if (TOTAL.test(name) || name === 'count') return ({ total }) => String(total)
  if (PAGE.test(name)) return ({ page }) => String(page.number)
  if (PAGES.test(name)) return ({ pages }) => String(pages)
  if (LIMIT.test(name)) return ({ page }) => (Number.isFinite(page.limit) ? String(page.limit) : undefined)
  if (OFFSET.test(name)) return ({ page }) => String(page.offset)
  if (MORE.test(name)) return ({ hasMore }) => String(hasMore)
  if (NEXT_PAGE.test(name)) return ({ page, hasMore }) => (hasMore ? String(page.number + 1) : '')
  if (PREVIOUS_PAGE.test(name)) return ({ page, hasPrevious }) => (hasPrevious ? String(page.number - 1) : '')
  if (NEXT_CURSOR.test(name)) return ({ hasMore, lastCursor }) => (hasMore ? lastCursor : '')
  return NEXT_LINK.test(name) ? ({ links }) => links.next : undefined
}

/** RFC 8288: `<https://...?page=2>; rel="next"`. */
function linkHeader({ links }: PageFacts): string {
  const named = {
    prev: links.previous,
    next: links.next,
    last: links.next && links.last,
    first: links.previous && links.first,
  }
  return Object.entries(named)
    .filter(([, url]) => url !== undefined)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
}

const toWireName = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
