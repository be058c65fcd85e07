import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { mixPair } from '../../runtime/random.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Work } from './work.ts'

/** Most items of a generated list, for any `minItems`. */
export const MOST_ITEMS = 1_000

/** Computes one value of the object of `cell`; undefined omits the property. */
export type Maker = (cell: Cell) => Json | undefined

/** A maker with `initial` for records that clients create, and `make` for all others. */
export function withInitial(initial: Json, make: Maker): Maker {
  return (cell) => (cell.frame.isNew ? initial : make(cell))
}

/** A maker with `first`, and with `second` where that is undefined. */
export function orElse(first: Maker, second: () => Maker): Maker {
  let make: Maker | undefined
  return (cell) => {
    const value = first(cell)
    if (value !== undefined) return value
    make ??= second()
    return make(cell)
  }
}

/** Facts that all values of a record share: its place in its table and in time. */
export interface Frame {
  /** Index in the table; for documents outside tables a number from their key. */
  readonly index: number
  /** Running number of the record: newer records have higher ones. */
  readonly rank: number
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
  /** Number of the record's person, company and place. */
  readonly subject: number
  /** World time: generated past times are earlier. */
  readonly now: number
  /** 0 for a new record, towards 1 for the oldest of its collection. */
  readonly age: number
  /** Whether a client creates the record now: it then has initial values, not those of a record with a past. */
  readonly isNew?: boolean
  /** Whether the value is for a request: no read-only properties, write-only ones instead. */
  readonly isRequest?: boolean
  /** The status of a record that a client creates. */
  readonly status?: (() => Json | undefined) | undefined
  /** What the making of the record may still cost, records inside it included. */
  readonly work: Work
  /** Key of the record, where the client of a new one chose it. */
  readonly key?: Json | undefined
  /** Key of the record of `collection` that this record lives below or refers to, where the caller decides it. */
  readonly reference?: ((collection: string, draw: number) => Json | undefined) | undefined
}

/** The schemas of the objects around a cell, innermost first. Cycles of schemas show in it. */
export interface Trail {
  readonly schema: Schema
  readonly above: Trail | undefined
}

/** The place of an item in its list. `seed` is the list's own. */
export interface Turn {
  readonly seed: number
  readonly at: number
  /** Whether the item is one of a few that other records show too, with the same id and name. */
  readonly isShared?: boolean
}

/** One object while it is being made: a record, or an object inside it. */
export class Cell {
  readonly frame: Frame
  /** What all draws for this object start from. */
  readonly seed: number
  readonly depth: number
  readonly trail: Trail | undefined
  /** What a client sent of this object; the maker adds what is missing. */
  readonly given: JsonObject | undefined
  /** Which item of a list this is, or lies in. */
  readonly turn: Turn | undefined
  readonly #subject: number | undefined

  /** `subject`: undefined for objects that describe the subject of their record. */
  constructor(
    frame: Frame,
    seed: number,
    subject: number | undefined,
    depth: number,
    trail: Trail | undefined,
    given: JsonObject | undefined = undefined,
    turn: Turn | undefined = undefined,
  ) {
    this.turn = turn
    this.frame = frame
    this.seed = seed
    this.#subject = subject
    this.depth = depth
    this.trail = trail
    this.given = given
  }

  /** Number of the person, company and place that this object describes. */
  get subject(): number {
    return this.#subject ?? this.frame.subject
  }

  /** Whether an object of `schema` is being made around this one, or is this one. */
  isWithin(schema: Schema): boolean {
    for (let trail = this.trail; trail; trail = trail.above) if (trail.schema === schema) return true
    return false
  }

  /** This cell, with other schemas around it. */
  at(trail: Trail | undefined): Cell {
    return new Cell(this.frame, this.seed, this.#subject, this.depth, trail, this.given, this.turn)
  }

  /** This cell with other draws. */
  reseeded(seed: number): Cell {
    return new Cell(this.frame, seed, this.#subject, this.depth, this.trail, this.given, this.turn)
  }

  /** The object in property `name` of this one. It describes the same subject unless `subject` is given. */
  inside(name: string, key: number, schema: Schema, subject?: number): Cell {
    const given = this.given?.[name]
    return new Cell(
      this.frame,
      mixPair(this.seed, key),
      subject ?? this.#subject,
      this.depth + 1,
      { schema, above: this.trail },
      isJsonObject(given) ? given : undefined,
      this.turn,
    )
  }

  /** This cell, as one of a few objects that several records show: all its values follow from its number. */
  shared(seed: number, number: number, subject: number): Cell {
    const turn = { seed, at: number, isShared: true }
    return new Cell(this.frame, mixPair(seed, number), subject, this.depth, this.trail, this.given, turn)
  }

  /** A cell for one item of the list in property `name`; `given` is the item as the client sent it. */
  item(name: string, turn: Turn, given: Json | undefined): Cell {
    return new Cell(
      this.frame,
      mixPair(turn.seed, turn.at),
      this.#subject,
      this.depth,
      this.trail,
      given === undefined ? undefined : { [name]: given },
      turn,
    )
  }
}

/** 32 random bits for the field with this key. */
export function drawAt(cell: Cell, key: number): number {
  return mixPair(cell.seed, key)
}
