import { foldName } from '../../../names/words.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { Fill, Level } from '../presentation/envelope-writer.ts'
import { plainWord } from '../presentation/plain-words.ts'
import type { ListFacts } from './list-facts.ts'
import { toPlace } from './page.ts'

const TOTAL =
  /^(total|totals|totalcount|totalitems|totalresults|totalrecords|totalelements|totalentries|totalsize|totalhits|totalrows|totaldocs|totalobjects|numfound|recordcount|recordstotal|recordsfiltered|itemstotal|itemcount|resultcount|resultscount|counttotal|hits|totalmatching|totalavailable|nbhits|found|available)$/
const COUNT =
  /^(count|currentcount|numberofelements|pageitems|pageitemcount|itemsonpage|returned|returnedcount|length|resultsize|fetched|num|numitems)$/
const MORE =
  /^(hasmore|more|hasnext|hasnextpage|moreresults|hasmoreitems|moreitems|hasmoreresults|ismore|moreavailable|hasadditionalresults|istruncated|truncated|moredata|hasmorepages|pagehasnext)$/
const DONE = /^(done|last|islast|lastpage|islastpage|end|endoflist|complete|nomore|finished)$/
const PREVIOUS_FLAG = /^(hasprevious|hasprev|haspreviouspage|hasprevpage|hasbefore)$/
const LIMIT =
  /^(limit|pagesize|perpage|itemsperpage|resultsperpage|pagelimit|maxresults|size|take|pagelength|limitperpage|recordsperpage|top)$/
const OFFSET = /^(offset|skip|startindex|startat|startoffset|from|start|pageoffset|startposition)$/
const PAGE = /^(page|currentpage|pagenumber|pageno|pageindex|number|pagenum|thispage|current)$/
const PAGES =
  /^(totalpages|pagecount|pages|numpages|lastpage|pagetotal|pagescount|numberofpages|totalpage|pagenum|last)$/
const NEXT_PAGE = /^(next|nextpage|nextpagenumber)$/
const PREVIOUS_PAGE = /^(prev|previous|prevpage|previouspage)$/
const NEXT_OFFSET = /^(nextoffset|nextstart|nextpageoffset|nextskip)$/
const NEXT_LINK =
  /^(next|nextlink|nextpage|nexturl|nextpageurl|nextpageuri|nexturi|odatanextlink|nexthref|nextpagelink|more)$/
const PREVIOUS_LINK =
  /^(prev|previous|prevlink|previouslink|previouspage|prevpage|prevurl|previousurl|previouspageurl|prevpageurl|previouspageuri|previousuri|previouspagelink)$/
const FIRST_LINK = /^(first|firstlink|firstpage|firstpageurl|firstpageuri|firsturl|firstpagelink)$/
const LAST_LINK = /^(last|lastlink|lastpage|lastpageurl|lastpageuri|lasturl|lastpagelink)$/
const SELF_LINK = /^(self|url|uri|href|link|selflink|requesturl|folded|currentpageurl|path)$/
const NEXT_CURSOR =
  /^(nextcursor|cursor|nexttoken|nextpagetoken|pagetoken|after|endcursor|continuationtoken|nextpagecursor|iterator|nextiterator|startingafter|nextid|bookmark|scrollid|nextkey|lastkey|lastid|nextmarker|marker|nextpageid|continuation|continue|nextpage|next|offset|aftercursor|lastevaluatedkey|nextrecord|pagingtoken|nextpagekey|lastcursor)$/
const PREVIOUS_CURSOR =
  /^(prevcursor|previouscursor|before|startcursor|previtertor|previterator|endingbefore|previouspagetoken|prevpagetoken|prevtoken|previoustoken|firstid|beforecursor|firstcursor|previous|prev)$/
/** Objects that hold the paging of a list. */
const HOLDER =
  /^(meta|metadata|responsemetadata|paging|pagination|pages|page|links|link|cursors|cursor|pageinfo|info|nextpage|next|prev|previous|first|last|self|listmetadata|listmeta|pager|resultset|resultinfo|pagingmetadata|paginationmeta|_links|_meta|after|before|summary)$/

const MAX_DEPTH = 4

/** Fills the fields beside a list with what is true of it. */
export function pageWords(facts: ListFacts): Fill {
  let last: Level | undefined
  let around: Surroundings | undefined
  return ({ name, schema, level }) => {
    if (around === undefined || level !== last) around = surroundingsOf(facts, level)
    last = level
    if (schema !== undefined) return fieldWord(name, schema, around)
    const folded = foldName(name)
    return [...numberWords(folded, facts, around.hasTotal), ...flagWords(folded, facts)][0]
  }
}

function surroundingsOf(facts: ListFacts, { fields, next }: Level): Surroundings {
  const hasTotal = fields.some(({ name, schema }) => TOTAL.test(foldName(name)) && isNumeric(schema))
  return { facts, next, hasTotal, depth: 0, isLinks: holdsLinks(fields.map(({ name }) => name)) }
}

