import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { toPointer } from '../../../protocol/json-pointer.ts'
import type { Schema } from '../../../schema/schema.ts'
import { LocalReferences } from '../references.ts'
import { isNullOnly, objectsOf } from './schema-parts.ts'
import { SchemaReader } from './schema-reader.ts'

/** Whether the dialect of a document has the keyword `nullable`. */
export const knowsNullable = (document: JsonObject): boolean => !/^3\.[1-9]/.test(String(document.openapi))

/** The named schemas of a document, under `components` or `definitions`. */
export class ComponentSchemas {
  readonly #names = new Map<JsonObject, string>()
  readonly #references: LocalReferences
  readonly #reader: SchemaReader
  /** Where they stand. */
  readonly #section: readonly string[]

  constructor(document: JsonObject) {
    this.#references = new LocalReferences(document)
    this.#reader = new SchemaReader(this.#references, { knowsNullable: knowsNullable(document) })
    const { components, definitions } = document
    const schemas = isJsonObject(components) ? components.schemas : definitions
    this.#section = isJsonObject(components) ? ['components', 'schemas'] : ['definitions']
    for (const [name, raw] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
      if (isJsonObject(raw)) this.#names.set(raw, name)
    }
  }

  /** The component written as `raw`, or to which it refers. */
  find(raw: JsonObject): { name: string; schema: Schema } | undefined {
    const { value } = this.#references.resolve(raw)
    const name = this.#names.get(value)
    if (name === undefined) return undefined
    // A schema learns its name from a reference.
    const schema = this.#reader.read({ $ref: `#${toPointer([...this.#section, name]).replaceAll('%', '%25')}` })
    return schema && { name, schema }
  }

  /** The only alternative of a choice that is not null. */
  onlyOf(written: unknown): JsonObject | undefined {
    const [only, ...more] = objectsOf(written).filter((one) => !isNullOnly(one))
    return more.length === 0 ? only : undefined
  }

  read(raw: JsonObject): Schema | undefined {
    return this.#reader.read(raw)
  }
}
