import { isJsonObject, type Json, type JsonObject, readField, writeField } from '../../src/protocol/json.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { RecordScope } from '../../src/service/dataset/dataset.ts'
import type { Effect, Envelope, ItemKey, Operation, Parameter, ScopeParam } from '../../src/service/openapi/model.ts'
import type { ApiRequest } from '../../src/service/simulated-api/exchange.ts'
import type { World } from '../../src/service/world/world.ts'
import { nounOf } from './answers.ts'
import { changeChoices, NAMES_SEVERAL, nameByFields, nameMember, nameSeveral, textAt } from './name-seen.ts'
import { concrete, type Sample, toBodyText, withBoundary } from './sample.ts'
import { patchOf } from './sample-patch.ts'

/** Records of a collection and their place in a body. */
interface NamedBody {
  readonly collection: string
  readonly body: Envelope | undefined
}

/** Header parameters that OpenAPI says are ignored: media types and credentials are declared elsewhere. */
const TRANSPORT: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization', 'content-length'])

/** The new value of a changed text. */
const CHANGED = 'changed by a client'
/** Which of the records each attempt is about. */
const DRAWS = [0.4, 2 ** 31, 3 * 2 ** 30]
/** The command of each attempt, for actions whose body names one. */
const SAID = ['archive', 'disable', 'delete']
/** Longest value of an optional parameter of the query that is sent. */
const LONGEST_FIELD = 1_000