interface Surroundings {
  readonly facts: ListFacts
  /** Name of the field that holds the list. */
  readonly next: string
  readonly hasTotal: boolean
  readonly depth: number
  /** Whether `next` and the like are addresses here, not cursors. */
  readonly isLinks: boolean
}

function fieldWord(name: string, schema: Schema, around: Surroundings): Json | undefined {
  const folded = foldName(name)
  if (around.depth < MAX_DEPTH && HOLDER.test(folded) && isObject(schema)) {
    const held = holderWord(folded, schema, around)
    if (held !== undefined) return held
  }
  for (const word of words(folded, schema, around)) if (fits(schema, word)) return word
  return undefined
}

/** `meta: { total }`, `links: { next: { href } }`: null or left out where it would lead to a page that is not there. */
function holderWord(name: string, schema: Schema, around: Surroundings): Json | undefined {
  const { facts } = around
  const isGone = (/^next/.test(name) && !facts.hasMore) || (/^prev/.test(name) && !facts.hasPrevious)
  if (isGone) return fits(schema, null) ? null : undefined
  const object = schema.variants?.find(isObject) ?? schema
  const hasTotal = [...object.properties].some(([field, type]) => TOTAL.test(foldName(field)) && isNumeric(type))
  const isLinks = /^_?links?$/.test(name) || holdsLinks([...object.properties.keys()])
  const held: JsonObject = {}
  for (const [field, type] of object.properties) {
    const link = isLinkField(field) ? linkOf(name, facts) : undefined
    const own = link ?? fieldWord(field, type, { ...around, hasTotal, depth: around.depth + 1, isLinks })
    const word = own === undefined ? plainWord(field, type) : own
    if (word === '' && !object.required.has(field)) continue
    if (word !== undefined && fits(type, word)) held[field] = word
  }
  return fits(schema, held) ? held : undefined
}

/** Fields for both directions, or to the ends: `next` is an address there. */
const holdsLinks = (names: readonly string[]): boolean =>
  names.some((name) => /^next$/i.test(name)) && names.some((name) => /^(previous|prev|first|last|self)$/i.test(name))

const isLinkField = (name: string): boolean => /^(href|url|uri)$/i.test(name)

/** Where the object of a link leads: `next: { href }`. */
function linkOf(holder: string, { links }: ListFacts): string | undefined {
  if (NEXT_LINK.test(holder)) return links.next
  if (PREVIOUS_LINK.test(holder)) return links.previous
  if (FIRST_LINK.test(holder)) return links.first
  if (LAST_LINK.test(holder)) return links.last
  return holder === 'self' ? links.self : undefined
}

function* words(name: string, schema: Schema, { facts, next, hasTotal, isLinks }: Surroundings): Generator<Json> {
  if (isNumeric(schema)) yield* numberWords(name, facts, hasTotal)
  if (schema.types.includes('boolean')) yield* flagWords(name, facts)
  if (isText(schema)) yield* textWords(name, schema, facts, { next, isLinks })
  if (schema.types.length === 0 || schema.nullable) yield* emptyWords(name, facts)
}

function* numberWords(name: string, facts: ListFacts, hasTotal: boolean): Generator<Json> {
  const { page, total, count } = facts
  const limit = Number.isFinite(page.limit) ? page.limit : count
  if (TOTAL.test(name)) yield total
  else if (COUNT.test(name)) yield hasTotal || !Number.isFinite(page.limit) ? count : total
  else if (LIMIT.test(name)) yield limit
  else if (NEXT_OFFSET.test(name)) yield* facts.hasMore ? [page.offset + limit] : []
  else if (OFFSET.test(name)) yield page.offset
  else if (PAGES.test(name)) yield facts.pages
  else if (PAGE.test(name)) yield page.number
  else if (NEXT_PAGE.test(name) && page.style !== 'cursor') yield* facts.hasMore ? [page.number + 1] : []
  else if (NEXT_CURSOR.test(name) && page.style === 'cursor') yield* facts.hasMore ? [toPlace(page.offset + count)] : []
  else if (PREVIOUS_PAGE.test(name)) yield* facts.hasPrevious ? [page.number - 1] : []
  else if (name === 'end' || name === 'to') yield page.offset + count
}

function* flagWords(name: string, facts: ListFacts): Generator<Json> {
  if (MORE.test(name)) yield facts.hasMore
  else if (PREVIOUS_FLAG.test(name)) yield facts.hasPrevious
  else if (DONE.test(name)) yield !facts.hasMore
  else if (name === 'first' || name === 'isfirst') yield !facts.hasPrevious
  else if (name === 'empty') yield facts.count === 0
}

