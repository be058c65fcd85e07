import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Envelope } from '../../openapi/model.ts'
import { unwrapBody } from '../body/unwrap-body.ts'
import type { Setting } from '../calls/call.ts'
import { type ApiResponse, toText } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'

const SECRET = /(key|token|secret|code|password)$/i

/**
 * Optional texts that only the answer to a creation has: without the secret of its new API key, a client could do
 * nothing with it.
 */
export function secretsOf({ presenter }: Setting, model: CollectionModel, answer: Schema | undefined, key: string) {
  const secrets: JsonObject = {}
  if (answer === undefined || answer === model.schema) return secrets
  const own = allNames(model.schema)
  for (const [name, schema] of answer.properties) {
    if (!SECRET.test(name) || own.has(name) || schema.types.join() !== 'string' || schema.enum) continue
    secrets[name] = presenter.projector.project(undefined, schema, `${model.name}/${key}.${name}`, name)
  }
  return secrets
}

/**
 * Texts that only the answer to a creation shows, by name: the secret of an API key, with which later calls identify
 * the record. Undefined without any.
 */
export function shownOnce(
  { schema }: CollectionModel,
  envelope: Envelope,
  { body }: ApiResponse,
): JsonObject | undefined {
  if (envelope.schema === undefined || envelope.schema === schema || body === null) return undefined
  const own = allNames(schema)
  const names = [...envelope.schema.properties.keys()].filter((name) => SECRET.test(name) && !own.has(name))
  if (names.length === 0) return undefined
  const shown = unwrapBody(JSON.parse(toText(body)) as Json, envelope)
  const texts = names.flatMap((name): [string, Json][] => {
    const text = isJsonObject(shown) ? getOwn(shown, name) : undefined
    return typeof text === 'string' ? [[name, text]] : []
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}
