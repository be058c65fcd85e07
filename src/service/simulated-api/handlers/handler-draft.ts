import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Change } from '../../world/change.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { operate } from '../operations/operate.ts'
import { Draft, type RecordPlace, type ValueTest } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'

/** Facts of an error answer. */
interface RefusedWith {
  /** @default invalid_request */
  readonly code?: string
  readonly message: string
  /** The faulty field, dotted. */
  readonly field?: string
  /** Values for the body of an entry's error. */
  readonly facts?: JsonObject
}

/** What a handler reads and changes: the world after its changes so far, which are applied together or not at all. */
export class HandlerDraft extends Draft {
  /** World time to which the request advances the clock, milliseconds. */
  advanceTo: number | undefined
  /** Whether the answer shows the changes, and they are not kept. */
  isPreview = false
  /** The record of {@link next}; undefined before it and without one. */
  place: RecordPlace | undefined
  /** The answer of {@link next}. */
  default: Answered | undefined
  readonly #setting: Setting
  readonly #call: ApiCall

  constructor(setting: Setting, call: ApiCall) {
    super(setting.world, call.at, [])
    this.#setting = setting
    this.#call = call
  }

  /**
   * Does what the model says of the operation. Returns the record that it has created or changed; undefined without one.
   *
   * @param adjust changes its changes
   */
  next(adjust: (changes: readonly Change[]) => readonly Change[] = (changes) => changes): JsonObject | undefined {
    this.default = operate(this.#setting, this.#call)
    this.take(adjust(this.default.changes))
    const [first] = this.default.changes
    this.place =
      first === undefined || 'singleton' in first ? undefined : { collection: first.collection, key: first.key }
    return this.place && this.get(this.place.collection, this.place.key)
  }

  /** The newest record with these values, by dotted field. */
  find(collection: string, values: JsonObject): JsonObject | undefined {
    return this.where(collection, values)[0]
  }

  /** The records with these values, by dotted field, newest first. Throws a `Refusal` beyond the limit of one request. */
  where(collection: string, values: JsonObject = {}): JsonObject[] {
    return this.select(collection, Object.entries(values).map(toTest)).map(({ record }) => record)
  }

  /** Number of records with these values, by dotted field. */
  count(collection: string, values?: JsonObject): number {
    if (values !== undefined) return this.where(collection, values).length
    let count = this.#setting.world.collection(collection).count
    for (const change of this.changes()) {
      if ('singleton' in change || change.collection !== collection) continue
      if (change.type === 'created') count++
      else if (change.type === 'deleted') count--
    }
    return count
  }

  /** Ends the handler with an error in the description's form; nothing is changed. */
  refuse(status: number, { code = 'invalid_request', message, field, facts = {} }: RefusedWith): never {
    throw new Refusal(status, code, message, field, { facts })
  }
}

function toTest([field, wanted]: [field: string, wanted: Json]): ValueTest {
  const text = JSON.stringify(wanted)
  return { path: field.split('.'), test: (held) => JSON.stringify(held ?? null) === text }
}
