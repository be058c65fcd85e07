import type { Page } from './page.ts'

/** What an answer may truthfully say about a list. */
export interface ListFacts {
  readonly page: Page
  /** Records that match, over all pages. */
  readonly total: number
  /** Records on this page. */
  readonly count: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  readonly firstCursor: string | undefined
  readonly lastCursor: string | undefined
  readonly links: Links
  /** Path of the list as it was asked for, without the query. */
  readonly path: string
}

/** Addresses of other pages; undefined where there is no such page. */
export interface Links {
  readonly self: string
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
}

export const pagesOf = ({ total, page }: ListFacts): number =>
  Number.isFinite(page.limit) && page.limit > 0 ? Math.max(1, Math.ceil(total / page.limit)) : 1

/** Number of the last page, as the API counts. */
export const lastNumberOf = (facts: ListFacts, firstPage: 0 | 1): number => pagesOf(facts) - 1 + firstPage
