import { fits } from '../../../schema/checker.ts'
import type { Operation, Paging } from '../../openapi/model.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { ApiRequest } from '../exchange.ts'
import type { ShownRecord } from '../presentation/record-texts.ts'
import { type Page, toCursor, toCursorBefore, toPlace } from './page.ts'

/** The selected records of a page. */
export interface Selected {
  readonly records: readonly LiveRecord[]
  /** Their texts, in the same order. */
  readonly shown: readonly ShownRecord[]
  /** Matching records, over all pages. */
  readonly total: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  /** The record after the last one shown. */
  readonly next: string | undefined
  /** Number of records that did not fit on the page. */
  readonly leftOut: number
}

/** Addresses of other pages; undefined where the page does not exist. */
interface Links {
  readonly self: string
  readonly first: string | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly last: string | undefined
  /** Of the page with this number. */
  readonly at: (number: number) => string
}

/** A request for a list. */
interface ListCall {
  readonly operation: Operation
  readonly request: ApiRequest
}

/** Facts about a list for its answer. Cursors and addresses are computed on demand. */
export class PageFacts {
  readonly page: Page
  /** Names of the list's paging parameters. */
  readonly paging: Paging
  /** Matching records, over all pages. */
  readonly total: number
  /** Records on this page. */
  readonly count: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
  readonly #call: ListCall
  readonly #selected: Selected
  #links: Links | undefined
  #lastCursor: string | undefined

  constructor(call: ListCall, paging: Paging, page: Page, selected: Selected) {
    this.page = page
    this.paging = paging
    this.total = selected.total
    this.count = selected.records.length
    this.hasMore = selected.hasMore
    this.hasPrevious = selected.hasPrevious
    this.#call = call
    this.#selected = selected
  }

  get firstKey(): string | undefined {
    return this.#selected.records[0]?.key
  }

  get lastKey(): string | undefined {
    return this.#selected.records.at(-1)?.key
  }

  get firstCursor(): string | undefined {
    const first = this.#selected.records[0]
    if (first === undefined) return undefined
    if (this.paging.before !== undefined) return toCursor(first.key, undefined)
    const { offset, limit } = this.page
    return this.#inForm(toCursorBefore(first.key), Math.max(0, offset - limit))
  }

  get lastCursor(): string | undefined {
    const last = this.#selected.records.at(-1)
    if (last !== undefined) this.#lastCursor ??= this.#accepted(last.key, toCursor(last.key, this.#selected.next))
    return this.#lastCursor
  }

  /** The cursor in a form that its parameter accepts: unchanged, as a number, or the last record's key. */
  #accepted(key: string, cursor: string): string {
    return this.#inForm(cursor, this.page.offset + this.count) ?? key
  }

  #inForm(cursor: string, before: number): string | undefined {
    const { after, offset, page } = this.paging
    const name = after ?? offset ?? page
    const schema = this.#call.operation.parameters.find((parameter) => parameter.name === name)?.schema
    if (schema === undefined || fits(schema, cursor)) return cursor
    const place = toPlace(before)
    return fits(schema, place) ? String(place) : undefined
  }

  get links(): Links {
    this.#links ??= toLinks(this.#call, this)
    return this.#links
  }

  /** Path of the request for the list, without the query. */
  get path(): string {
    return this.#call.request.path
  }

  get pages(): number {
    const { limit } = this.page
    return Number.isFinite(limit) && limit > 0 ? Math.max(1, Math.ceil(this.total / limit)) : 1
  }
}

/** Addresses of adjacent pages, in the client's way of paging. */
function toLinks(call: ListCall, walk: PageFacts): Links {
  const { paging, page, hasMore, hasPrevious } = walk
  const url = (changes: Readonly<Record<string, string | undefined>>) => toUrl(call, changes)
  const clear = Object.fromEntries(
    [paging.page, paging.offset, paging.after, paging.before]
      .filter((name) => name !== undefined)
      .map((name) => [name, undefined]),
  )
  const lastNumber =
    Number.isFinite(page.limit) && page.limit > 0 ? Math.max(0, Math.ceil(walk.total / page.limit) - 1) : 0
  const at = (number: number) => ({ ...clear, ...position(paging, page, number) })
  const number = page.number - paging.firstPage
  const isCursor = page.style === 'cursor'
  const after = paging.after ?? paging.offset ?? paging.page
  return {
    self: url({}),
    first: url(isCursor || page.style === 'none' ? clear : at(0)),
    previous: !hasPrevious ? undefined : isCursor ? previousByCursor(url, clear, walk) : url(at(number - 1)),
    next: !hasMore
      ? undefined
      : isCursor && after !== undefined
        ? url({ ...clear, [after]: walk.lastCursor })
        : url(at(number + 1)),
    last: isCursor ? undefined : url(page.style === 'none' ? {} : at(lastNumber)),
    at: (number) => url(at(number - paging.firstPage)),
  }
}

function previousByCursor(
  url: (changes: Readonly<Record<string, string | undefined>>) => string,
  clear: Readonly<Record<string, undefined>>,
  { paging, firstCursor }: PageFacts,
): string | undefined {
  const name = paging.before ?? paging.after ?? paging.offset ?? paging.page
  return name === undefined || firstCursor === undefined ? undefined : url({ ...clear, [name]: firstCursor })
}

function position(paging: Paging, page: Page, number: number): Record<string, string> {
  if (page.style === 'page' && paging.page !== undefined)
    return { [paging.page]: String(Math.max(0, number) + paging.firstPage) }
  if (page.style === 'offset' && paging.offset !== undefined)
    return { [paging.offset]: String(Math.max(0, number) * page.limit) }
  return {}
}

function toUrl({ request }: ListCall, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(request.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return `${request.origin}${request.path}${text === '' ? '' : `?${text}`}`
}
