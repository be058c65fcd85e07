import type { Json } from '../../protocol/json.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'

/** An event of a described webhook, and the changes that cause it. */
export interface DeclaredEvent {
  /** Its name: `order.created`, `newPet`. */
  readonly type: string
  readonly collection: string
  readonly verbs: readonly ('created' | 'updated' | 'deleted')[]
  /** Values that the change must have given to the record: `{ status: 'paid' }`. */
  readonly becomes?: Readonly<Record<string, Json>>
  /** Fields of which the change must have changed one. */
  readonly changes?: readonly string[]
  /** Undefined where no JSON body is described. */
  readonly body: { readonly schema: Schema; readonly places: readonly BodyPlace[] } | undefined
}

/** A place of an event's body, and an expression for its value: `{ $record: '.' }`, `{ $time: 'iso' }`. */
export interface BodyPlace {
  readonly path: FieldPath
  readonly value: Json
}
