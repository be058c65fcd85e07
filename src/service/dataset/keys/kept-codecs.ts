import type { KeyCodec } from './key-codec.ts'

/**
 * The codecs of ids that datasets of one description have chosen, for those made later with the same seed. A codec is a pure
 * function, except for one that keeps its ids in a table: those are made by the time of their dataset.
 */
export class KeptCodecs {
  #seed: string | undefined
  readonly #codecs = new Map<string, KeyCodec>()

  /** Undefined where it was not chosen yet. */
  find(seed: string, collection: string, volume: number): KeyCodec | undefined {
    return seed === this.#seed ? this.#codecs.get(nameOf(collection, volume)) : undefined
  }

  /** Keeps a codec; those of another seed, or of too many volumes, go. */
  keep(seed: string, collection: string, volume: number, codec: KeyCodec): void {
    if (codec.isTabled) return
    if (seed !== this.#seed || this.#codecs.size >= MOST) this.#codecs.clear()
    this.#seed = seed
    this.#codecs.set(nameOf(collection, volume), codec)
  }
}

/** Codecs that are kept at most: some hundred bytes each. */
const MOST = 10_000

const nameOf = (collection: string, volume: number): string => `${volume} ${collection}`
