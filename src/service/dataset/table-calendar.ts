import { fraction, mixPair } from '../../runtime/random.ts'
import { DAY_MS, floorToSecond } from './moment.ts'

/** Youngest and oldest record by level, in days before now: what is referred to stands higher and is older. */
const WINDOWS: readonly (readonly [youngest: number, oldest: number])[] = [
  [0.05, 240],
  [2, 320],
  [45, 460],
  [100, 640],
]

/** When the records of one table were made: evenly over a window, the newest first. */
export class TableCalendar {
  readonly #now: number
  readonly #key: number
  readonly #youngest: number
  readonly #span: number

  constructor(now: number, key: number, level: number) {
    const [youngest, oldest] = WINDOWS[Math.min(level, WINDOWS.length - 1)] as readonly [number, number]
    this.#now = now
    this.#key = key
    this.#youngest = youngest
    this.#span = oldest - youngest
  }

  /** Creation of the record at `index` of `size`, in milliseconds since the Unix epoch. */
  createdAt(index: number, size: number): number {
    const share = (index + fraction(mixPair(this.#key, index))) / Math.max(1, size)
    return floorToSecond(this.#now - (this.#youngest + share * this.#span) * DAY_MS)
  }

  /** Index of the first record that was made before `ms`; the oldest one's where none was. */
  firstBefore(ms: number, size: number): number {
    const share = ((this.#now - ms) / DAY_MS - this.#youngest) / this.#span
    return Math.max(0, Math.min(size - 1, Math.ceil(share * size)))
  }
}
