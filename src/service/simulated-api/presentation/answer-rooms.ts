import type { LentBody } from '../exchange.ts'

/** Bodies are put together in memory of this size, one after the other. */
const ROOM = 64 * 1024
/** So many rooms wait at most for the next body: the answers of one turn fill two. */
const MOST_FREE = 2

/** Memory that bodies are written to. */
export class AnswerRoom {
  readonly bytes: Buffer
  /** Bytes that are taken. */
  taken = 0
  #lent = 0
  readonly #onFree: (room: AnswerRoom) => void

  constructor(size: number, onFree: (room: AnswerRoom) => void) {
    this.bytes = Buffer.allocUnsafeSlow(size)
    this.#onFree = onFree
  }

  /** The bytes up to `end` that were not taken before: a body, until it is given back. */
  lend(end: number): LentBody {
    const body = this.bytes.subarray(this.taken, end)
    this.taken = end
    this.#lent++
    return { body, giveBack: this.#giveBack }
  }

  /** Takes a body back. When all are back they are written over; where one never comes back, the room is left to the collector. */
  readonly #giveBack = (): void => {
    if (--this.#lent > 0) return
    this.taken = 0
    this.#onFree(this)
  }
}

/**
 * The rooms of one simulation. Memory outside of V8's heap that each answer left to the collector would make it run all the time: it counts as
 * much as old objects (`decisions/cost-of-a-request.md`).
 */
export class AnswerRooms {
  readonly #free: AnswerRoom[] = []
  #room: AnswerRoom | undefined

  /** A room in which so many bytes are not taken. */
  withRoomFor(length: number): AnswerRoom {
    const room = this.#room
    if (room !== undefined && room.bytes.length - room.taken >= length) return room
    if (length > ROOM) return new AnswerRoom(length, () => {})
    this.#room = this.#free.pop() ?? new AnswerRoom(ROOM, this.#onFree)
    return this.#room
  }

  readonly #onFree = (room: AnswerRoom): void => {
    if (room !== this.#room && this.#free.length < MOST_FREE) this.#free.push(room)
  }
}
