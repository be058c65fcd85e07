import type { FieldPath } from '../../schema/schema.ts'

/** `/builds/{id}/app`: the record of a path parameter, and its field that refers to the record of the answer, if known. */
export interface RefersTo {
  readonly collection: string
  readonly param: string
  readonly field: FieldPath | undefined
}
