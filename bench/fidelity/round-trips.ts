import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { isJsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { ApiModel, CollectionModel, Effect, Operation } from '../../src/service/openapi/model.ts'
import type { Service } from '../../src/service/start.ts'
import type { World } from '../../src/service/world/world.ts'
import type { Tally } from './answer-validity.ts'
import { isPatch, type Sample, SampleRequests, textAt, toBodyText } from './sample-requests.ts'

type OperationOf<K extends Effect['kind']> = Operation & { readonly effect: Effect & { readonly kind: K } }

interface Answer {
  readonly status: number
  readonly json: Json | undefined
}

/** What a description can do with the records of one collection. */
interface Trip {
  readonly collection: CollectionModel
  readonly create: OperationOf<'create'>
  readonly read: OperationOf<'read'>
  readonly list: OperationOf<'list'> | undefined
  readonly update: OperationOf<'update' | 'replace'> | undefined
  readonly remove: OperationOf<'delete'> | undefined
}

/** Create, read back, found in the list, update, delete, 404: whichever of these each collection has, over HTTP. */
export async function measureRoundTrips(
  service: Service,
  parts: { text: string; model: ApiModel; world: World; seed: string; epoch: number; volume: Record<string, number> },
): Promise<Tally> {
  const tally: Tally = { passed: 0, total: 0, misses: [] }
  const trips = findTrips(parts.model)
  tally.total = trips.length
  if (trips.length === 0) return tally
  const created = await manage(service, 'POST', '/v1/simulations', {
    spec: parts.text,
    seed: parts.seed,
    epoch: new Date(parts.epoch).toISOString(),
    volume: parts.volume,
  })
  if (created.status !== 201 || !isJsonObject(created.json)) {
    tally.misses.push(`creation answered ${created.status} ${JSON.stringify(created.json).slice(0, 300)}`)
    return tally
  }
  const { id, url, apiKey } = created.json as { id: string; url: string; apiKey: string }
  const client = new TripClient(parts.model, url, apiKey, new SampleRequests(parts.world))
  const lastKey = async (collection: string) => {
    const events = await manage(service, 'GET', `/v1/simulations/${id}/events`)
    const [latest] = isJsonObject(events.json) && Array.isArray(events.json.data) ? events.json.data : []
    const data = isJsonObject(latest) && isJsonObject(latest.data) ? latest.data : {}
    return data.collection === collection ? String(data.id) : undefined
  }
  for (const trip of trips) {
    const fault = await runTrip(trip, client, lastKey).catch((error: Error) => `threw ${error.message}`)
    if (fault === undefined) tally.passed++
    else tally.misses.push(`${trip.collection.name}: ${fault}`)
  }
  await manage(service, 'DELETE', `/v1/simulations/${id}`)
  return tally
}

async function manage(service: Service, method: string, path: string, body?: Json): Promise<Answer> {
  const response = await request(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: parse(await response.text()) }
}

/** While this process was measuring, the service may have closed an idle connection: then once more. */
function request(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => fetch(url, init))
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text === '' ? undefined : text
  }
}

const byLength = (left: Operation, right: Operation): number => left.segments.length - right.segments.length

