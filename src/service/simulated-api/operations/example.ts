import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { hashText } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { answerEmpty, answerJson, answerOther, asFields, withoutHidden } from './answer.ts'
import { composeAround } from './compose-around.ts'
import { withEcho } from './echo.ts'

/**
 * The answer of an unknown operation: an example of its schema, constant for the same request, with the client's values
 * in fields of the same names.
 */
export function showExample(setting: Setting, call: ApiCall): Answered {
  const { representation, operation } = call
  const { status, content } = operation.success
  const isEmpty = status === 204 || status === 205 || content.size === 0
  if (isEmpty) return { response: answerEmpty(call), changes: [] }
  const key = `${operation.id}/${exampleKey(call)}`
  if (!representation.isJson) return { response: answerOther(setting, call, { key: exampleKey(call) }), changes: [] }
  return { response: answerJson(call, withEcho(call, compose(setting, call, key), representation.schema)), changes: [] }
}

function compose(setting: Setting, call: ApiCall, key: string): Json {
  const { schema, example } = call.representation.media ?? {}
  const sent = call.body.value
  if (Array.isArray(sent) && schema?.items !== undefined && schema.types.includes('array')) {
    const { items } = schema
    return sent.map((item, at) =>
      composeOf(setting, call.operation, { schema: items, sent: item, key: `${key}/${at}` }),
    )
  }
  const results = schema?.items && resultsOf(setting, call.operation, { item: schema.items, sent, key })
  if (results) return results
  if (example !== undefined && (schema === undefined || fits(schema, example as Json))) return example as Json
  if (schema === undefined) return {}
  return composeOf(setting, call.operation, { schema, sent, key })
}

function composeOf(
  setting: Setting,
  operation: Operation,
  { schema, sent, key }: { schema: Schema; sent: Json | undefined; key: string },
): Json {
  const generated = setting.presenter.projector.project(undefined, schema, key)
  if (!isJsonObject(generated)) return generated
  const record = {
    ...generated,
    ...eachOf(setting, operation, { schema, sent, key }),
    ...withoutHidden(asFields(sent), schema),
  }
  for (const name in record) if (TROUBLE.test(name) && Array.isArray(record[name])) record[name] = []
  const composed = composeAround(setting, schema, { record, key: '' }, operation)
  return fits(schema, composed) ? composed : generated
}

/** Lists of what went wrong: nothing did. */
const TROUBLE = /^(errors?|failures?|failed|rejected|warnings?)$/i

/** `{ batch: [{ id }] }`, answered by `{ successes: [{ id, status }] }`: a result for each. */
function eachOf(
  setting: Setting,
  operation: Operation,
  { schema, sent, key }: { schema: Schema; sent: Json | undefined; key: string },
): JsonObject {
  const [only, ...others] = [...schema.properties].filter(
    ([name, { items }]) => !TROUBLE.test(name) && items?.properties.has('id'),
  )
  const item = others.length === 0 ? only?.[1].items : undefined
  const results = item && resultsOf(setting, operation, { item, sent, key })
  return only && results ? { [only[0]]: results } : {}
}

/** A result for each of the ids, or of the objects with one, in the only list of a body: `{ ids: ["a", "b"] }`. */
function resultsOf(
  setting: Setting,
  operation: Operation,
  { item, sent, key }: { item: Schema; sent: Json | undefined; key: string },
): Json[] | undefined {
  const id = item.properties.get('id')
  const [list, ...more] = Object.entries(asFields(sent)).filter(([, value]) => Array.isArray(value))
  if (id === undefined || list === undefined || more.length > 0) return undefined
  const [name, items] = list as [string, Json[]]
  const idOf = (one: Json) => (isJsonObject(one) ? one.id : /ids$/i.test(name) ? one : null) ?? null
  const ids = items.map(idOf).filter((one) => fits(id, one))
  const results = ids.map((own, at) => ({
    ...asFields(composeOf(setting, operation, { schema: item, sent: { id: own }, key: `${key}/${at}` })),
    id: own,
  }))
  return results.length > 0 ? results : undefined
}

function exampleKey({ request }: ApiCall): string {
  const body = Buffer.from(request.body.subarray(0, 65_536)).toString('latin1')
  return hashText(`${request.method} ${request.path}?${request.query} ${body}`).toString(36)
}
