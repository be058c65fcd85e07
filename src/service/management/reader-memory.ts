/** Bytes that wait for all readers of all streams of a service, before those who have something to read are held back. */
const MOST_BYTES = 32 * 1024 * 1024

/** What waits for the readers of a service's streams, all together. */
export class ReaderMemory {
  #bytes = 0

  /** Counts bytes that begin to wait, or, below zero, that wait no more. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  get isFull(): boolean {
    return this.#bytes >= MOST_BYTES
  }
}