function findTrips(model: ApiModel): Trip[] {
  return model.collections.flatMap((collection) => {
    const of = <K extends Effect['kind']>(...kinds: K[]): OperationOf<K>[] =>
      model.operations.filter(
        ({ effect }) =>
          (kinds as string[]).includes(effect.kind) && 'collection' in effect && effect.collection === collection.name,
      ) as OperationOf<K>[]
    const [read] = of('read').toSorted(byLength)
    const base = read?.path.replace(/(\/\{[^/]*)+\/?$/, '')
    const find = <K extends Effect['kind']>(...kinds: K[]): OperationOf<K> | undefined => {
      const found = of(...kinds).toSorted(byLength)
      return found.find(({ path }) => path === base || path === read?.path) ?? found[0]
    }
    const create = find('create')
    if (!create || !read) return []
    return [{ collection, create, read, list: find('list'), update: find('update', 'replace'), remove: find('delete') }]
  })
}

async function runTrip(
  trip: Trip,
  client: TripClient,
  lastKey: (collection: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { collection, create, read, list, update, remove } = trip
  const { sample, answer: made } = await createOnce(trip, client)
  if (made.status >= 300) return `create answered ${made.status} ${show(made.json)}`
  const record = inside(made.json, create.effect.envelope.path)
  const key = (collection.id.field && textAt(record, collection.id.field)) ?? (await lastKey(collection.name))
  if (key === undefined) return 'nobody told the key of the new record'
  const sent = inside(sample.body, create.effect.body?.path ?? [])
  const about: About = { key, record: isJsonObject(record) ? record : {}, sent, params: sample.params }

  const shown = await client.about(read, about)
  if (shown.status !== 200) return `read answered ${shown.status} ${show(shown.json)}`
  const kept = inside(shown.json, read.effect.envelope.path)
  const lost = lostField(sent, kept, read.effect.envelope.schema, collection)
  if (lost !== undefined) return `read back ${lost}`
  const known: About = { ...about, record: { ...about.record, ...(isJsonObject(kept) ? kept : {}) } }

  if (list && !(await isListed(client, list, known, collection))) return `list ${list.path} does not show it`
  if (update) {
    const fault = await tryUpdate(client, update, read, known, collection)
    if (fault !== undefined) return fault
  }
  if (!remove) return undefined
  const removed = await client.about(remove, known)
  if (removed.status >= 300) return `delete answered ${removed.status} ${show(removed.json)}`
  const gone = await client.about(read, known)
  return gone.status === 404 ? undefined : `read after delete answered ${gone.status}`
}

/** A generated key may be taken already: then another one is tried, as a user would. */
async function createOnce({ create }: Trip, client: TripClient): Promise<{ sample: Sample; answer: Answer }> {
  for (let attempt = 0; ; attempt++) {
    const sample = client.sample(create, attempt)
    const answer = await client.send(create, sample)
    if (answer.status !== 409 || attempt === 4) return { sample, answer }
  }
}

/** The record that a trip is about. */
interface About {
  readonly key: string
  readonly record: JsonObject
  /** What it was made of. */
  readonly sent: Json | undefined
  readonly params: Readonly<Record<string, string>>
}

async function tryUpdate(
  client: TripClient,
  update: OperationOf<'update' | 'replace'>,
  read: OperationOf<'read'>,
  about: About,
  collection: CollectionModel,
): Promise<string | undefined> {
  const sample = client.sampleAbout(update, about)
  const answer = await client.send(update, sample)
  if (answer.status >= 300) return `update answered ${answer.status} ${show(answer.json)}`
  const shown = await client.about(read, about)
  if (shown.status !== 200) return `read after update answered ${shown.status}`
  const sent = inside(sample.body, update.effect.body?.path ?? [])
  const lost = lostField(sent, inside(shown.json, read.effect.envelope.path), read.effect.envelope.schema, collection)
  return lost === undefined ? undefined : `update lost ${lost}`
}

async function isListed(
  client: TripClient,
  list: OperationOf<'list'>,
  about: About,
  collection: CollectionModel,
): Promise<boolean> {
  const { json, status } = await client.about(list, about)
  if (status !== 200) return false
  const { path, shape } = list.effect.envelope
  if (shape === 'none') return true
  const items = at(json, path)
  const field = collection.id.field
  if (!Array.isArray(items)) return false
  if (shape === 'ids') return items.some((item) => String(item) === about.key)
  if (!field || list.effect.envelope.schema?.properties.has(field[0] ?? '') === false) return items.length > 0
  return items.some((item) => textAt(item, field) === about.key)
}

/**
 * A scalar that was sent, that the read could show by its schema, and that did not come back; undefined when all did. The
 * key is the server's business.
 */
function lostField(
  sent: Json | undefined,
  kept: Json | undefined,
  schema: Schema | undefined,
  collection: CollectionModel,
): string | undefined {
  if (!isJsonObject(sent) || !isJsonObject(kept)) return undefined
  for (const [name, value] of Object.entries(sent)) {
    const shown = schema?.properties.get(name)
    if (typeof value === 'object' || !shown || shown.readOnly || shown.writeOnly || name === collection.id.field?.[0])
      continue
    if (!fits(shown, value) || kept[name] === value) continue
    return `${name}: sent ${show(value)}, got ${show(kept[name])}`
  }
  return undefined
}

/** Filters that a list requires are filled in so that they match the record: `?parent=` with the id of its parent. */
function nameFilters({ parameters, requestBody }: Operation, { record, sent }: About, sample: Sample): Sample {
  const wanted = (name: string): string | undefined =>
    [[name], [name, 'id'], [name, 'gid'], [name, 'key']]
      .map((path) => textAt(record, path) ?? textAt(sent, path))
      .find((text) => text)
  const isRequired = (name: string) => parameters.some((parameter) => parameter.name === name && parameter.required)
  const query = sample.query.map(([name, value]): [string, string] => [
    name,
    (isRequired(name) && wanted(name)) || value,
  ])
  if (!isJsonObject(sample.body)) return { ...sample, query }
  const required = requestBody?.content.get(sample.contentType ?? '')?.required
  const kept = Object.entries(sample.body).filter(([name]) => required?.has(name))
  const body = kept.map(([name, value]) => [name, typeof value === 'string' ? (wanted(name) ?? value) : value])
  return { ...sample, query, body: Object.fromEntries(body) as JsonObject }
}

/** A JSON Patch that changes one text of the record. */
function patchOf(record: JsonObject, schema: Schema | undefined): Json {
  const value = schema?.items?.properties.get('value')
  if (value && !fits(value, 'text')) return []
  const name = Object.keys(record).find(
    (key) => /name|description|title|note/.test(key) && typeof record[key] === 'string',
  )
  return name === undefined ? [] : [{ op: 'replace', path: `/${name}`, value: record[name] as string }]
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

function at(body: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), body)
}

/** What stands at `path`; the one record of an array of one. */
function inside(body: Json | undefined, path: readonly string[]): Json | undefined {
  const found = at(body, path)
  return Array.isArray(found) && found.length === 1 && isJsonObject(found[0]) ? found[0] : found
}

/** Sends sample requests with the credentials that each operation asks for. */
class TripClient {
  readonly #model: ApiModel
  readonly #url: string
  readonly #key: string
  readonly #requests: SampleRequests

  constructor(model: ApiModel, url: string, key: string, requests: SampleRequests) {
    this.#model = model
    this.#url = url
    this.#key = key
    this.#requests = requests
  }

  sample(operation: Operation, attempt: number): Sample {
    return this.#requests.sample(operation, attempt)
  }

  /** A request about a record that was made over HTTP. */
  sampleAbout(operation: Operation, about: About): Sample {
    const { key, record, params } = about
    const plain = this.#requests.sample(operation)
    const sample = operation.effect.kind === 'list' ? nameFilters(operation, about, plain) : plain
    const { effect } = operation
    for (const name of Object.keys(sample.params)) if (params[name] !== undefined) sample.params[name] = params[name]
    if ('scope' in effect) {
      for (const { param, field } of effect.scope) {
        const value = field && textAt(record, field)
        if (value !== undefined && params[param] === undefined) sample.params[param] = value
      }
    }
    for (const { param, in: place, field } of 'keys' in effect ? effect.keys : []) {
      const value = (field && textAt(record, field)) ?? key
      if (place === 'path') sample.params[param] = value
      else if (place === 'query') setParameter(sample.query, param, value)
      else if (isJsonObject(sample.body))
        sample.body[param] = typeof sample.body[param] === 'number' ? Number(value) : value
    }
    const schema = operation.requestBody?.content.get(sample.contentType ?? '')
    if (isPatch(schema)) return { ...sample, body: patchOf(record, schema) }
    if (effect.kind === 'list' && effect.paging.limit !== undefined) {
      const maximum = operation.parameters.find(({ name }) => name === effect.paging.limit)?.schema?.maximum ?? 100
      setParameter(sample.query, effect.paging.limit, String(Math.min(100, maximum)))
    }
    return sample
  }

  about(operation: Operation, about: About): Promise<Answer> {
    return this.send(operation, this.sampleAbout(operation, about))
  }

  async send(operation: Operation, sample: Sample): Promise<Answer> {
    const { path, query, headers, method } = this.#requests.toRequest(operation, sample)
    const asked = new URLSearchParams(query)
    const sent: Record<string, string> = { accept: '*/*', ...headers }
    this.#addCredentials(operation, sent, asked)
    const text = toBodyText(sample)
    const response = await request(`${this.#url}${path}${asked.size > 0 ? `?${asked}` : ''}`, {
      method,
      headers: sent,
      ...(text === '' || method === 'GET' || method === 'HEAD' ? {} : { body: text }),
    })
    return { status: response.status, json: parse(await response.text()) }
  }

  #addCredentials({ security }: Operation, headers: Record<string, string>, query: URLSearchParams): void {
    const [alternative] = security
    if (!alternative) headers.authorization = `Bearer ${this.#key}`
    for (const name of alternative ?? []) {
      const scheme = this.#model.securitySchemes.get(name)
      if (scheme?.kind === 'basic') headers.authorization = `Basic ${btoa(`${this.#key}:`)}`
      else if (scheme?.kind !== 'apiKey') headers.authorization = `Bearer ${this.#key}`
      else if (scheme.in === 'query') query.set(scheme.name, this.#key)
      else if (scheme.in === 'cookie') headers.cookie = `${scheme.name}=${this.#key}`
      else headers[scheme.name.toLowerCase()] = this.#key
    }
  }
}

/** Sends a parameter of the query once: a service may refuse it twice. */
function setParameter(query: [string, string][], name: string, value: string): void {
  query.splice(0, query.length, ...query.filter(([other]) => other !== name), [name, value])
}
