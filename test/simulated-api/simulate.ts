import type { JsonObject } from '../../src/protocol/json.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { refuseKey } from '../../src/service/simulated-api/answer-request.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import { withCors } from '../../src/service/simulated-api/cors.ts'
import { type ApiRequest, type ApiResponse, toText } from '../../src/service/simulated-api/exchange.ts'
import { findRoute } from '../../src/service/simulated-api/find-route.ts'
import { performOperation } from '../../src/service/simulated-api/perform-operation.ts'
import { toContext } from '../../src/service/simulated-api/request-context.ts'
import { SimulatedApi, type SimulatedApiOptions } from '../../src/service/simulated-api/simulated-api.ts'
import type { Change } from '../../src/service/world/change.ts'
import { World } from '../../src/service/world/world.ts'

export const KEY = 'svc_sim_test'
export const EPOCH = Date.UTC(2025, 5, 15, 12)

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
}

/** What a request of a test is made of. The simulation's key is sent unless `headers` says otherwise. */
export interface Sending {
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly at?: number
}

type Options = Partial<Omit<SimulatedApiOptions, 'api' | 'world'>> & { volume?: Readonly<Record<string, number>> }

/** A simulated API over its data, without sockets: `send('POST', '/tasks', { json })`. */
export function simulate(description: JsonObject | ApiModel, options: Options = {}) {
  const compiled = new CompiledApi(isModel(description) ? description : readDescription(description))
  const { model } = compiled
  const seed = options.seed ?? 'test'
  const dataset = createDataset(model, { seed, epoch: EPOCH, volume: options.volume ?? {}, seedRecords: {} })
  const world = new World(model, dataset)
  const api = new SimulatedApi({
    api: compiled,
    world,
    seed,
    validation: options.validation ?? 'strict',
    lenientParents: options.lenientParents ?? false,
    lenientKeys: options.lenientKeys,
    answers: options.answers,
    keys: new Set([KEY]),
    entryEffects: options.entryEffects,
    functions: options.functions,
  })
  const send = (method: string, target: string, sending: Sending = {}): Answer => {
    const request = toRequest(method, target, sending)
    const context = toContext({ request, at: sending.at ?? EPOCH + 60_000 })
    const refusal = findRoute(api, context) ?? refuseKey(context, { api, keys: new Set([KEY]) })
    if (refusal !== undefined) return toAnswer(withCors(refusal, request))
    const { response, changes } = performOperation(api, context)
    for (const change of changes) world.apply(change)
    return toAnswer(withCors(response, request), changes, context.warnings)
  }
  return { model, world, api, send }
}

const isModel = (value: JsonObject | ApiModel): value is ApiModel => 'collections' in value && 'operations' in value

export function toRequest(method: string, target: string, { json, text, bytes, headers = {} }: Sending): ApiRequest {
  const [path = '/', query = ''] = target.split('?', 2)
  const body = json === undefined ? (text ?? '') : JSON.stringify(json)
  const given = {
    authorization: `Bearer ${KEY}`,
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
    body: bytes ?? new TextEncoder().encode(body),
    ip: '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
  }
}

function toAnswer(response: ApiResponse, changes: readonly Change[] = [], warnings: readonly string[] = []): Answer {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  const isStream = response.delivery?.stream !== undefined
  const isText = isStream || typeof response.body === 'string' || headers['content-type']?.includes('json')
  const text = isText ? toText(response.body ?? '') : ''
  const isJson = !isStream && headers['content-type']?.includes('json') && text !== ''
  return { status: response.status, headers, text, body: isJson ? JSON.parse(text) : undefined, changes, warnings }
}
