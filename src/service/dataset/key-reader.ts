import type { Json } from '../../protocol/json.ts'
import { checkerOf, fits } from '../../schema/checker.ts'
import type { Schema } from '../../schema/schema.ts'
import { drawAt, type Maker } from './cell.ts'
import type { GeneratedTable } from './generated-table.ts'

/** Reads ids of `target` as `schema` wants them; undefined where it wants no such thing. */
export function keyReader(target: GeneratedTable, schema: Schema): ((index: number) => Json | undefined) | undefined {
  if (target.size === 0) return undefined
  const probe = target.keyValueAt(0)
  const shape = shapeFor(probe, schema)
  if (!fits(schema, shape(probe)) || !fits(schema, shape(target.keyValueAt(target.size - 1)))) return undefined
  const own = target.model.id.schema
  const isFree =
    schema === own ||
    (schema.pattern === undefined && !schema.variants && (schema.format === undefined || schema.format === own?.format))
  if (isFree) return (index) => shape(target.keyValueAt(index))
  return (index) => {
    const key = shape(target.keyValueAt(index))
    return fits(schema, key) ? key : undefined
  }
}

/** What a record that a client makes at this moment refers to: a record of the living world, by its key. */
export function referenceOfNew(collection: string, fieldKey: number, schema: Schema): Maker {
  const check = checkerOf(schema, { direction: 'response' })
  const ofNumber = shapeFor(0, schema)
  const ofText = shapeFor('', schema)
  return (cell) => {
    const key = cell.frame.reference?.(collection, drawAt(cell, fieldKey))
    if (key === undefined) return undefined
    const shaped = typeof key === 'number' ? ofNumber(key) : ofText(key)
    return check(shaped) === undefined ? shaped : undefined
  }
}

/** Turns keys of the type that `probe` has into the type that `schema` wants. */
function shapeFor(probe: Json, schema: Schema): (value: Json) => Json {
  const { types } = schema
  if (typeof probe === 'number' && !types.includes('integer') && !types.includes('number') && types.includes('string'))
    return String
  if (typeof probe === 'string' && !types.includes('string') && (types.includes('integer') || types.includes('number')))
    return Number
  return (value) => value
}
