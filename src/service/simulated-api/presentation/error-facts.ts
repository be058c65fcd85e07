import type { Json, JsonObject } from '../../../protocol/json.ts'

/** What an error answer has to tell. */
export interface ErrorFacts {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The field at fault, dotted, where there is one. */
  readonly field?: string | undefined
  /** What fills the body of an entry's error. */
  readonly facts?: JsonObject
  /** The body, where the entry gives it whole. */
  readonly body?: Json | undefined
}
