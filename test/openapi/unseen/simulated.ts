import { afterAll, beforeAll } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { type Service, startService } from '../../../src/service/start.ts'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any
}

/** Sends a request to one simulation: `await call('POST /tasks', { title: 'x' })`. */
export interface Call {
  (route: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The simulation's key, which requests show as a bearer unless their headers say otherwise. */
  readonly key: string
}

/** Creates simulations of descriptions, over HTTP, for the tests of one file. */
export function simulations(): { of: (description: JsonObject, volume?: Record<string, number>) => Promise<Call> } {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  return {
    of: async (description, volume = {}) => {
      const created = await fetch(`${service.url}/v1/simulations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ spec: JSON.stringify(description), seed: 'unseen', volume }),
      })
      const { url, apiKey } = (await created.json()) as { url: string; apiKey: string }
      const call = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
        send({ url, apiKey }, route, { body, headers })
      return Object.assign(call, { key: apiKey })
    },
  }
}

async function send(
  { url, apiKey }: { url: string; apiKey: string },
  route: string,
  { body, headers }: { body: unknown; headers: Record<string, string> },
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const isText = typeof body === 'string'
  const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
