import {
  HOLDER,
  LIMIT,
  MORE,
  NEXT_CURSOR,
  NEXT_LINK,
  NEXT_PAGE,
  OFFSET,
  PAGE,
  PAGES,
  PREVIOUS_PAGE,
  TOTAL,
} from '../../../names/paging-words.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { PageFacts } from './page-facts.ts'

/** A header's value for a page; undefined or empty without one. */
type HeaderWord = (facts: PageFacts) => string | undefined

/** The headers of an operation's lists: the declared ones, and `Link` where no other part has the next page. */
export class PageHeaders {
  readonly #words: readonly { readonly name: string; readonly word: HeaderWord }[]
  readonly #hasPlaceForNext: boolean

  constructor(operation: Operation) {
    this.#words = [...operation.success.headers.keys()].flatMap((name) => {
      const word = headerWord(name)
      return word === undefined ? [] : [{ name: toWireName(name), word }]
    })
    this.#hasPlaceForNext = hasPlaceForNext(operation)
  }

  of(facts: PageFacts): Record<string, string> {
    const headers: Record<string, string> = {}
    let isBare = true
    for (const { name, word } of this.#words) {
      const value = word(facts)
      if (value === undefined || value === '') continue
      headers[name] = value
      isBare = false
    }
    const needsLink = isBare && !this.#hasPlaceForNext && facts.hasMore && facts.page.style === 'cursor'
    if (needsLink) headers.Link = linkHeader(facts)
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
