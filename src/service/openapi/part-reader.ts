import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { isFormType, toEssence } from '../../protocol/media-type.ts'
import type { Schema } from '../../schema/schema.ts'
import type { DeclaredHeader, MediaModel, Parameter, RequestBody, ResponseModel } from './model.ts'
import { onePer } from './one-per.ts'
import { holdsJson, mediaTypeOf, objectEntries, textOf, toStatus } from './operation-draft.ts'
import { exampleSchemaOf } from './schemas/example-schema.ts'
import { nestFields } from './schemas/form-schema.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const JSON_TYPE = 'application/json'
const NO_TYPES: readonly string[] = []

/** How one generation of OpenAPI writes the parts of an operation. Each written part is read once. */
export interface PartReader {
  parameter(raw: JsonObject): Parameter
  body(operation: JsonObject, parameters: readonly JsonObject[]): RequestBody | undefined
  /** The responses of an operation, by status as written. */
  responses(operation: JsonObject): ReadonlyMap<string, ResponseModel>
}

type Answer = Omit<ResponseModel, 'status'>

export const partReaderOf = (document: JsonObject, reader: SchemaReader): PartReader =>
  document.swagger === undefined ? partReader3(reader) : partReader2(reader, document)

function partReader3(reader: SchemaReader): PartReader {
  const bodyOf = onePer((raw: JsonObject) => readBody3(reader, raw))
  const answerOf = onePer((raw: JsonObject) =>
    raw.content === undefined && isJsonObject(raw.schema)
      ? readAnswer2(reader, raw, NO_TYPES)
      : readAnswer3(reader, raw),
  )
  const responsesOf = onePer((written: unknown) => readResponses(reader, written, answerOf))
  const scalarOf = onePer((raw: JsonObject) => readScalar(reader, raw))
  // rswag writes bodies and answers as Swagger 2.0 does where a spec names no media type.
  const bodyIn = onePer((parameters: readonly JsonObject[]) => readBody2(reader, parameters, NO_TYPES))
  return {
    parameter: onePer((raw) => readParameter3(reader, withSeveral(reader, raw), scalarOf)),
    body: ({ requestBody }, parameters) =>
      isJsonObject(requestBody) ? bodyOf(reader.references.resolve(requestBody).value) : bodyIn(parameters),
    responses: (operation) => responsesOf(operation.responses),
  }
}

function partReader2(reader: SchemaReader, document: JsonObject): PartReader {
  const typesIn = onePer((types: unknown) =>
    (Array.isArray(types) ? types : []).flatMap((type) => mediaTypeOf(String(type)) ?? []),
  )
  const responsesFor = onePer((types: readonly string[]) => {
    const answerOf = onePer((raw: JsonObject) => readAnswer2(reader, raw, types))
    return onePer((written: unknown) => readResponses(reader, written, answerOf))
  })
  const bodyFor = onePer((types: readonly string[]) =>
    onePer((parameters: readonly JsonObject[]) => readBody2(reader, parameters, types)),
  )
  return {
    parameter: onePer((raw) => readParameter2(reader, withSeveral(reader, raw))),
    body: (operation, parameters) => bodyFor(typesIn(operation.consumes ?? document.consumes))(parameters),
    responses: (operation) => responsesFor(typesIn(operation.produces ?? document.produces))(operation.responses),
  }
}

function readResponses(
  reader: SchemaReader,
  written: unknown,
  answerOf: (raw: JsonObject) => Answer,
): ReadonlyMap<string, ResponseModel> {
  const responses = new Map<string, ResponseModel>()
  for (const [status, raw] of objectEntries(written)) {
    if (status.startsWith('x-')) continue
    responses.set(status, { status: toStatus(status), ...answerOf(reader.references.resolve(raw).value) })
  }
  return responses
}

/**
 * A parameter of one value whose text lets clients repeat it, as one of a list: `id` of Traccar, `sort_by` of Vikunja, `tags_contains_all[]` of
 * Cobalt (docs.cobalt.io). OpenAPI repeats only lists (3.1.1, Style Values).
 */
