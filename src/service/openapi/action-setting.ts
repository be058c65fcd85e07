import type { FieldPath } from '../../schema/schema.ts'

/** A field that an action sets. */
export interface ActionSetting {
  readonly field: FieldPath
  /** The path parameter that holds what the request gives; without it, the body does. */
  readonly param?: string
  /**
   * `now`: the moment of the action. `argument`: what the request gives for it. `added`, `removed`: what the request
   * names goes into the list that the field holds, or out of it. `fresh`: another value, which the server makes. `by`: so
   * much more than before. `cleared`: nothing. `item`: the item of the list that the path parameter names becomes what the
   * request gives.
   */
  readonly to:
    | 'now'
    | 'argument'
    | 'added'
    | 'removed'
    | 'fresh'
    | 'cleared'
    | 'item'
    | { readonly value: boolean | string }
    | { readonly by: number }
}

/** What a verb does to a record: the status that it leads to, and what else it sets. */
export interface VerbOutcome {
  readonly toStatus: string | boolean | undefined
  readonly sets: readonly ActionSetting[]
}

/** The verb of an action where the body says it: `{ action: archive, ids: [] }`. */
export interface VerbInBody {
  readonly field: string
  /** What a verb does; undefined for those that delete. */
  readonly outcomeOf: (verb: string) => VerbOutcome | undefined
}
