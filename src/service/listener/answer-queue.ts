import type { ServerResponse } from 'node:http'
import { atEndOfTurn } from '../../runtime/timers.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'
import type { SendResponse } from './send-response.ts'

/** A request that waits for the end of the turn. */
interface Waiting {
  readonly response: ServerResponse
  readonly answer: () => ApiResponse | Promise<ApiResponse>
}

/**
 * Requests that arrive in one turn of the event loop: all are read, then all are processed, then all answers are written.
 * The code of one kind of work so stays in the processor's caches: a creation takes two thirds of the time that it takes
 * between a read and a write (`npm run bench -- http`).
 */
export class AnswerQueue {
  readonly #send: SendResponse
  #waiting: Waiting[] = []

  constructor(send: SendResponse) {
    this.#send = send
  }

  /**
   * @param answer called at the end of the turn, after those that were added before; must not throw
   * @param isAlone whether no other client can have asked anything: the request is answered at once then
   */
  add(response: ServerResponse, answer: Waiting['answer'], isAlone: boolean): void {
    if (isAlone) {
      this.#settle(response, answer())
      return
    }
    this.#waiting.push({ response, answer })
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#answerAll())
  }

  #answerAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const answers = waiting.map(({ answer }) => answer())
    for (let at = 0; at < waiting.length; at++) {
      this.#settle((waiting[at] as Waiting).response, answers[at] as ApiResponse | Promise<ApiResponse>)
    }
  }

  #settle(response: ServerResponse, answer: ApiResponse | Promise<ApiResponse>): void {
    if (answer instanceof Promise) void answer.then((late) => this.#send(response, late))
    else this.#send(response, answer)
  }
}
