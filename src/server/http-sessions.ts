import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { sleep, startTimer } from '../runtime/timers.ts'

const LOOK_MS = 20

/** Limits of data that clients do not read. */
interface UnreadLimits {
  /** Most unread bytes of answers, for all clients together. */
  readonly unreadBytes: number
  /** Longest time in which a client reads nothing. */
  readonly unreadTimeoutMs: number
  /** Interval of these checks. */
  readonly connectionsCheckingIntervalMs: number
}

/** The HTTP sessions of a port: connections, or the TLS sessions over them. */
export class HttpSessions {
  readonly #sessions = new Set<Duplex>()
  /** Number of requests in a session that wait for earlier answers. */
  readonly #waiting = new Map<Duplex, number>()
  readonly #limits: UnreadLimits
  /** Answers that their clients had not read at the last check, oldest first. */
  #unread: ReadonlySet<ServerResponse> = new Set()
  #isWatching = false
  #isEnding = false

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Adds a session that Node listens to already: listeners here run after those of Node. */
  add(session: Duplex): void {
    this.#sessions.add(session)
    // Node resumes a session when it discards the body of a request.
    session.on('resume', () => this.#waiting.has(session) && session.pause())
    session.once('close', () => {
      this.#sessions.delete(session)
      this.#waiting.delete(session)
    })
  }

  /**
   * Begins a request once the session's earlier answers are written. Meanwhile the session is not read: a client that
   * sends thousands of requests without reading answers costs other clients no time and no memory.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#watch()
    // Node gives a response its socket when the earlier answers are written.
    if (response.socket !== null) {
      begin()
      return
    }
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 0) + 1)
    socket.pause()
    response.once('socket', () => {
      const left = (this.#waiting.get(socket) ?? 1) - 1
      if (left > 0) this.#waiting.set(socket, left)
      else {
        this.#waiting.delete(socket)
        socket.resume()
      }
      begin()
    })
  }

  /** Whether each answer is the last one of its session. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  /** Makes each further answer, including those in progress, the last one of its session. */
  end(): void {
    this.#isEnding = true
    for (const session of this.#sessions) {
      const answer = answerUnderWay(session)
      if (answer !== undefined) answer.shouldKeepAlive = false
    }
  }

  /** Resolves when all answers in progress have ended, or after `mostMs`. Event streams do not count. */
  async idle(mostMs: number): Promise<void> {
    for (let ms = 0; ms < mostMs && this.#isBusy(); ms += LOOK_MS) await sleep(LOOK_MS)
  }

  /** Checks unread answers at intervals while an answer is in progress. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    startTimer(this.#limits.connectionsCheckingIntervalMs, () => {
      const answers = [...this.#sessions].flatMap((session) => answerUnderWay(session) ?? [])
      this.#isWatching = false
      this.#boundUnread(answers)
      if (answers.length > 0) this.#watch()
    })
  }

  /** Sets a timeout for reading answers, and closes the connections that have waited longest when too much is unread in total. */
  #boundUnread(answers: readonly ServerResponse[]): void {
    const known = this.#unread
    this.#unread = new Set([...known, ...answers].filter((answer) => unreadBytes(answer) > 0))
    // From now on Node watches whether bytes leave, even during one long write.
    for (const answer of this.#unread) if (!known.has(answer)) answer.socket?.setTimeout(this.#limits.unreadTimeoutMs)
    let bytes = [...this.#unread].reduce((sum, answer) => sum + unreadBytes(answer), 0)
    for (const answer of this.#unread) {
      if (bytes <= this.#limits.unreadBytes || !known.has(answer)) return
      bytes -= unreadBytes(answer)
      answer.destroy()
    }
  }

  #isBusy(): boolean {
    return [...this.#sessions].some((session) => {
      const answer = answerUnderWay(session)
      return answer !== undefined && !isStream(answer)
    })
  }
}

/** The answer in progress in a session, or undefined. Node exposes it only on the socket. */
export function answerUnderWay(session: Duplex): ServerResponse | undefined {
  const { _httpMessage: answer } = session as { _httpMessage?: ServerResponse | null }
  return answer ?? undefined
}

/** Node keeps headers given to `writeHead` only as text. */
function isStream(answer: ServerResponse): boolean {
  const { _header: head } = answer as ServerResponse & { _header?: string | null }
  return /\r\ncontent-type: *text\/event-stream/i.test(head ?? '')
}

const unreadBytes = ({ socket }: ServerResponse): number => socket?.writableLength ?? 0