/** Makes valid requests for the records of a world. */
export class SampleRequests {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** A request for `operation` about one of the world's records. Another `attempt` sends another body. */
  sample(operation: Operation, attempt = 0): Sample {
    const { effect } = operation
    const params: Record<string, string> = {}
    const body = this.#body(operation, attempt)
    const query: [string, string][] = []
    if (effect.kind === 'create') this.#chooseKey(effect, body.value, attempt)
    if (effect.kind === 'bulkCreate') this.#leaveOutKeys(effect, body.value, attempt)
    const key =
      'collection' in effect ? this.#world.collection(effect.collection).pickKey(DRAWS[attempt % 3] ?? 0) : undefined
    if ('collection' in effect) this.#nameRecord(effect, key, { params, query, body: body.value })
    else if ('scope' in effect) this.#nameScope(effect.scope, this.#someScope(effect.scope), params)
    for (const parameter of operation.parameters) {
      if (parameter.in === 'path') params[parameter.name] ??= this.#text(parameter, operation)
      else if (
        parameter.in === 'query' &&
        (parameter.required || isField(parameter, operation)) &&
        !query.some(([name]) => name === parameter.name)
      ) {
        const text = this.#lookedFor(operation, parameter, key) ?? this.#text(parameter, operation)
        const isWritable = text.length < LONGEST_FIELD && !parameter.schema?.items?.types.includes('object')
        if (parameter.required || isWritable) query.push([parameter.name, text])
      }
    }
    if ((effect.kind === 'update' || effect.kind === 'replace') && key !== undefined && attempt > 0) {
      const schema = operation.requestBody?.content.get(body.type ?? '')
      changeChoices(effect, { record: this.#world.collection(effect.collection).get(key), body: body.value, schema })
    }
    const verbField = effect.kind === 'action' ? effect.verbInBody?.field : undefined
    if (verbField !== undefined && isJsonObject(body.value)) body.value[verbField] = SAID[attempt % 3] ?? 'delete'
    if (effect.kind === 'action' && key !== undefined) {
      nameMember(effect, this.#world.collection(effect.collection).get(key), { params, body: body.value })
    }
    const headers = operation.parameters.filter(
      ({ in: place, required, name }) => place === 'header' && required && !TRANSPORT.has(name.toLowerCase()),
    )
    return {
      params,
      query,
      headers: Object.fromEntries(headers.map((header) => [header.name.toLowerCase(), this.#text(header, operation)])),
      contentType: body.type,
      schema: operation.requestBody?.content.get(body.type ?? ''),
      body: this.#about(operation, key, body) ?? body.value,
    }
  }

  /** What `GET /customers/email?q=` looks for: a value of a record, since others have no answer but 404. */
  #lookedFor({ effect, path }: Operation, { name }: Parameter, key: string | undefined): string | undefined {
    if (effect.kind !== 'search' || effect.envelope.shape !== 'record' || key === undefined) return undefined
    const record = this.#world.collection(effect.collection).get(key)
    const field = /^(q|query|search|value|term)$/i.test(name) ? nounOf(path) : name
    return record && textAt(record, [field])
  }

  /** A body that depends on the record: a patch of one of its fields, an item of one of its lists. */
  #about(
    { effect, requestBody }: Operation,
    key: string | undefined,
    { type, value }: { readonly type: string | undefined; readonly value: Json | undefined },
  ): Json | undefined {
    if (key === undefined || !('collection' in effect)) return undefined
    const record = this.#world.collection(effect.collection).get(key)
    if (record === undefined) return undefined
    const schema = requestBody?.content.get(type ?? '')
    return isPatch(schema) && Array.isArray(value)
      ? patchOf(record, schema, { of: this.#world.collection(effect.collection).model.schema, text: CHANGED })
      : undefined
  }

  /** A body that fits the description: JSON where it may be, else the first other type that can be written. */
  #body(operation: Operation, attempt: number): { type: string | undefined; value: Json | undefined } {
    const content = [...(operation.requestBody?.content ?? [])]
    const [type, schema] =
      content.find(([name]) => name.includes('json')) ??
      content.find(([name]) => name.includes('urlencoded')) ??
      content.find(([name]) => name.startsWith('multipart/')) ??
      content[0] ??
      []
    if (type === undefined) return this.#undeclaredBody(operation)
    if (isPatch(schema)) return { type: concrete(type), value: [] }
    const key = `request ${operation.id}${attempt > 0 ? ` ${attempt}` : ''}`
    const value = this.#world.dataset.example(schema, key, { mode: 'request' })
    // An object without a schema: a client sends the fields of records.
    const isOpen =
      type.includes('json') && isJsonObject(value) && Object.keys(value).length === 0 && schema?.fields.size === 0
    return { type: concrete(type), value: (isOpen ? this.#undeclaredBody(operation).value : undefined) ?? value }
  }

  /** The body of a change without a declared schema: fields of existing records. */
  #undeclaredBody({ method, effect, requestBody }: Operation): { type: string | undefined; value: Json | undefined } {
    const nothing = { type: undefined, value: undefined }
    const isRequired = requestBody?.required === true && requestBody.content.size === 0
    // A body that must be there, of which nothing is said.
    if ((effect.kind === 'create' || effect.kind === 'delete') && isRequired)
      return { type: 'application/json', value: {} }
    if (effect.kind === 'action' && method !== 'DELETE' && method !== 'GET') {
      const named = effect.sets.filter(({ to }) => to === 'argument').map(({ field }) => [field.at(-1) ?? '', CHANGED])
      return named.length === 0 ? nothing : { type: 'application/json', value: Object.fromEntries(named) as JsonObject }
    }
    if ((effect.kind !== 'update' && effect.kind !== 'replace') || method === 'GET') return nothing
    const texts = [...(this.#world.collection(effect.collection).model.schema?.properties ?? [])].filter(
      ([name, { types, format, enum: values, readOnly }]) =>
        types[0] === 'string' && !format && !values && !readOnly && !/(^|_)(id|key|uuid|type)$|Id$/i.test(name),
    )
    const sent = texts.slice(0, 1).map(([name]) => [name, CHANGED])
    return { type: 'application/json', value: Object.fromEntries(sent) as JsonObject }
  }

  /** A free key, where the client chooses the key of a new record. */
  #chooseKey(effect: Extract<Effect, { kind: 'create' }>, body: Json | undefined, attempt: number): void {
    const view = this.#world.collection(effect.collection)
    const { id, name } = view.model
    const sent = effect.body?.path.reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), body)
    const { field } = id
    const own = field && isJsonObject(sent) ? readField(sent, field) : undefined
    const isTaken = (typeof own === 'string' || typeof own === 'number') && view.has(String(own))
    if (!(id.clientChosen || isTaken) || field === undefined || !isJsonObject(sent) || own === undefined) return
    const made = this.#world.dataset.complete(
      name,
      {},
      {
        ordinal: 1000 + attempt,
        at: 0,
        scope: {},
        pickKey: (collection, draw) => this.#world.collection(collection).pickKey(draw),
        taken: view,
      },
    )
    // `accountCD: { value }` is sent as an object.
    const key = made && readField(made.record, field)
    if (key !== undefined && typeof key === typeof own) Object.assign(sent, writeField(sent, field, key))
  }

  /** A batch creation names no existing record, unless the client chooses the keys. */
  #leaveOutKeys({ collection, body: place }: NamedBody, body: Json | undefined, attempt: number): void {
    const { id } = this.#world.collection(collection).model
    const field = id.field?.length === 1 && (attempt > 0 || !id.clientChosen) ? id.field[0] : undefined
    const items = place?.path.reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), body)
    if (field === undefined || !Array.isArray(items)) return
    for (const item of items) if (isJsonObject(item)) delete item[field]
  }