function withSeveral({ references }: SchemaReader, raw: JsonObject): JsonObject {
  const { name = '', in: place, required = false, description, schema = raw } = raw
  const isOne = place === 'query' && !/array|object|undefined/.test(String(references.resolve(schema).value.type))
  if (!isOne || !SEVERAL.test(textOf(description) ?? '')) return raw
  const list = { type: 'array', items: schema }
  return schema === raw ? { name, in: place, required, ...list, collectionFormat: 'multi' } : { ...raw, schema: list }
}

/** "You can pass this multiple times", "can be specified multiple times", "Multiple params can be passed". */
const SEVERAL =
  /\b(can|may) (be )?(repeated|(pass|specif|giv|provid|sen[dt]|set)\w*( this)? (multiple|several) times)|multiple params can/i

/** A parameter of Swagger 2.0, except the body: it is its own schema. */
function readParameter2(reader: SchemaReader, raw: JsonObject): Parameter {
  const place = raw.in as Parameter['in']
  const format = raw.collectionFormat
  return {
    name: String(raw.name),
    in: place,
    required: raw.required === true || place === 'path',
    description: textOf(raw.description),
    schema: reader.read(raw),
    style: STYLES.get(String(format)) ?? (place === 'path' || place === 'header' ? 'simple' : 'form'),
    explode: format === 'multi',
  }
}

const STYLES: ReadonlyMap<string, Parameter['style']> = new Map(
  Object.entries({
    ssv: 'spaceDelimited',
    tsv: 'tabDelimited',
    pipes: 'pipeDelimited',
    form: 'form',
    simple: 'simple',
    spaceDelimited: 'spaceDelimited',
    pipeDelimited: 'pipeDelimited',
    deepObject: 'deepObject',
    label: 'label',
    matrix: 'matrix',
  }),
)

/** The request body of an operation of Swagger 2.0: its `body` parameter, or its `formData` parameters together. */
function readBody2(
  reader: SchemaReader,
  parameters: readonly JsonObject[],
  consumes: readonly string[],
): RequestBody | undefined {
  const body = parameters.find((parameter) => parameter.in === 'body')
  if (body) {
    const types = consumes.length > 0 ? consumes : [JSON_TYPE]
    const schema = reader.read(body.schema)
    return { required: body.required === true, content: new Map(types.map((type) => [type, schema])) }
  }
  const fields = parameters.filter((parameter) => parameter.in === 'formData')
  if (fields.length === 0) return undefined
  const required = fields.filter((field) => field.required === true).map((field) => String(field.name))
  const properties = Object.fromEntries(fields.map((field) => [String(field.name), field]))
  const schema = reader.make(nestFields({ type: 'object', properties, required }), undefined)
  const isForm = consumes.includes(FORM) || consumes.includes(MULTIPART)
  const types = isForm ? consumes.filter((type) => type === FORM || type === MULTIPART || type === JSON_TYPE) : []
  const lists = fields.filter((field) => field.type === 'array').map((field) => readParameter2(reader, field))
  const fallback = fields.some((field) => field.type === 'file') ? MULTIPART : FORM
  return {
    required: required.length > 0,
    content: new Map((types.length > 0 ? types : [fallback]).map((type) => [type, schema])),
    ...(lists.length > 0 && { styled: new Map([FORM, MULTIPART].map((type) => [type, lists])) }),
  }
}

/** A response of Swagger 2.0: one schema for every media type that the operation produces. */
function readAnswer2(reader: SchemaReader, raw: JsonObject, produces: readonly string[]): Answer {
  const schema = reader.read(raw.schema)
  const examples = new Map(objectEntriesOfAnything(raw.examples))
  const types = produces.length > 0 ? produces : [JSON_TYPE]
  const content = new Map<string, MediaModel>()
  for (const type of types) {
    const example = examples.get(type)
    const shown = holdsJson(type) ? exampleSchemaOf(reader, raw.schema, example) : undefined
    if (shown ?? schema) content.set(type, { schema: shown ?? schema, example })
  }
  const headers = headersOf(raw, (header) => ({ ...OPTIONAL, schema: reader.read(header) }))
  return { description: textOf(raw.description), content, headers }
}

