import type { Paging } from '../../openapi/model.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { ApiCall } from '../operations/call.ts'
import { toCursor } from './cursor.ts'
import { type Links, toLinks } from './links.ts'
import type { Page } from './page.ts'

/** What was selected for a page. */
export interface Selected {
  readonly records: readonly LiveRecord[]
  /** Records that match, over all pages. */
  readonly total: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  /** The record after the last one shown. */
  readonly next: string | undefined
}

/** What an answer may truthfully say about a list. Cursors and addresses are made when they are asked for. */
export class ListFacts {
  readonly page: Page
  readonly paging: Paging
  readonly total: number
  /** Records on this page. */
  readonly count: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  readonly #call: ApiCall
  readonly #selected: Selected
  #links: Links | undefined
  #lastCursor: string | undefined

  constructor(call: ApiCall, paging: Paging, page: Page, selected: Selected) {
    this.page = page
    this.paging = paging
    this.total = selected.total
    this.count = selected.records.length
    this.hasMore = selected.hasMore
    this.hasPrevious = selected.hasPrevious
    this.#call = call
    this.#selected = selected
  }

  get firstCursor(): string | undefined {
    const first = this.#selected.records[0]
    return first === undefined ? undefined : toCursor(first.key, undefined)
  }

  get lastCursor(): string | undefined {
    const last = this.#selected.records.at(-1)
    if (last !== undefined) this.#lastCursor ??= toCursor(last.key, this.#selected.next)
    return this.#lastCursor
  }

  get links(): Links {
    this.#links ??= toLinks(this.#call, this)
    return this.#links
  }

  /** Path of the list as it was asked for, without the query. */
  get path(): string {
    return this.#call.request.path
  }

  /** How many pages there are. */
  get pages(): number {
    const { limit } = this.page
    return Number.isFinite(limit) && limit > 0 ? Math.max(1, Math.ceil(this.total / limit)) : 1
  }
}
