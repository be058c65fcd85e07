import { singularName } from '../../names/nouns.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { findStatusField, findTimestamps } from './inference/record-fields.ts'
import type { ApiModel, CollectionModel, Operation } from './model.ts'
import type { OperationDraft } from './operation-draft.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Where a description says itself what the API keeps. */
const EXTENSION = 'x-backlot-collections'

/**
 * The collections that a description declares, in place of those that its paths would tell; undefined where it declares none.
 * What its operations do to them is then for the effects of the library entry alone. Throws `invalid_spec`.
 */
export function readDeclaredCollections(
  document: JsonObject,
  reader: SchemaReader,
): Pick<ApiModel, 'collections' | 'singletons'> | undefined {
  const declared = document[EXTENSION]
  if (declared === undefined) return undefined
  if (!isJsonObject(declared))
    throw invalidSpec(fault('', 'an object with the schema `record` of each collection', declared))
  return { collections: Object.entries(declared).map(([name, raw]) => toCollection(name, raw, reader)), singletons: [] }
}

/** An operation that does nothing by itself. */
export function withoutEffect({ named: _, pointer: __, ...operation }: OperationDraft): Operation {
  return { ...operation, effect: { kind: 'example' } }
}

function toCollection(name: string, raw: unknown, reader: SchemaReader): CollectionModel {
  const written = isJsonObject(raw) ? raw : {}
  const schema = reader.read(written.record)
  const key = schema?.properties.get('id')
  if (schema === undefined || key === undefined)
    throw invalidSpec(fault(`/${name}/record`, 'the schema of an object with the property `id`', written.record))
  const shown = reader.read(written.shown)
  return {
    name,
    singular: singularName(name),
    schema,
    ...(shown !== undefined && { shownSchema: shown }),
    listSchema: undefined,
    id: { field: ['id'], schema: key, clientChosen: false },
    alternateKeys: [],
    statusField: findStatusField(schema),
    timestamps: findTimestamps(schema),
    parent: undefined,
    relations: [],
    linked: undefined,
    vocabulary: new Map(),
  }
}

const fault = (place: string, wanted: string, got: unknown): string =>
  `Failed to read the description: Expected \`/${EXTENSION}${place}\` to be ${wanted}, got ${JSON.stringify(got)?.slice(0, 100)}.`
