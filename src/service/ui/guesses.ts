import type { Runtime } from '../../runtime/runtime.ts'

const WINDOW_MS = 60_000
/** Most wrong codes and keys from one address within a minute. */
const MOST_GUESSES = 10
/** Most addresses with counted guesses. */
const MOST_ADDRESSES = 10_000

/** Wrong codes and keys, by sender's address. */
export class Guesses {
  readonly #clock: Runtime['clock']
  /** Oldest first. */
  readonly #byAddress = new Map<string, { count: number; since: number }>()

  constructor({ clock }: Pick<Runtime, 'clock'>) {
    this.#clock = clock
  }

  /** Whether an address has too many wrong guesses within a minute. */
  mustWait(ip: string): boolean {
    return (this.#recent(ip)?.count ?? 0) >= MOST_GUESSES
  }

  noteWrong(ip: string): void {
    const guesses = this.#recent(ip)
    if (guesses !== undefined) guesses.count++
    else this.#byAddress.set(ip, { count: 1, since: this.#clock.monotonic() })
    const [oldest] = this.#byAddress.size > MOST_ADDRESSES ? this.#byAddress.keys() : []
    if (oldest !== undefined) this.#byAddress.delete(oldest)
  }

  #recent(ip: string): { count: number; since: number } | undefined {
    const guesses = this.#byAddress.get(ip)
    return guesses !== undefined && this.#clock.monotonic() - guesses.since < WINDOW_MS ? guesses : undefined
  }
}
