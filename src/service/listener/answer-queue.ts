import type { ServerResponse } from 'node:http'
import { atEndOfTurn } from '../../runtime/timers.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { SendResponse } from './send-response.ts'

/** A request that waits for the end of the turn. */
interface Waiting {
  readonly response: ServerResponse
  readonly simulation: Simulation
  readonly request: ApiRequest
}

/** Answers a request to a simulation: at once, or where the simulation has to be waited for, later. Never throws. */
export type AnswerRequest = (simulation: Simulation, request: ApiRequest) => ApiResponse | Promise<ApiResponse>

/**
 * Requests that arrive in one turn of the event loop: all are read, then all are processed, then all answers are written.
 * The code of one kind of work so stays in the processor's caches: a creation takes two thirds of the time that it takes
 * between a read and a write (`npm run bench -- http`).
 */
export class AnswerQueue {
  readonly #answer: AnswerRequest
  readonly #send: SendResponse
  #waiting: Waiting[] = []

  constructor(answer: AnswerRequest, send: SendResponse) {
    this.#answer = answer
    this.#send = send
  }

  /**
   * Answers at the end of the turn, after those that were added before.
   *
   * @param isAlone whether no other client can have asked anything: the request is answered at once then
   */
  add(waiting: Waiting, isAlone: boolean): void {
    if (isAlone) {
      this.#settle(waiting.response, this.#answer(waiting.simulation, waiting.request))
      return
    }
    this.#waiting.push(waiting)
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#answerAll())
  }

  #answerAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const answers = waiting.map(({ simulation, request }) => this.#answer(simulation, request))
    for (let at = 0; at < waiting.length; at++) {
      this.#settle((waiting[at] as Waiting).response, answers[at] as ApiResponse | Promise<ApiResponse>)
    }
  }

  #settle(response: ServerResponse, answer: ApiResponse | Promise<ApiResponse>): void {
    if (answer instanceof Promise) void answer.then((late) => this.#send(response, late))
    else this.#send(response, answer)
  }
}
