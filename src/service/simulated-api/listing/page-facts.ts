import type { Page } from './page.ts'

/** What an answer may truthfully say about a list. */
export interface PageFacts {
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
  /** How many pages there are. */
  readonly pages: number
}

/** Addresses of other pages; undefined where there is no such page. */
export interface Links {
  readonly self: string
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
}
