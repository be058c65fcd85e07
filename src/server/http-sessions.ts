import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { sleep } from '../runtime/timers.ts'

const LOOK_MS = 20

/** The HTTP sessions of a port: connections, or the TLS sessions over them. */
export class HttpSessions {
  readonly #sessions = new Set<Duplex>()
  #isEnding = false

  add(session: Duplex): void {
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
  }

  /** Whether each answer is the last one of its session. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  /** From now on each answer, those under way too, is the last one of its session. */
  end(): void {
    this.#isEnding = true
    for (const session of this.#sessions) {
      const answer = answerUnderWay(session)
      if (answer !== undefined) answer.shouldKeepAlive = false
    }
  }

  /** Resolves when no answer is under way that has an end, or after `mostMs`. A stream of events has none. */
  async idle(mostMs: number): Promise<void> {
    for (let ms = 0; ms < mostMs && this.#isBusy(); ms += LOOK_MS) await sleep(LOOK_MS)
  }

  #isBusy(): boolean {
    return [...this.#sessions].some((session) => {
      const answer = answerUnderWay(session)
      return answer !== undefined && !isStream(answer)
    })
  }
}

/** The answer that a session waits for, if there is one. Node shows it on the socket alone. */
export function answerUnderWay(session: Duplex): ServerResponse | undefined {
  const { _httpMessage: answer } = session as { _httpMessage?: ServerResponse | null }
  return answer ?? undefined
}

/** Headers that `writeHead` was given are kept as text alone. */
function isStream(answer: ServerResponse): boolean {
  const { _header: head } = answer as ServerResponse & { _header?: string | null }
  return /\r\ncontent-type: *text\/event-stream/i.test(head ?? '')
}
