import type { KeyCodec } from './key-codec.ts'

/**
 * The codecs of ids chosen by datasets of one description, for later ones with the same seed. A codec is a pure
 * function, except for one that keeps its ids in a table: those depend on the time of their dataset.
 */
export class KeptCodecs {
  #seed: string | undefined
  readonly #codecs = new Map<string, KeyCodec>()

  /** Undefined if not chosen yet. */
  find(seed: string, collection: string, volume: number): KeyCodec | undefined {
    return seed === this.#seed ? this.#codecs.get(nameOf(collection, volume)) : undefined
  }

  /** Keeps a codec; drops those of another seed, or of too many volumes. */
  keep(seed: string, collection: string, volume: number, codec: KeyCodec): void {
    if (codec.isTabled) return
    if (seed !== this.#seed || this.#codecs.size >= MOST) this.#codecs.clear()
    this.#seed = seed
    this.#codecs.set(nameOf(collection, volume), codec)
  }
}

/** Most kept codecs: some hundred bytes each. */
const MOST = 10_000

const nameOf = (collection: string, volume: number): string => `${volume} ${collection}`
