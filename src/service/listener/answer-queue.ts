import type { ServerResponse } from 'node:http'
import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { atEndOfTurn } from '../../runtime/timers.ts'
import { toApiError } from '../management/error-body.ts'
import { whenReady } from '../management/hosted-simulation.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { AskedAgain } from '../simulation/requests/simulation-requests.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { LongRead } from '../world/long-reads.ts'
import { deliverAnswer } from './deliver-answer.ts'
import { confineAnswer } from './shared-origin.ts'
import { answerOfService, writeResponse } from './write-response.ts'

/** A request that waits for the end of the event loop's turn. */
interface Waiting {
  readonly simulation: Simulation
  readonly request: ApiRequest
  readonly response: ServerResponse
  /** See `SimulatedExchange`. */
  readonly sharedRoot?: string | undefined
  /** Finds the simulation that now has the address of a deleted one. Rejects with `not_found` without one. */
  readonly successor?: (() => Promise<Simulation>) | undefined
}

/** An answer, with the number of its request in the log. */
interface Processed {
  readonly response: ApiResponse
  readonly number?: number
  readonly isCounted?: boolean
}

/** Most answers, most characters or bytes of answers, and longest time in one turn; the rest waits for the next turn. */
const LONGEST_MS = 10
const MOST_ANSWERS = 64
const MOST_LENGTH = 128 * 1024

/**
 * Requests that arrive in one turn of the event loop: all are read, then all processed, then all answers written. The
 * processor's caches keep the code of one kind of work, which halves the time of a creation with 32 clients
 * (`decisions/cost-of-a-request.md`).
 */
export class AnswerQueue {
  readonly #runtime: Runtime
  readonly #waiting: Waiting[] = []

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Answers at the end of the turn, after earlier requests. */
  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#answerSome())
  }

  #answerSome(): void {
    const processed: (Processed | LongRead | undefined)[] = []
    const most = Math.min(this.#waiting.length, MOST_ANSWERS)
    const { clock } = this.#runtime
    const end = clock.monotonic() + LONGEST_MS
    for (let length = 0; processed.length < most && length < MOST_LENGTH; ) {
      if (processed.length > 0 && clock.monotonic() >= end) break
      const waiting = this.#waiting[processed.length] as Waiting
      const { simulation } = waiting
      const result = !simulation.isStored && simulation.isReady() ? handle(waiting) : undefined
      processed.push(result)
      if (result !== undefined && 'response' in result) length += result.response.body?.length ?? 0
    }
    const answered = this.#waiting.splice(0, processed.length)
    if (this.#waiting.length > 0) atEndOfTurn(() => this.#answerSome())
    for (const [at, waiting] of answered.entries()) {
      const result = processed[at]
      if (result !== undefined && 'response' in result) this.#deliver(waiting, result)
      else void this.#answerLater(waiting, result)
    }
  }

  /** Answers when the simulation is ready and the request's long reads are done. */
  async #answerLater(waiting: Waiting, first: LongRead | undefined): Promise<void> {
    const { simulation, request, response } = waiting
    const isRead = READS.has(request.method)
    let read = first
    try {
      let before: AskedAgain = {}
      while (!response.destroyed) {
        if (read !== undefined) await simulation.requests.goOn(read, response)
        // Does not wait when it is ready: other requests could change the result of a long read.
        while (!simulation.isReady()) await whenReady(simulation, this.#runtime)
        const result = await simulation.run(() => {
          const handled = handle(waiting, { ...before, read })
          if ('response' in handled) before = { number: handled.number, isCounted: handled.isCounted }
          return handled
        }, isRead)
        if ('response' in result) {
          const kept = result.number === undefined ? undefined : simulation.requests.noteKept(result.number)
          if (kept !== undefined) await kept
          return this.#deliver(waiting, result)
        }
        read = result
      }
    } catch (error) {
      const next = simulation.isGone ? await waiting.successor?.().catch(asApiError) : undefined
      if (next !== undefined && !(next instanceof ApiError)) return this.add({ ...waiting, simulation: next })
      writeResponse(response, answerOfService(next ?? toApiError(error)))
    }
    if (read?.request !== undefined) simulation.requests.log.noteSent(read.request)
  }

  #deliver(waiting: Waiting, { response: answer, number }: Processed): void {
    const { response, sharedRoot } = waiting
    const sent = confineAnswer(answer, sharedRoot)
    if (sent.delivery === undefined || number === undefined) writeResponse(response, sent)
    else void deliverAnswer(response, sent, sent.delivery, { ...waiting, number, clock: this.#runtime.clock })
  }
}

/** Methods that hardly ever change anything. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

function handle({ simulation, request }: Waiting, again?: AskedAgain): Processed | LongRead {
  try {
    return simulation.requests.handle(request, again)
  } catch (error) {
    if (error instanceof LongRead) return error
    return { response: answerOfService(toApiError(error)) }
  }
}

/** Undefined for a fault, such as that of a closing service. */
function asApiError(error: unknown): ApiError | undefined {
  return error instanceof ApiError ? error : undefined
}
