import type { Json } from '../../protocol/json.ts'

/** Ids as a function of the index and back. Different indexes below `capacity` give different texts. */
export interface KeyCodec {
  /** How many ids there are. */
  readonly capacity: number
  /** `index` below the capacity. */
  at(index: number): Json
  /** The index whose id reads like `text`; undefined where there is none. */
  indexOf(text: string): number | undefined
}

/** Whole numbers that count up from `first` in steps of `step`. */
export function createCountingCodec(options: { first: number; step: number; last: number; asText: boolean }): KeyCodec {
  const { first, step, last, asText } = options
  const capacity = Math.max(0, Math.floor((last - first) / step) + 1)
  return {
    capacity,
    at: (index) => (asText ? String(first + index * step) : first + index * step),
    indexOf: (text) => {
      const index = (Number(text) - first) / step
      return Number.isInteger(index) && index >= 0 && index < capacity && String(first + index * step) === text
        ? index
        : undefined
    },
  }
}

/** The values of an enum, in its order. */
export function createListCodec(values: readonly Json[]): KeyCodec {
  const indexes = new Map(values.map((value, index) => [String(value), index]))
  return {
    capacity: values.length,
    at: (index) => values[index] as Json,
    indexOf: (text) => indexes.get(text),
  }
}

/** Repeated ids in a row after which there are taken to be no more. */
const MAX_MISSES = 200

/**
 * Ids without an order to compute back from: made one after another, the repeated ones left out, and kept. Only for
 * schemas that leave room for nothing better.
 */
export function createTabledCodec(make: (attempt: number) => Json, wanted: number): KeyCodec {
  let table: Map<string, number> | undefined
  const values: Json[] = []
  const fill = (): Map<string, number> => {
    table = new Map()
    for (let attempt = 0, misses = 0; values.length < wanted && misses < MAX_MISSES; attempt++) {
      const value = make(attempt)
      if (table.has(String(value))) {
        misses++
        continue
      }
      misses = 0
      table.set(String(value), values.length)
      values.push(value)
    }
    return table
  }
  return {
    get capacity() {
      if (!table) fill()
      return values.length
    },
    at: (index) => {
      if (!table) fill()
      return values[index] as Json
    },
    indexOf: (text) => (table ?? fill()).get(text),
  }
}
