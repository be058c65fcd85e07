import type { WorldContext } from '../../src/handlers.ts'
import { toUnix } from './times.ts'

/** The records, the clock and draws: what the class of each provider begins with. */
export class Provider<Records> {
  readonly records: WorldContext<Records>['records']
  readonly now: Date
  protected readonly world: WorldContext<Records>

  constructor(world: WorldContext<Records>) {
    this.records = world.records
    this.now = world.now
    this.world = world
  }

  /** Seconds since 1970. */
  get unix(): number {
    return toUnix(this.now)
  }

  /** Letters and digits. */
  letters(length = 22): string {
    let text = ''
    while (text.length < length) text += this.world.id()
    return text.slice(0, length)
  }

  hex(length: number): string {
    return this.#drawn('0123456789abcdef', length)
  }

  digits(length: number): string {
    return this.#drawn('0123456789', length)
  }

  #drawn(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.world.random() * alphabet.length)]).join('')
  }
}