  /** The scope values that the path parameters of an effect take for a record with this scope. */
  #nameScope(scope: readonly ScopeParam[], of: RecordScope, params: Record<string, string>): void {
    for (const { param, collection, key } of scope) {
      const value = of[collection ?? param]
      if (value === undefined) continue
      const parent = collection !== undefined && key ? this.#world.collection(collection).get(value) : undefined
      params[param] = (parent && key && textAt(parent, key)) || value
    }
  }

  #nameRecord(
    effect: Extract<Effect, { collection: string }>,
    key: string | undefined,
    { params, query, body }: { params: Record<string, string>; query: [string, string][]; body: Json | undefined },
  ): void {
    const view = this.#world.collection(effect.collection)
    if (effect.kind === 'bulkUpdate' || effect.kind === 'bulkDelete' || (effect.kind === 'action' && effect.many)) {
      const keys = [2 ** 30, 3 * 2 ** 30].flatMap((draw) => view.pickKey(draw) ?? [])
      nameSeveral(body, [...new Set(keys)], view.model.id.field?.at(-1) ?? 'id')
      for (const pair of query) if (NAMES_SEVERAL.test(pair[0])) pair[1] = keys.join(',')
    }
    const record = key === undefined ? undefined : view.get(key)
    if (record !== undefined) nameByFields(effect, record, body)
    // A referenced record is requested through the referring record.
    const of = 'of' in effect ? effect.of : undefined
    if (of) params[of.param] = this.#world.collection(of.collection).pickKey(2 ** 30) ?? ''
    if (of || key === undefined || record === undefined) {
      this.#nameScope(effect.scope, this.#someScope(effect.scope), params)
      return
    }
    this.#nameScope(
      effect.scope,
      { ...this.#someScope(effect.scope), ...view.scopeOf(key), ...fieldScope(effect.scope, record) },
      params,
    )
    for (const item of 'keys' in effect ? effect.keys : [])
      place(item, item.field ? (textAt(record, item.field) ?? key) : key, { params, query, body })
  }

  /** One record of each collection that the parameters name, consistent from the innermost outwards. */
  #someScope(scope: readonly ScopeParam[]): RecordScope {
    let chosen: Record<string, string> = {}
    for (const { collection } of scope) {
      if (collection === undefined) continue
      const view = this.#world.collection(collection)
      const key = chosen[collection] ?? view.pickKey(0.3)
      if (key !== undefined) chosen = { ...chosen, ...view.scopeOf(key), [collection]: key }
    }
    return chosen
  }

  #text(parameter: Parameter, operation: Operation): string {
    const value = this.#world.dataset.example(parameter.schema, `${operation.id} ${parameter.name}`, {
      name: parameter.name,
    })
    if (Array.isArray(value))
      return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(',')
    return typeof value === 'object' ? JSON.stringify(value) : String(value) || 'x'
  }

  /** The request as the service sees it. */
  toRequest(operation: Operation, sample: Sample): ApiRequest {
    const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
      encodeURIComponent(sample.params[name] ?? 'x'),
    )
    const [plain = ''] = path.split(/[?#]/, 1)
    return {
      method: operation.method,
      path: plain,
      query: new URLSearchParams(sample.query).toString(),
      headers: {
        ...sample.headers,
        ...(sample.contentType ? { 'content-type': withBoundary(sample.contentType) } : {}),
      },
      body: new TextEncoder().encode(toBodyText(sample)),
      ip: '127.0.0.1',
      origin: 'https://api.example.com',
    }
  }
}

/** Writes without a body carry what they write in the query. */
function isField({ name }: Parameter, { method, requestBody, effect }: Operation): boolean {
  const isWrite = (['POST', 'PUT', 'PATCH'].includes(method) || effect.kind === 'update') && requestBody === undefined
  const isKey = 'keys' in effect && effect.keys.some(({ param }) => param === name)
  return (
    isWrite && !isKey && !/^(fields|expand|include|pretty|format|key|token|callback|access_token|api_key)$/i.test(name)
  )
}

/** Whether a body is a JSON Patch (RFC 6902), which only makes sense for a record that is known. */
export function isPatch(schema: Schema | undefined): boolean {
  const step = schema?.items
  return step?.properties.has('op') === true && step.properties.has('path')
}

function place(
  { in: where, param }: ItemKey,
  value: string,
  { params, query, body }: { params: Record<string, string>; query: [string, string][]; body: Json | undefined },
): void {
  if (where === 'path') params[param] = value
  else if (where === 'query') query.push([param, value])
  else if (where === 'body' && isJsonObject(body)) body[param] = typeof body[param] === 'number' ? Number(value) : value
}

function fieldScope(scope: readonly ScopeParam[], record: JsonObject): RecordScope {
  return Object.fromEntries(
    scope.flatMap(({ collection, param, field }) => {
      const value = field && textAt(record, field)
      return value === undefined ? [] : [[collection ?? param, value]]
    }),
  )
}
