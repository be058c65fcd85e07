import type { LogEntry } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { CommandOf } from './command.ts'
import { Holds } from './holds.ts'
import type { GateAnswer } from './request-gate.ts'
import { type OpenEntry, RequestLog } from './request-log.ts'

interface RequestDeskParts {
  readonly clock: Clock
  readonly execute: (command: CommandOf<'request'>) => GateAnswer
  /** World time, milliseconds. */
  readonly worldTime: (real: number) => number
  /** Resolves when nothing is under way that requests have to wait for. */
  readonly ready: () => Promise<void>
}

/** Where requests to the simulated API come in: each is logged, executed, and held back where a response rule says so. */
export class RequestDesk {
  readonly #parts: RequestDeskParts
  readonly #log: RequestLog
  readonly #holds = new Holds()

  constructor(parts: RequestDeskParts) {
    this.#parts = parts
    this.#log = new RequestLog(parts.clock)
  }

  /** Answers one request. */
  handle(request: ApiRequest): ApiResponse {
    const at = this.#parts.clock.now()
    const entry = this.#log.open(request, this.#parts.worldTime(at))
    try {
      return this.#answer(request, at, entry)
    } catch (error) {
      entry.complete(500)
      throw error
    }
  }

  /** The latest 100 requests, newest first. */
  logs(): LogEntry[] {
    return this.#log.read()
  }

  /** Lets everything go that is held back now. */
  release(): void {
    this.#holds.release()
  }

  #answer(request: ApiRequest, at: number, entry: OpenEntry): ApiResponse {
    const { response, trace } = this.#parts.execute({ at, kind: 'request', request })
    entry.trace(trace)
    if (response.delayMs === undefined && response.fault === undefined) {
      entry.complete(response.status)
      return response
    }
    const onSent = () => entry.complete(response.status)
    return { ...response, release: this.#holds.signal, onSent, ...this.#late(request, response) }
  }

  /** What to answer when a request was held before it was processed, and its hold is over. */
  #late(request: ApiRequest, { fault }: ApiResponse): Pick<ApiResponse, 'proceed'> {
    if (fault?.kind !== 'hold' || !fault.processAfter) return {}
    const { clock, execute, ready } = this.#parts
    const proceed = () => execute({ at: clock.now(), kind: 'request', request, isLate: true }).response
    return { proceed: () => ready().then(proceed) }
  }
}