function objectEntriesOfAnything(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, example]) => {
    const type = mediaTypeOf(name)
    return type ? [[type, example] as [string, unknown]] : []
  })
}

/** A parameter of OpenAPI 3.x, with its schema given directly or for one media type. */
function readParameter3(
  reader: SchemaReader,
  raw: JsonObject,
  scalarOf: (raw: JsonObject) => Schema | undefined,
): Parameter {
  const place = raw.in as Parameter['in']
  const style = styleOf(raw, place)
  return new LazyParameter({ reader, scalarOf }, raw, {
    name: String(raw.name),
    in: place,
    required: raw.required === true || place === 'path',
    style,
    explode: typeof raw.explode === 'boolean' ? raw.explode : style === 'form' || style === 'deepObject',
  })
}

function styleOf({ style, content }: JsonObject, place: Parameter['in']): Parameter['style'] {
  const [type] = Object.keys(Object(content ?? {}))
  if (type !== undefined && holdsJson(toEssence(type))) return 'json'
  const usual = place === 'path' || place === 'header' ? 'simple' : 'form'
  return STYLES.get(String(style)) ?? usual
}

/**
 * `{ minimum: 1, default: 20, allOf: [Object] }`, as generators write a type that they do not know: an object without
 * properties is not what these keywords are about.
 */
function readScalar(reader: SchemaReader, raw: JsonObject): Schema | undefined {
  const { types, properties, variants, additionalProperties } = reader.read(raw) as Schema
  if (types.join() !== 'object' || properties.size > 0 || variants || typeof additionalProperties === 'object')
    return undefined
  const { type: _, allOf: __, $ref: ___, ...keywords } = raw
  const shown = keywords.default ?? keywords.example
  const isNumber = typeof shown === 'number' || (shown === undefined && isBounded(raw))
  const type = isNumber ? (Number.isInteger(shown ?? 1) ? 'integer' : 'number') : typeof shown
  return isNumber || type === 'string' || type === 'boolean' ? reader.make({ ...keywords, type }, undefined) : undefined
}

const isBounded = ({ minimum, maximum }: JsonObject): boolean =>
  typeof minimum === 'number' || typeof maximum === 'number'

/** A request body of OpenAPI 3.x. */
function readBody3(reader: SchemaReader, raw: JsonObject): RequestBody {
  const content = new Map<string, Schema | undefined>()
  for (const [type, media] of mediaOf(reader, raw, false)) content.set(type, media.schema)
  const styled = styledFields(reader, raw)
  return { required: raw.required === true, content, ...(styled.size > 0 && { styled }) }
}

/** The fields of forms whose `encoding` says how their values are written. */
function styledFields(reader: SchemaReader, raw: JsonObject): ReadonlyMap<string, readonly Parameter[]> {
  const styled = new Map<string, readonly Parameter[]>()
  for (const [type, entry] of objectEntries(reader.references.resolve(raw.content).value)) {
    const media = reader.references.resolve(entry).value
    const fields = objectEntries(media.encoding).flatMap(([name, { style, explode, contentType }]): Parameter[] => {
      const mediaTypes = typeof contentType === 'string' ? contentType.split(',').map(toEssence) : undefined
      if (style === undefined && explode === undefined && mediaTypes === undefined) return []
      const schema = reader.read(media.schema)?.properties.get(name)
      const own = mediaTypes?.every(holdsJson) ? 'json' : styleOf({ ...(style !== undefined && { style }) }, 'query')
      return [
        {
          name,
          in: 'query',
          required: false,
          schema,
          style: own,
          explode: explode === true || (explode === undefined && own === 'form'),
          ...(mediaTypes && { mediaTypes }),
        },
      ]
    })
    if (fields.length > 0) styled.set(toEssence(type), fields)
  }
  return styled
}

/** A response of OpenAPI 3.x. */
function readAnswer3(reader: SchemaReader, raw: JsonObject): Answer {
  const headers = headersOf(raw, (written) => {
    const header = reader.references.resolve(written).value
    const [, media] = objectEntries(header.content)[0] ?? ['', header]
    const { required, explode } = header
    const schema = reader.read(media.schema)
    return { required: required === true, explode: explode === true, schema, example: exampleOf(reader, media) }
  })
  return { description: textOf(raw.description), content: mediaOf(reader, raw, true), headers }
}

