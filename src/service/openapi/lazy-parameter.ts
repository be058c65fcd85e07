import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Parameter } from './model.ts'
import type { SchemaReader } from './schema-reader.ts'

/** A parameter whose schema is read when it is first asked for: large descriptions have tens of thousands of them. */
export class LazyParameter implements Parameter {
  readonly name: string
  readonly in: Parameter['in']
  readonly required: boolean
  readonly style: Parameter['style']
  readonly explode: boolean
  readonly #reader: SchemaReader
  readonly #raw: JsonObject

  constructor(reader: SchemaReader, raw: JsonObject, known: Omit<Parameter, 'schema'>) {
    this.#reader = reader
    this.#raw = raw
    this.name = known.name
    this.in = known.in
    this.required = known.required
    this.style = known.style
    this.explode = known.explode
  }

  get schema(): Schema | undefined {
    const { schema, content } = this.#raw
    if (schema !== undefined) return this.#reader.read(schema)
    const media = isJsonObject(content) ? Object.values(content).find(isJsonObject) : undefined
    return this.#reader.read(media?.schema)
  }
}
