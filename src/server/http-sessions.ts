import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { sleep, startTimer } from '../runtime/timers.ts'

const LOOK_MS = 20

/** What may wait for clients that do not read. */
interface UnreadLimits {
  /** Bytes of answers, for all clients together. */
  readonly unreadBytes: number
  /** How long a client may take none of them. */
  readonly unreadTimeoutMs: number
  /** How often they are counted. */
  readonly connectionsCheckingIntervalMs: number
}

/** The HTTP sessions of a port: connections, or the TLS sessions over them. */
export class HttpSessions {
  readonly #sessions = new Set<Duplex>()
  /** How many requests of a session wait for the answers before them. */
  readonly #waiting = new Map<Duplex, number>()
  readonly #limits: UnreadLimits
  /** Answers that their clients had not read when they were looked at, the oldest first. */
  #unread: ReadonlySet<ServerResponse> = new Set()
  #isWatching = false
  #isEnding = false

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Takes a session that Node listens to already: what this does at its events comes after what Node does. */
  add(session: Duplex): void {
    this.#sessions.add(session)
    // Node resumes a session when it drops the body of a request.
    session.on('resume', () => this.#waiting.has(session) && session.pause())
    session.once('close', () => {
      this.#sessions.delete(session)
      this.#waiting.delete(session)
    })
  }

  /**
   * Begins with a request once the answers before it are written: a client that sends thousands without reading takes no turn of
   * others and no memory, since nothing more is read from it meanwhile.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#watch()
    // Node gives a response its socket when its turn has come.
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

  /** Looks at what waits for clients, for as long as an answer is under way. */
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

  /** Gives answers a time to be read in, and ends the connections of those that have waited longest where too much waits for all clients. */
  #boundUnread(answers: readonly ServerResponse[]): void {
    const known = this.#unread
    this.#unread = new Set([...known, ...answers].filter((answer) => unreadBytes(answer) > 0))
    // From then on Node watches whether bytes leave, also inside of one long write.
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

const unreadBytes = ({ socket }: ServerResponse): number => socket?.writableLength ?? 0
