import { isJsonObject, type Json, type JsonObject } from './json.ts'
import type { ModelFile } from './model-file.ts'

/** The extension with a whole {@link ModelFile} at the top of a description, and with its lines at operations and schemas. */
export const MODEL_EXTENSION = 'x-backlot'

/** A description with a `model.yaml`, whose lines take precedence over its own. */
export function withModelFile(description: JsonObject, file: ModelFile): JsonObject {
  const own = description[MODEL_EXTENSION]
  const { collections, operations, ignore } = isJsonObject(own) ? own : {}
  const joined: Record<string, Json | undefined> = {
    collections: { ...(collections as JsonObject | undefined), ...(file.collections as JsonObject | undefined) },
    operations: { ...(operations as JsonObject | undefined), ...(file.operations as JsonObject | undefined) },
    ignore: [...(Array.isArray(ignore) ? ignore : []), ...(file.ignore ?? [])],
  }
  return { ...description, [MODEL_EXTENSION]: joined as JsonObject }
}
