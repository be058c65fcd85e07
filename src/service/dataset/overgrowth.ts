import type { Schema } from '../../schema/schema.ts'
import type { Cell } from './cell.ts'

/** How often a schema may stand inside itself on the way down. */
const MAX_COPIES = 3
/** Most objects that one value may unfold into. */
const MAX_OBJECTS = 20_000

/**
 * Whether to stop unfolding: the schema is inside itself too often, or the objects around it require so many objects
 * that all of them together would fill the memory. Told from the schemas alone, so that every part of a record is the
 * same in whatever order it is asked for.
 */
export function isOvergrown(cell: Cell, schema: Schema): boolean {
  let copies = 0
  let objects = 1
  for (let trail = cell.trail; trail; trail = trail.above) {
    if (trail.schema === schema) copies++
    objects *= Math.max(1, countRequiredObjects(trail.schema))
  }
  return copies >= MAX_COPIES || objects > MAX_OBJECTS
}

function countRequiredObjects(schema: Schema): number {
  let count = 0
  for (const name of schema.required) {
    const property = schema.properties.get(name)
    if (property?.types.includes('object')) count++
    else if (property?.types.includes('array') && property.items?.types.includes('object'))
      count += property.minItems ?? 1
  }
  return count
}
