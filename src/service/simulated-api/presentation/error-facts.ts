import type { Json, JsonObject } from '../../../protocol/json.ts'

/** Facts for an error answer. */
export interface ErrorFacts {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The faulty field, dotted, if any. */
  readonly field?: string | undefined
  /** Values for the body of an entry's error. */
  readonly facts?: JsonObject
  /** The whole body, if the entry gives it. */
  readonly body?: Json | undefined
}
