import type { FieldPath } from '../../schema/schema.ts'

/** `/builds/{id}/app`: the record that a path parameter names, and its field that refers to the one that is read, where one is known. */
export interface RefersTo {
  readonly collection: string
  readonly param: string
  readonly field: FieldPath | undefined
}