const NO_HEADERS: Answer['headers'] = new Map()
/** A header of OpenAPI 2.0, which cannot say that it is required. */
const OPTIONAL = { required: false, explode: false, example: undefined }

/** The headers of a response, in lower case. Most responses have none. */
function headersOf(
  { headers }: JsonObject,
  read: (written: JsonObject) => Omit<DeclaredHeader, 'name'>,
): Answer['headers'] {
  const written = objectEntries(headers)
  if (written.length === 0) return NO_HEADERS
  return new Map(written.map(([name, header]) => [name.toLowerCase(), { name, ...read(header) }]))
}

/** The media types under `content`. Keys that are no media type are skipped: real descriptions have some. */
function mediaOf(reader: SchemaReader, raw: JsonObject, isAnswer: boolean): Map<string, MediaModel> {
  const content = new Map<string, MediaModel>()
  for (const [written, entry] of objectEntries(reader.references.resolve(raw.content).value)) {
    const type = mediaTypeOf(written)
    if (!type || content.has(type)) continue
    const media = reader.references.resolve(entry).value
    const example = exampleOf(reader, media)
    const shown = isAnswer && holdsJson(type) ? exampleSchemaOf(reader, media.schema, example) : undefined
    content.set(type, {
      schema: shown ?? (isFormType(type) ? formOf(reader, media) : schemaOf(reader, media)),
      example,
    })
  }
  return content
}

/** A form's schema: its names may have brackets. */
function formOf(reader: SchemaReader, media: JsonObject): Schema | undefined {
  const raw = reader.references.resolve(media.schema).value
  const nested = nestFields(raw)
  return nested === raw ? reader.read(media.schema) : reader.make(nested, undefined)
}

/** OpenAPI 3.2 describes streams with `itemSchema`: the body is then an array of items. */
function schemaOf(reader: SchemaReader, media: JsonObject): Schema | undefined {
  if (media.schema !== undefined || media.itemSchema === undefined) return reader.read(media.schema)
  return reader.make({ type: 'array', items: media.itemSchema }, undefined)
}

function exampleOf(reader: SchemaReader, media: JsonObject): unknown {
  if (media.example !== undefined) return media.example
  const [first] = objectEntries(media.examples)
  if (!first) return undefined
  const example = reader.references.resolve(first[1]).value
  return example.value ?? example.dataValue
}

/** A parameter whose schema is read at first use: large descriptions have tens of thousands of parameters. */
class LazyParameter implements Parameter {
  readonly name: string
  readonly in: Parameter['in']
  readonly required: boolean
  readonly style: Parameter['style']
  readonly explode: boolean
  readonly #read: ParameterReader
  readonly #raw: JsonObject
  #schema: { readonly read: Schema | undefined } | undefined

  constructor(read: ParameterReader, raw: JsonObject, known: Omit<Parameter, 'schema'>) {
    this.#read = read
    this.#raw = raw
    this.name = known.name
    this.in = known.in
    this.required = known.required
    this.style = known.style
    this.explode = known.explode
  }

  get description(): string | undefined {
    return textOf(this.#raw.description)
  }

  get example(): unknown {
    return exampleOf(this.#read.reader, this.#raw)
  }

  get schema(): Schema | undefined {
    this.#schema ??= { read: this.#readSchema() }
    return this.#schema.read
  }

  #readSchema(): Schema | undefined {
    const { schema, content } = this.#raw
    const { reader, scalarOf } = this.#read
    const hasExample = isJsonObject(schema) && (schema.default !== undefined || schema.example !== undefined)
    if (hasExample || (isJsonObject(schema) && isBounded(schema))) return scalarOf(schema) ?? reader.read(schema)
    if (schema !== undefined) return reader.read(schema)
    const media = isJsonObject(content) ? Object.values(content).find(isJsonObject) : undefined
    return reader.read(media?.schema)
  }
}

interface ParameterReader {
  readonly reader: SchemaReader
  /** See {@link readScalar}. */
  readonly scalarOf: (raw: JsonObject) => Schema | undefined
}
