import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { ApiCall } from '../calls/call.ts'
import type { TokenSigner } from '../calls/token-signer.ts'
import type { ApiResponse } from '../exchange.ts'
import type { HandlerDraft } from './handler-draft.ts'

/**
 * What an operation does beyond its model. Synchronous, and pure but for the draft: the same call gives the same answer
 * in every run.
 *
 * A record or a list of records answers in the operation's envelope, other JSON as it is, a {@link WholeAnswer}
 * unchanged. Without a value the answer is that of `draft.next()`; where it was not called, one without a body.
 *
 * Rows of `effects.yaml` are compiled to this form by `compile-effects.ts`.
 */
export type Handler = (call: HandlerCall, draft: HandlerDraft) => HandlerAnswer

export type HandlerAnswer = Json | WholeAnswer | undefined

/** Status, headers and body, as they are sent. */
export class WholeAnswer {
  readonly response: ApiResponse

  constructor(response: ApiResponse) {
    this.response = response
  }
}

/** A request to an operation: routed, with a key, and valid for the description. */
export interface HandlerCall {
  /** Parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  /** Parameters of the query, parsed by the description. */
  readonly query: Readonly<Record<string, Json>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined without a body. */
  readonly body: Json | undefined
  /** The caller's key; null where none is needed. */
  readonly key: string | null
  /** World time, milliseconds. */
  readonly now: number
  /** The next number from 0 to 1, below 1. */
  random(): number
  /** A new id: `prefix` and 24 letters and digits. */
  id(prefix?: string): string
  /** The record that the request names; undefined without one. */
  readonly record: JsonObject | undefined
  /** The record above that the path names: the author in `/authors/{id}/books`. Undefined without one. */
  readonly parent: JsonObject | undefined
  /** From which `random` and `id` follow: equal for equal requests at the same world time. */
  readonly seed: string
  /** Signs the simulation's tokens. */
  readonly signer: TokenSigner
  /** The request with its operation and all that was parsed. */
  readonly parsed: ApiCall
}
