import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { type Answer, parseJson, request } from './http.ts'
import { textAt } from './name-seen.ts'
import { type Sample, toBodyText } from './sample.ts'
import { patchOf } from './sample-patch.ts'
import { isPatch, type SampleRequests } from './sample-requests.ts'

/** The record that requests are about. */
export interface About {
  readonly key: string
  readonly record: JsonObject
  /** The body of its creation. */
  readonly sent: Json | undefined
  readonly params: Readonly<Record<string, string>>
}

/** Sends sample requests with the credentials that each operation asks for. */
export class SimulationClient {
  readonly #model: ApiModel
  readonly #url: string
  readonly #key: string
  readonly #requests: SampleRequests

  constructor(parts: { model: ApiModel; url: string; key: string; requests: SampleRequests }) {
    this.#model = parts.model
    this.#url = parts.url
    this.#key = parts.key
    this.#requests = parts.requests
  }

  sample(operation: Operation, attempt = 0): Sample {
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
    const keys = 'keys' in effect ? effect.keys : []
    for (const { param, in: place, field } of keys) {
      const value = (field && textAt(record, field)) ?? (keys.length > 1 ? (textAt(record, [param]) ?? key) : key)
      if (place === 'path') sample.params[param] = value
      else if (place === 'query') setParameter(sample.query, param, value)
      else if (place === 'body' && isJsonObject(sample.body))
        sample.body[param] = typeof sample.body[param] === 'number' ? Number(value) : value
    }
    const schema = operation.requestBody?.content.get(sample.contentType ?? '')
    if (isPatch(schema)) return { ...sample, body: patchOf(record, schema) }
    return effect.kind === 'list' ? withLargestPage(operation, sample) : sample
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
      redirect: 'manual',
      ...(text === '' || method === 'GET' || method === 'HEAD' ? {} : { body: text }),
    })
    return { status: response.status, headers: response.headers, json: parseJson(await response.text()) }
  }

  /** Follows an address that the answer to `asked` shows, with its headers. */
  async follow(operation: Operation, address: string, asked: Sample): Promise<Answer> {
    const url = new URL(address, this.#url)
    const sent: Record<string, string> = { accept: '*/*', ...asked.headers }
    this.#addCredentials(operation, sent, url.searchParams)
    const response = await request(url.href, { headers: sent })
    return { status: response.status, headers: response.headers, json: parseJson(await response.text()) }
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

/** Filters that a list requires are filled in so that they match the record: `?parent=` with the id of its parent. */
function nameFilters({ parameters, requestBody }: Operation, about: About, sample: Sample): Sample {
  const { record, sent, params } = about
  const wanted = (parameter: string): string | undefined => {
    // `filter[comment_id]`, `filter[status][eq]`.
    const name = /\[([^\][]+)\](?:\[eq\])?$/.exec(parameter)?.[1] ?? parameter
    const base = name.replace(/_?(id|Id|gid|uuid)$/, '')
    return (
      [[name], [name, 'id'], [name, 'gid'], [name, 'key'], [base, 'id'], [base]]
        .map((path) => textAt(record, path) ?? textAt(sent, path))
        .find((text) => text) ??
      [record, sent, params].map((held) => textLike(held, name)).find((text) => text) ??
      (/^(q|query|search|keywords?|term)$/i.test(name) ? wordsOf(sent) : undefined)
    )
  }
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

/** What a client that looks for the record would search: the first text that it sent. */
const wordsOf = (sent: Json | undefined): string | undefined =>
  Object.values(isJsonObject(sent) ? sent : {}).find(
    (value): value is string => typeof value === 'string' && /[a-z]{3}/i.test(value),
  )

/** The text of the field that is named alike: `feedType` of `feed_type`. */
function textLike(record: Json | undefined, wanted: string): string | undefined {
  const name = isJsonObject(record) ? Object.keys(record).find((own) => foldName(own) === foldName(wanted)) : undefined
  return name === undefined ? undefined : textAt(record, [name])
}

/** A list with as many records on one page as it allows, a hundred at most. */
export function withLargestPage(operation: Operation, sample: Sample): Sample {
  for (const { name, in: place } of operation.parameters)
    if (place === 'query' && /^include_?(archived|deleted|disabled)$/i.test(name))
      setParameter(sample.query, name, 'true')
  const limit = 'paging' in operation.effect ? operation.effect.paging.limit : undefined
  if (limit === undefined) return sample
  const maximum = operation.parameters.find(({ name }) => name === limit)?.schema?.maximum ?? 100
  setParameter(sample.query, limit, String(Math.min(100, maximum)))
  return sample
}

/** Sends a parameter of the query once: a service may refuse it twice. */
export function setParameter(query: [string, string][], name: string, value: string): void {
  query.splice(0, query.length, ...query.filter(([other]) => other !== name), [name, value])
}
