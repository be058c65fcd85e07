import type { RequestActivity } from '../../../protocol/activity.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { LogDetail, LogEntry } from '../../../protocol/reads.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { askPatiently } from '../../store/ask-patiently.ts'
import { KEPT_WITHIN_MS, type LogRow } from '../../store/request-rows.ts'
import type { DraftedRequestRow, RequestSource } from '../../store/request-writer.ts'
import type { StoreParts } from '../../store/store-parts.ts'
import { toAnswer } from '../running/command-lane-errors.ts'
import {
  type LogSelection,
  noRequest,
  numberOf,
  numberOfId,
  type RequestKeeper,
  type RequestLog,
} from './request-log.ts'

const KEPT = LIMITS.logsPage.max
/** Most characters of one simulation's rows: more than 1,000 requests have with logged bodies. */
const MOST_CHARACTERS = 32 * 1024 * 1024
/** Number of requests after which older ones are deleted. */
const TRIMMED_AFTER = 200
/** Most requests of one row, and characters after which a new row begins. */
const MOST_IN_ROW = 200
const MOST_OF_ROW = 1024 * 1024

/** A request of a row. */
interface FoundRequest {
  readonly row: string
  /** Its index in the row. */
  readonly at: number
  readonly number: number
  readonly entry: LogEntry
}

type RequestDetails = Omit<LogDetail, keyof LogEntry>

/** The stored requests to one simulation: writes those that this node answered, and reads those of all nodes. */
export class StoredRequests implements RequestKeeper, RequestSource {
  readonly simulation: string
  readonly #log: RequestLog
  readonly #parts: StoreParts
  readonly #runtime: Runtime
  /** Positions in this node's log to be saved, and whether each is new in the store. */
  #waiting = new Map<number, boolean>()
  /** New requests so far back that the store would delete them at once. They are only counted. */
  #passedOver = 0
  #sinceTrim = 0

  constructor(simulation: string, log: RequestLog, parts: StoreParts, runtime: Runtime) {
    this.simulation = simulation
    this.#log = log
    this.#parts = parts
    this.#runtime = runtime
  }

  /** Whether other nodes answer requests too. */
  get isShared(): boolean {
    return this.#parts.store.isShared
  }

  /** Microseconds of the store's clock, like numbers of requests. */
  get now(): number {
    return Math.floor(this.#parts.store.clockMs * 1_000)
  }

  /** A number for a request whose answer is about to be sent. */
  nextNumber(): number {
    return this.#parts.requests.nextNumber()
  }

  /** Schedules saving of a request of the log. @param isNew whether it was not saved before */
  add(place: number, isNew: boolean): void {
    this.#waiting.set(place, isNew || this.#waiting.get(place) === true)
    for (const [oldest, isOldestNew] of this.#waiting) {
      if (this.#waiting.size <= KEPT) break
      this.#waiting.delete(oldest)
      if (isOldestNew) this.#passedOver++
    }
    this.#parts.requests.add(this)
  }

  /** Resolves when an answer may be sent: with a followed log, after its requests are saved. */
  whenKept(): Promise<void> | undefined {
    const { store, requests } = this.#parts
    return store.requests.isFollowed(this.simulation) ? requests.flush() : undefined
  }

  takeRows(): DraftedRequestRow[] {
    const waiting = this.#waiting
    this.#waiting = new Map()
    const drafts: RequestRowDraft[] = []
    const passedOver = this.#passedOver
    this.#passedOver = 0
    for (const [place, isNew] of waiting) {
      const detail = this.#log.detailAt(place)
      if (detail === undefined) continue
      const last = drafts.at(-1)
      // A request that is saved again gets its own row, since later ones have come between.
      if (last === undefined || !isNew || !last.isOpen) drafts.push(new RequestRowDraft(isNew))
      drafts.at(-1)?.add(detail)
    }
    this.#trimAfter(waiting.size)
    return drafts.map((draft, at) => draft.toRow(this.simulation, at === 0 ? passedOver : 0))
  }

  /** Requests, newest first. Rejects with `invalid_request` for an invalid id in `before` or `after`. */
  async read(selection: LogSelection): Promise<LogEntry[]> {
    return (await this.#select(selection)).map(({ entry }) => entry)
  }

  /** {@link read} with headers, bodies and changes. */
  async readDetails(selection: LogSelection): Promise<LogDetail[]> {
    return this.#detailsOf(await this.#select(selection))
  }

  /** Rejects with `not_found` for an unknown request. */
  async readDetail(id: string): Promise<LogDetail> {
    const number = numberOfId(id) ?? 0
    const found = (await this.#find(number - 1, number + 1)).filter((one) => one.number === number)
    const [detail] = await this.#detailsOf(found.slice(0, 1))
    if (detail === undefined) throw noRequest(id)
    return detail
  }

  /** Requests after a number answered by other nodes, oldest first, as known now. */
  async readOfOthers(after: number): Promise<LogDetail[]> {
    const { node } = this.#parts.requests
    const found = (await this.#find(after, Number.MAX_SAFE_INTEGER)).filter(({ row }) => nodeOf(row) !== node)
    return this.#detailsOf(found.reverse())
  }

  async #select({ limit, before, after, status, method, operation, path }: LogSelection): Promise<FoundRequest[]> {
    const [first, last] = [numberOf(after, 'after', 0), numberOf(before, 'before', Number.MAX_SAFE_INTEGER)]
    const found = (await this.#find(first, last)).filter(({ entry }) => {
      if (status !== undefined && status !== entry.status) return false
      if (method !== undefined && method !== entry.method) return false
      if (operation !== undefined && operation !== entry.operation) return false
      return path === undefined || path(entry.path.split('?', 1)[0] as string)
    })
    return found.slice(0, limit)
  }

  /** The requests between two numbers, newest first, in their latest version. */
  async #find(after: number, before: number): Promise<FoundRequest[]> {
    const { store, requests } = this.#parts
    await requests.flush()
    const sinceMs = await this.#ask(() => store.requests.follow(this.simulation))
    if (sinceMs < KEPT_WITHIN_MS) await this.#runtime.sleep(KEPT_WITHIN_MS - sinceMs)
    const rows = await this.#ask(() => store.requests.read(this.simulation, after, before))
    const known = new Map<string, FoundRequest>()
    for (const one of rows.flatMap(toRequests)) {
      // Two nodes may have used one number.
      const name = `${one.entry.id} ${nodeOf(one.row)}`
      if (known.get(name)?.entry.status == null) known.set(name, one)
    }
    const between = [...known.values()].filter(({ number }) => number > after && number < before)
    return between.sort((left, right) => right.number - left.number).slice(0, KEPT)
  }

  async #detailsOf(found: readonly FoundRequest[]): Promise<LogDetail[]> {
    const ids = [...new Set(found.map(({ row }) => row))]
    const texts = await this.#ask(() => this.#parts.store.requests.details(this.simulation, ids))
    const details = new Map([...texts].map(([id, text]) => [id, JSON.parse(text) as RequestDetails[]]))
    return found.flatMap(({ entry, row, at }) => {
      const detail = details.get(row)?.[at]
      return detail === undefined ? [] : [{ ...entry, ...detail }]
    })
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await askPatiently(this.#runtime, ask)
    } catch (error) {
      throw toAnswer(error)
    }
  }

  #trimAfter(requests: number): void {
    this.#sinceTrim += requests
    if (this.#sinceTrim < TRIMMED_AFTER) return
    this.#sinceTrim = 0
    const most = { requests: KEPT, characters: MOST_CHARACTERS }
    // After a failure another trim follows.
    this.#parts.store.requests.trim(this.simulation, most).catch(() => {})
  }
}

/** A row being filled. */
class RequestRowDraft {
  readonly #isNew: boolean
  readonly #entries: LogEntry[] = []
  readonly #details: string[] = []
  #length = 0

