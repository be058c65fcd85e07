/** Positions in ascending order, readable by rank. */
export interface Positions {
  readonly size: number
  has(position: number): boolean
  /** The position with `rank` smaller ones. Throws a RangeError outside 0 to size - 1. */
  at(rank: number): number
  /** The number of smaller positions in the set. */
  rankOf(position: number): number
  /** The positions with ranks from `start` to before `end`. */
  slice(start?: number, end?: number): number[]
}

/** All positions below `size`. */
export class AllPositions implements Positions {
  readonly size: number

  constructor(size: number) {
    this.size = size
  }

  has(position: number): boolean {
    return position < this.size
  }

  at(rank: number): number {
    checkRank(rank, this.size)
    return rank
  }

  rankOf(position: number): number {
    return Math.min(position, this.size)
  }

  slice(start = 0, end = this.size): number[] {
    const positions: number[] = []
    for (let position = start; position < end && position < this.size; position++) positions.push(position)
    return positions
  }
}

/** Positions between two pauses. */
const PER_BLOCK = 256

/** The positions of a set in order, in blocks. */
export function* inBlocks(positions: Positions): Generator<readonly number[]> {
  for (let start = 0; start < positions.size; start += PER_BLOCK) yield positions.slice(start, start + PER_BLOCK)
}

/** Throws a RangeError for a rank outside a set of that size. */
export function checkRank(rank: number, size: number): void {
  if (rank >= 0 && rank < size) return
  throw new RangeError(`Expected \`rank\` to be from 0 to ${size - 1}, got ${rank}.`)
}
