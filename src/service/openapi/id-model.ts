import type { FieldPath, Schema } from '../../schema/schema.ts'

/** How a record is identified. */
export interface IdModel {
  /** Undefined without a field for the key: the world then keeps the key outside the record. */
  readonly field: FieldPath | undefined
  readonly schema: Schema | undefined
  /** Whether the client chooses the key on creation (names, codes): the creation's body has the field. */
  readonly clientChosen: boolean
  /** The body's field for it, where that has another name than the record's: `file_id` of `/files/{file_id}`. */
  readonly sentAs?: string | undefined
}
