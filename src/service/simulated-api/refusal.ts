import type { JsonObject } from '../../protocol/json.ts'
import type { Change } from '../world/change.ts'

/** One of several faults of a request. */
export interface Fault {
  readonly message: string
  readonly field: string | undefined
  readonly facts: JsonObject
}

/** Further facts of a refusal. */
interface RefusalDetails {
  readonly cause?: unknown
  /** Values for the body of an entry's error: `{id}`, `{collection}`. */
  readonly facts?: JsonObject
  /** Changes despite the refusal. */
  readonly changes?: readonly Change[]
  /** The faults that the refusal sums up. */
  readonly faults?: readonly Fault[]
}

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

/** The code of an error by its status. */
export const codeOf = (status: number): string => CODES[status] ?? 'invalid_request'

/** A request that the simulated API refuses. `SimulatedApi.perform` converts it to an answer in the description's error form. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** The kind of error: `not_found`, `invalid_request`. */
  readonly code: string
  /** The faulty field, dotted, if any. */
  readonly field: string | undefined
  readonly facts: JsonObject
  readonly changes: readonly Change[]
  readonly faults: readonly Fault[]

  constructor(status: number, code: string, message: string, field?: string, details: RefusalDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.status = status
    this.code = code
    this.field = field
    this.facts = details.facts ?? {}
    this.changes = details.changes ?? []
    this.faults = details.faults ?? []
  }
}
