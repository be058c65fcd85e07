import { endsInKey } from '../../../names/id-names.ts'
import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiCall } from '../calls/call.ts'
import type { Fill } from '../presentation/envelope-writer.ts'

/** Levels of objects in which a document may repeat what was asked: `{ data: { period: { from, to } } }`. */
const MOST_LEVELS = 3

/**
 * A document with the values of its request in fields of their names: `/items/{itemId}/stock` shows this `itemId`, and
 * `?from=2026-01-01` is its `from`. A document that clients write has its own values for what is in the query; an
 * example also shows what the body says.
 */
export function withEcho<Document extends Json>(
  call: ApiCall,
  document: Document,
  schema: Schema | undefined,
): Document {
  const asked = askedOf(call)
  if (schema === undefined || asked.size === 0 || !isJsonObject(document)) return document
  const echoed = echo(document, schema, asked, MOST_LEVELS)
  return echoed === document ? document : (echoed as Document)
}

/** What was asked, where `fill` has nothing for a field next to the records: `{ from, to, rows }`. */
export function fillWithEcho(call: ApiCall, fill: Fill): Fill {
  let asked: ReadonlyMap<string, Json> | undefined
  return (field, level) => {
    const filled = fill(field, level)
    if (filled !== undefined || field.schema === undefined) return filled
    // the address of a list below a record, as the path of its operation
    const { path } = call.operation
    if (field.schema.enum?.length === 1 && field.schema.enum[0] === path)
      return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(call.params[name] ?? ''))
    asked ??= askedOf(call)
    return fitting(field.schema, asked.get(foldName(field.name)))
  }
}

function askedOf({ compiled, params, query, operation, body }: ApiCall): ReadonlyMap<string, Json> {
  const asked = new Map<string, Json>()
  if (!compiled.isWritten) {
    for (const { name, schema } of compiled.queryParameters)
      if (schema?.default !== undefined) asked.set(foldName(name), schema.default)
    const sent = operation.effect.kind === 'example' && isJsonObject(body.value) ? body.value : {}
    for (const [name, value] of Object.entries({ ...query.values, ...sent })) asked.set(foldName(name), value)
  }
  let before = ''
  for (const segment of operation.segments) {
    if (segment.kind === 'static') before = foldNoun(segment.text)
    if (segment.kind !== 'param') continue
    const value = params[segment.name]
    if (value === undefined) continue
    const name = foldName(segment.name)
    // `{id}` below `/items` is the `itemId` or `idItem`, and not the id of the document.
    const isKey = endsInKey(segment.name) && name.length <= 4
    for (const shown of isKey ? [`${before}id`, `id${before}`] : [name]) asked.set(shown, value)
  }
  return asked
}

const fitting = (field: Schema, value: Json | undefined): Json | undefined =>
  value === undefined ? undefined : [value, Number(value), value === 'true'].find((one) => fits(field, one))

function echo(document: JsonObject, schema: Schema, asked: ReadonlyMap<string, Json>, levels: number): JsonObject {
  const echoed: JsonObject = {}
  for (const [name, field] of schema.properties) {
    const value = field.writeOnly ? undefined : fitting(field, asked.get(foldName(name)))
    const stored = document[name]
    if (value !== undefined) setOwn(echoed, name, value)
    else if (levels > 1 && isJsonObject(stored)) {
      const inner = echo(stored, field, asked, levels - 1)
      if (inner !== stored) setOwn(echoed, name, inner)
    }
  }
  return Object.keys(echoed).length === 0 ? document : { ...document, ...echoed }
}
