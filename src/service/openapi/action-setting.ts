import type { Json } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'

/** A field that an action sets. */
export interface ActionSetting {
  readonly field: FieldPath
  /** The path parameter with the value; without it, the value is in the body. */
  readonly param?: string
  /**
   * `now`: the time of the action. `argument`: the request's value for it. `added`, `removed`: the request's value is
   * added to the field's list, or removed. `fresh`: a new value from the server. `by`: this much more. `cleared`:
   * removed. `item`: the list item of the path parameter becomes the request's value. `amount`: the request's number of this
   * name more, or less. `sent`: the value of this field of the body.
   */
  readonly to:
    | 'now'
    | 'argument'
    | 'added'
    | 'removed'
    | 'fresh'
    | 'cleared'
    | 'item'
    | { readonly value: Json }
    | { readonly sent: FieldPath }
    | { readonly by: number }
    | { readonly amount: string; readonly sign: number }
}

/** How an action refuses records in the wrong state. */
export interface ActionRefusal {
  readonly status: number
  /** The statuses of records that it accepts; undefined: all that it changes. */
  readonly from: readonly string[] | undefined
}

/** The effect of a verb on a record: the status after it, and the other fields that it sets. */
export interface VerbOutcome {
  readonly toStatus: string | boolean | undefined
  readonly sets: readonly ActionSetting[]
}

/** An action's verb in the body: `{ action: archive, ids: [] }`. */
export interface VerbInBody {
  readonly field: string
  /** How the record's schema gives the outcome: by the verb, by the verb for records of any fields, or by the status alone. */
  readonly by: 'verb' | 'openVerb' | 'status'
  /** The outcome of a verb; undefined for deleting verbs. */
  readonly outcomeOf: (verb: string) => VerbOutcome | undefined
}
