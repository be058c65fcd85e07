import { isJsonObject, type Json, type JsonObject, readField } from '../../protocol/json.ts'
import { fits } from '../../schema/checker.ts'
import type { Schema } from '../../schema/schema.ts'
import type { ApiModel } from '../openapi/model.ts'

/**
 * What the description shows of a document: the example of its answer or its schema, else those of its fields. A whole
 * example is the document; examples of fields replace generated values.
 */
export function shownDocument(
  { operations }: ApiModel,
  name: string,
  schema: Schema,
): { readonly whole?: JsonObject; readonly fields: JsonObject } {
  const answers = operations.flatMap(({ effect, success }) =>
    effect.kind === 'singletonRead' && effect.singleton === name
      ? [...success.content.values()].map(({ example }) => inPath(example as Json | undefined, effect.envelope.path))
      : [],
  )
  const whole = [...answers, schema.example].filter((example) => example !== undefined).find((one) => fits(schema, one))
  return isJsonObject(whole) ? { whole, fields: {} } : { fields: shownFields(schema, 0) }
}

const inPath = (example: Json | undefined, path: readonly string[]): Json | undefined =>
  path.length === 0 ? example : isJsonObject(example) ? readField(example, path) : undefined

/** Deepest objects whose fields' examples are looked for. */
const MAX_DEPTH = 4

function shownFields(schema: Schema, depth: number): JsonObject {
  const fields = [...schema.properties].flatMap(([name, field]): [string, Json][] => {
    const { example } = field
    if (example !== undefined) return fits(field, example) ? [[name, example]] : []
    const inner = depth < MAX_DEPTH && field.variants === undefined ? shownFields(field, depth + 1) : {}
    return Object.keys(inner).length > 0 && fits(field, inner) ? [[name, inner]] : []
  })
  return Object.fromEntries(fields)
}