  constructor(isNew: boolean) {
    this.#isNew = isNew
  }

  /** Whether it has room for another new request. */
  get isOpen(): boolean {
    return this.#isNew && this.#entries.length < MOST_IN_ROW && this.#length < MOST_OF_ROW
  }

  add({ request, response, changes, ...entry }: LogDetail): void {
    const details = JSON.stringify({ request, response, changes } satisfies RequestDetails)
    this.#entries.push(entry)
    this.#details.push(details)
    this.#length += details.length
  }

  /** @param passedOver earlier new requests without a row */
  toRow(simulation: string, passedOver: number): DraftedRequestRow {
    const numbers = this.#entries.map(({ id }) => numberOfId(id) ?? 0)
    const requests = numbers.length
    const range = { first: Math.min(...numbers), last: Math.max(...numbers) }
    const texts = { entries: JSON.stringify(this.#entries), details: `[${this.#details.join(',')}]` }
    return { simulation, ...range, requests, arrived: (this.#isNew ? requests : 0) + passedOver, ...texts }
  }
}

function toRequests({ id, entries }: LogRow): FoundRequest[] {
  const parsed = JSON.parse(entries) as LogEntry[]
  return parsed.map((entry, at) => ({ row: id, at, entry, number: numberOfId(entry.id) ?? 0 }))
}

/** A row's name consists of its node and its number there. */
const nodeOf = (row: string): string => row.slice(0, row.lastIndexOf('-'))

/** How late rows may be written, after later requests: microseconds, like numbers of requests. */
const LATE_US = 5_000_000

/** Requests to one simulation answered by other nodes, as they become known. */
export class RequestsElsewhere {
  readonly #requests: StoredRequests
  /** Ids of requests taken so far, with their numbers. */
  readonly #known = new Map<string, number>()
  /** Earlier requests are ignored. */
  readonly #from: number

  /** Ignores requests answered before. */
  constructor(requests: StoredRequests) {
    this.#requests = requests
    this.#from = requests.now
  }

  /** New requests, oldest first. A request with a delayed answer is taken after its answer. */
  async take(): Promise<RequestActivity[]> {
    const after = Math.max(this.#from, ...this.#known.values()) - LATE_US
    const found = (await this.#requests.readOfOthers(Math.max(this.#from, after))).filter(
      ({ id, status }) => status !== null && !this.#known.has(id),
    )
    for (const { id } of found) this.#known.set(id, numberOfId(id) ?? 0)
    for (const [id, number] of this.#known) if (number < after) this.#known.delete(id)
    return found.map(toActivity)
  }
}

function toActivity({ request: _request, response: _response, changes, ...entry }: LogDetail): RequestActivity {
  return { ...entry, changes: changes.map(({ id }) => id) }
}
