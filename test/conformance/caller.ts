import { Agent, request } from 'undici'
import type { CreatedSimulation, SimulationDetail } from '../../src/protocol/simulation.ts'
import { type CheckAnswer, createAnswerCheck } from './answer-check.ts'
import { DESCRIPTION } from './description.ts'
import type { RunningTarget } from './target.ts'

/** An answer, read whole. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body as JSON; undefined when it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: rules look into bodies of every shape
  body: any
}

export interface CallOptions {
  /** Account key, or null for no `Authorization` header. */
  key?: string | null
  body?: unknown
  /** Sent as it is instead of `body`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

/** Calls a service over real sockets, as a stranger to its code would, and deletes what it created. */
export class Caller {
  readonly target: RunningTarget
  readonly #agent: Agent
  readonly #created: { id: string; key: string }[] = []
  #check: CheckAnswer = () => undefined

  constructor(target: RunningTarget) {
    this.target = target
    this.#agent = new Agent(target.ca === undefined ? {} : { connect: { ca: target.ca } })
  }

  /** From now on, every answer of the management API is held against the service's own description, where it has one. */
  async readDescription(): Promise<void> {
    const { status, body } = await this.call('GET', '/v1/openapi.json')
    if (status === 200) this.#check = createAnswerCheck(body)
  }

  readonly call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { key = this.target.accountKey, body, raw, headers = {} } = options
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
    const answer = await this.send(method, this.target.url + path, {
      headers: { ...json, ...authorization, ...headers },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const fault = this.#check(method, path, answer.status, answer.body)
    if (fault !== undefined) throw new Error(`The answer is not as described: ${fault}`)
    return answer
  }

  /** A request to any address, the simulated APIs' among them. */
  readonly send = async (
    method: string,
    url: string,
    init: { headers?: Record<string, string>; body?: string | Uint8Array | null } = {},
  ): Promise<Answer> => {
    const { headers = {}, body = null } = init
    const answer = await request(url, { method: method as 'GET', headers, body, dispatcher: this.#agent })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).includes('json') && text !== ''
    return { status: answer.statusCode, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  /** Creates a simulation of a small description of ours, unless `body` says otherwise. */
  readonly create = async (
    body: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<CreatedSimulation> => {
    const source = body.library === undefined && body.spec === undefined ? { spec: DESCRIPTION } : {}
    const answer = await this.call('POST', '/v1/simulations', { ...options, body: { ...source, ...body } })
    if (answer.status !== 201) throw new Error(`Creation answered ${answer.status}: ${answer.text}`)
    this.#created.push({ id: answer.body.id, key: options.key ?? this.target.accountKey })
    return answer.body
  }

  readonly detail = async (id: string): Promise<SimulationDetail> => {
    return (await this.call('GET', `/v1/simulations/${id}`)).body
  }

  /** Calls a simulated API with its key. */
  readonly use = (simulation: CreatedSimulation, method: string, path: string, body?: unknown): Promise<Answer> => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return this.send(method, simulation.url + path, {
      headers: { ...json, authorization: `Bearer ${simulation.apiKey}` },
      body: body === undefined ? null : JSON.stringify(body),
    })
  }

  async close(): Promise<void> {
    for (const { id, key } of this.#created) await this.call('DELETE', `/v1/simulations/${id}`, { key })
    await this.#agent.close()
    await this.target.close()
  }
}
