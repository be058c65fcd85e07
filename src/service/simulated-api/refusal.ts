import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Change } from '../world/change.ts'

/** What else a refusal may say. */
interface RefusalDetails {
  readonly cause?: unknown
  /** What fills the body of an entry's error: `{id}`, `{collection}`. */
  readonly facts?: JsonObject
  /** The body of the answer, where the entry gives it whole. */
  readonly body?: Json
  /** What is written all the same. */
  readonly changes?: readonly Change[]
}

/**
 * A request that the simulated API turns down. `SimulatedApi.perform` makes it an answer in the description's own error
 * shape.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** A word for the kind of error: `not_found`, `invalid_request`. */
  readonly code: string
  /** The field at fault, dotted, where there is one. */
  readonly field: string | undefined
  readonly facts: JsonObject
  readonly body: Json | undefined
  readonly changes: readonly Change[]

  constructor(status: number, code: string, message: string, field?: string, details: RefusalDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.status = status
    this.code = code
    this.field = field
    this.facts = details.facts ?? {}
    this.body = details.body
    this.changes = details.changes ?? []
  }
}
