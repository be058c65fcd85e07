import type { JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { LazyParameter } from './lazy-parameter.ts'
import type { MediaModel, Parameter, RequestBody, ResponseModel } from './model.ts'
import { mediaTypeOf, objectEntries, statusOf, textOf } from './operation-draft.ts'
import type { SchemaReader } from './schema-reader.ts'

/** A parameter of OpenAPI 3.x, its schema given directly or for one media type. */
export function readParameter3(reader: SchemaReader, raw: JsonObject): Parameter {
  const place = raw.in as Parameter['in']
  const style = (textOf(raw.style) ??
    (place === 'path' || place === 'header' ? 'simple' : 'form')) as Parameter['style']
  return new LazyParameter(reader, raw, {
    name: String(raw.name),
    in: place,
    required: raw.required === true || place === 'path',
    style,
    explode: typeof raw.explode === 'boolean' ? raw.explode : style === 'form' || style === 'deepObject',
  })
}

/** A request body of OpenAPI 3.x. */
export function readBody3(reader: SchemaReader, raw: JsonObject): RequestBody {
  const content = new Map<string, Schema | undefined>()
  for (const [type, media] of mediaOf(reader, raw)) content.set(type, media.schema)
  return { required: raw['required'] === true, content }
}

/** A response of OpenAPI 3.x. */
export function readResponse3(reader: SchemaReader, status: string, raw: JsonObject): ResponseModel {
  const headers = new Map<string, Schema | undefined>()
  for (const [name, written] of objectEntries(raw['headers'])) {
    headers.set(name.toLowerCase(), reader.read(reader.references.resolve(written).value['schema']))
  }
  return { status: statusOf(status), content: mediaOf(reader, raw), headers }
}

/** Keys under `content` that name no media type occur in real descriptions; they are passed over. */
function mediaOf(reader: SchemaReader, raw: JsonObject): Map<string, MediaModel> {
  const content = new Map<string, MediaModel>()
  for (const [written, entry] of objectEntries(reader.references.resolve(raw['content']).value)) {
    const type = mediaTypeOf(written)
    if (!type || content.has(type)) continue
    const media = reader.references.resolve(entry).value
    content.set(type, { schema: schemaOf(reader, media), example: exampleOf(reader, media) })
  }
  return content
}

/** OpenAPI 3.2 describes streams by `itemSchema`: the whole is then an array of items. */
function schemaOf(reader: SchemaReader, media: JsonObject): Schema | undefined {
  if (media['schema'] !== undefined || media['itemSchema'] === undefined) return reader.read(media['schema'])
  return reader.make({ type: 'array', items: media['itemSchema'] }, undefined)
}

function exampleOf(reader: SchemaReader, media: JsonObject): unknown {
  if (media['example'] !== undefined) return media['example']
  const [first] = objectEntries(media['examples'])
  if (!first) return undefined
  const example = reader.references.resolve(first[1]).value
  return example['value'] ?? example['dataValue']
}