function* textWords(
  name: string,
  schema: Schema,
  facts: ListFacts,
  { next, isLinks }: { next: string; isLinks: boolean },
): Generator<Json> {
  if (name === 'key') yield next
  const isAddress =
    isLinks || /ur[il]|href|link/.test(name) || /^ur[il]/.test(schema.format ?? '') || isAboutAddress(schema)
  if (isAddress || /^(first|self|last)$/.test(name)) {
    const link = addressOf(name, facts)
    if (link !== undefined) yield* /^ur[il]$/.test(schema.format ?? '') || name !== 'path' ? [link] : [facts.path]
    if (link === undefined && SELF_LINK.test(name)) yield facts.links.self
    if (isAddress && (NEXT_LINK.test(name) || PREVIOUS_LINK.test(name))) yield* schema.nullable ? [null] : ['']
    if (isAddress) return
  }
  if (NEXT_CURSOR.test(name)) yield* facts.hasMore && facts.lastCursor !== undefined ? [facts.lastCursor] : []
  if (PREVIOUS_CURSOR.test(name)) yield* facts.hasPrevious && facts.firstCursor !== undefined ? [facts.firstCursor] : []
  if (TOTAL.test(name)) yield String(facts.total)
  if (LIMIT.test(name)) yield String(facts.page.limit)
  if (PAGE.test(name)) yield String(facts.page.number)
  if (NEXT_CURSOR.test(name) || PREVIOUS_CURSOR.test(name)) yield* schema.nullable ? [null] : ['']
}

function* emptyWords(name: string, facts: ListFacts): Generator<Json> {
  const isNext = NEXT_CURSOR.test(name) || NEXT_LINK.test(name) || NEXT_PAGE.test(name) || NEXT_OFFSET.test(name)
  const isPrevious = PREVIOUS_CURSOR.test(name) || PREVIOUS_LINK.test(name) || PREVIOUS_PAGE.test(name)
  if ((isNext && !facts.hasMore) || (isPrevious && !facts.hasPrevious)) yield null
}

function addressOf(name: string, facts: ListFacts): string | undefined {
  if (NEXT_LINK.test(name)) return facts.links.next
  if (PREVIOUS_LINK.test(name)) return facts.links.previous
  if (FIRST_LINK.test(name)) return facts.links.first
  if (LAST_LINK.test(name)) return facts.links.last
  return SELF_LINK.test(name) ? facts.links.self : undefined
}

/** Whether an example or a description says that a text is an address. */
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

/** The headers of a list: those that the description declares, and `Link` where nothing else leads on. */
export function pageHeaders(operation: Operation, facts: ListFacts): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of operation.success.headers.keys()) {
    const value = headerWord(foldName(name).replace(/^x/, ''), facts)
    if (value !== undefined && value !== '') headers[toWireName(name)] = value
  }
  if (Object.keys(headers).length === 0 && hasNoPlaceForNext(operation, facts)) headers.Link = linkHeader(facts)
  return headers
}

/** Whether the next page can only be found by a header, though the description declares none: no field could hold it. */
function hasNoPlaceForNext({ effect, success }: Operation, { page, hasMore }: ListFacts): boolean {
  if (!hasMore || page.style !== 'cursor' || !('envelope' in effect) || effect.envelope.shape !== 'list') return false
  const [list] = effect.envelope.path
  const body = [...success.content.values()].find(({ schema }) => schema)?.schema
  const beside = [...(body?.fields.keys() ?? [])].filter((name) => name !== list).map(foldName)
  return !beside.some((name) => NEXT_CURSOR.test(name) || NEXT_LINK.test(name) || HOLDER.test(name))
}

function headerWord(name: string, facts: ListFacts): string | undefined {
  const { page, total, links } = facts
  if (name === 'link') return linkHeader(facts)
  if (
    /^(pagination)?(total|totalcount|totalitems|totalresults|resultcount|count|itemcount|totalrecords|totalelements)$/.test(
      name,
    )
  )
    return String(total)
  if (/^(pagination)?(totalpages|pagecount|pages|pagetotal)$/.test(name)) return String(facts.pages)
  if (/^(pagination)?(perpage|limit|pagesize|pagelimit)$/.test(name))
    return Number.isFinite(page.limit) ? String(page.limit) : undefined
  if (/^(pagination)?(page|currentpage|pagenumber|paginationpage)$/.test(name)) return String(page.number)
  if (/^(pagination)?nextpage$/.test(name)) return facts.hasMore ? String(page.number + 1) : ''
  if (/^(pagination)?(prevpage|previouspage)$/.test(name)) return facts.hasPrevious ? String(page.number - 1) : ''
  if (/^(pagination)?(nextcursor|nexttoken|cursor|nextpagetoken|cursornext)$/.test(name))
    return facts.hasMore ? facts.lastCursor : ''
  if (name === 'hasmore' || name === 'hasnext') return String(facts.hasMore)
  return name === 'nexturl' || name === 'nextlink' ? links.next : undefined
}

/** RFC 8288: `<https://...?page=2>; rel="next"`. */
function linkHeader({ links }: ListFacts): string {
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
