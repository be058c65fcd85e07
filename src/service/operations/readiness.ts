import type { Runtime } from '../../runtime/runtime.ts'
import type { Store } from '../store/store.ts'
import type { WorkBacklog } from '../store/work.ts'
import type { JsonLog } from './json-log.ts'

const EVERY_MS = 1_000
const LONGEST_MS = 2_000
/** Number of consecutive failed checks of the store before the node reports that it is not ready. */
const MOST_FAILURES = 3
/** Interval of counting waiting work, in checks. */
const LOOKS_A_COUNT = 15

/** Why a node accepts requests or not. */
type ReadyState = 'ready' | 'draining' | 'store unavailable'

/** Whether a load balancer should send requests here: not while the store does not answer, nor after the signal to end. */
export class Readiness {
  readonly #runtime: Runtime
  readonly #log: JsonLog
  readonly #closing = new AbortController()
  #failures = 0
  #isDraining = false
  #looks = 0
  /** The waiting work of the store at the last count. */
  backlog: WorkBacklog = { waiting: 0, deliveryLateMs: 0, tickLateMs: 0 }

  constructor(runtime: Runtime, log: JsonLog) {
    this.#runtime = runtime
    this.#log = log
  }

  get state(): ReadyState {
    if (this.#isDraining) return 'draining'
    return this.#failures >= MOST_FAILURES ? 'store unavailable' : 'ready'
  }

  drain(): void {
    this.#isDraining = true
  }

  close(): void {
    this.#closing.abort()
  }

  /** Checks the store each second, until the end. */
  async watch(store: Store): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const error = await this.#ask(store)
      if (signal.aborted) return
      this.#note(error)
      if (error === undefined && this.#looks++ % LOOKS_A_COUNT === 0) await this.#count(store)
      await this.#runtime.sleep(EVERY_MS, signal).catch(() => {})
    }
  }

  /** After a failure, the next check counts again. */
  async #count({ work }: Store): Promise<void> {
    this.backlog = await work.backlog().catch(() => this.backlog)
  }

  /** Undefined if the store answers in time. */
  async #ask(store: Store): Promise<Error | undefined> {
    const late = new AbortController()
    const tooLate = this.#runtime.sleep(LONGEST_MS, late.signal).then(
      () => new Error(`The store gave no answer in ${LONGEST_MS / 1_000} s.`),
      () => undefined,
    )
    const answered = store.heads(['']).then(
      () => undefined,
      (error: Error) => error,
    )
    const error = await Promise.race([answered, tooLate])
    late.abort()
    return error
  }

  #note(error: Error | undefined): void {
    const before = this.#failures
    this.#failures = error === undefined ? 0 : before + 1
    if (this.#failures === MOST_FAILURES) this.#log.error('store unavailable', error)
    if (before >= MOST_FAILURES && error === undefined) this.#log.info('store available again')
  }
}
