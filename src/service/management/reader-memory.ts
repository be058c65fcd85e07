/** Bytes waiting for all readers of all streams of a service, from which on readers with waiting bytes are paused. */
const MOST_BYTES = 32 * 1024 * 1024

/** Waiting bytes of a service's stream readers, all together. */
export class ReaderMemory {
  #bytes = 0

  /** Adds waiting bytes; a negative number removes them. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  get isFull(): boolean {
    return this.#bytes >= MOST_BYTES
  }
}
