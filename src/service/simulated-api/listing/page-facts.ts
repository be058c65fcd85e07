import type { Paging } from '../../openapi/model.ts'
import type { Page } from './page.ts'

/** Facts about a list for its answer. */
export interface PageFacts {
  readonly page: Page
  /** Names of the list's paging parameters. */
  readonly paging: Paging
  /** Matching records, over all pages. */
  readonly total: number
  /** Records on this page. */
  readonly count: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  readonly firstCursor: string | undefined
  readonly lastCursor: string | undefined
  /** Keys of the first and the last record on this page. */
  readonly firstKey: string | undefined
  readonly lastKey: string | undefined
  readonly links: Links
  /** Path of the request for the list, without the query. */
  readonly path: string
  readonly pages: number
}

/** Addresses of other pages; undefined where the page does not exist. */
export interface Links {
  readonly self: string
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
}
