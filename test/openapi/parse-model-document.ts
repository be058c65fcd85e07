import { didYouMean } from '../../src/names/nearest-name.ts'
import { invalidSpec } from '../../src/protocol/errors.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { parseRequest } from '../../src/protocol/parse-request.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { fromModelDocument, type ModelDocument } from '../../src/service/openapi/model-document.ts'
import { modelGrammar } from './model-grammar.ts'

/**
 * The model of a description from a document that anyone may have written.
 *
 * @throws {@link ApiError} `invalid_request` with the field and its bound, and `invalid_spec` for an operation that the
 *   description does not have, for a place without a schema, and for a name of no collection.
 */
export function parseModelDocument(value: unknown, description: JsonObject): ApiModel {
  const document = parseRequest(modelGrammar, value, 'the model') as ModelDocument
  const model = fromModelDocument(document, description)
  const known = [...model.collections, ...model.singletons].map(({ name }) => name)
  for (const [place, name] of namesIn(document)) {
    if (known.includes(name)) continue
    throw invalidSpec(
      `Failed to read the model: \`${place}\` names \`${name}\`, which is neither under \`collections\` nor under \`singletons\`.${didYouMean(name, known)} Add it there, or name one of those.`,
    )
  }
  // Reads every schema and every operation, which fails where the description lacks one.
  const read = model.operations.map(({ effect, parameters }) => [effect, parameters])
  for (const part of [read, model.collections, model.singletons]) JSON.stringify(part, readSchema)
  return model
}

/** A schema is read no further. */
const readSchema = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'isContradictory' in value ? null : value

/** The names of collections and singletons in a document, with their places. */
function* namesIn({ operations, collections, singletons, declaredEvents }: ModelDocument) {
  for (const [key, { effect }] of Object.entries(operations)) yield* namesBelow(effect, `operations.${key}`)
  for (const [key, { parent, relations, linked }] of Object.entries(collections))
    yield* namesBelow({ parent, relations, linked: linked && { collection: linked } }, `collections.${key}`)
  for (const [key, { parent }] of Object.entries(singletons)) if (parent) yield [`singletons.${key}`, parent] as const
  for (const { type, collection } of declaredEvents) yield [`declaredEvents.${type}`, collection] as const
}

function* namesBelow(value: unknown, place: string): Generator<readonly [place: string, name: string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const isName = typeof inner === 'string' && (name === 'collection' || name === 'singleton')
    if (isName) yield [place, inner]
    else yield* namesBelow(inner, `${place}.${name}`)
  }
}
