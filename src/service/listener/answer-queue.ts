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

/** So many answers, or answers of so many characters or bytes, are held at most; the rest waits for the next turn. */
const MOST_ANSWERS = 64
const MOST_LENGTH = 128 * 1024

/**
 * Requests that arrive in one turn of the event loop: all are read, then all are processed, then all answers are
 * written. The code of one kind of work so stays in the processor's caches: a creation takes two thirds of the time
 * that it takes between a read and a write (`npm run bench -- http`).
 */
export class AnswerQueue {
  readonly #answer: AnswerRequest
  readonly #send: SendResponse
  readonly #waiting: Waiting[] = []

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
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#answerSome())
  }

  #answerSome(): void {
    const answers: (ApiResponse | Promise<ApiResponse>)[] = []
    const most = Math.min(this.#waiting.length, MOST_ANSWERS)
    for (let length = 0; answers.length < most && length < MOST_LENGTH; ) {
      const { simulation, request } = this.#waiting[answers.length] as Waiting
      const answer = this.#answer(simulation, request)
      answers.push(answer)
      if ('body' in answer) length += answer.body?.length ?? 0
    }
    const answered = this.#waiting.splice(0, answers.length)
    if (this.#waiting.length > 0) atEndOfTurn(() => this.#answerSome())
    for (const [at, answer] of answers.entries()) this.#settle((answered[at] as Waiting).response, answer)
  }

  #settle(response: ServerResponse, answer: ApiResponse | Promise<ApiResponse>): void {
    if (answer instanceof Promise) void answer.then((late) => this.#send(response, late))
    else this.#send(response, answer)
  }
}
