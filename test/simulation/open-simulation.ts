import { type Service, type ServiceOptions, startService } from '../../src/service/start.ts'

/** A simulation behind real sockets, with its management API and its simulated API. */
export interface OpenSimulation extends AsyncDisposable {
  readonly service: Service
  readonly url: string
  readonly key: string
  /** Calls the management API below the simulation: `manage('POST', '/pause')`. Parses the answer where it is JSON. */
  manage<T = unknown>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>
  /** Calls the simulated API with the simulation's key. */
  call(path: string, init?: RequestInit): Promise<Response>
}

/** Timers that never end: on a busy machine a request waits for long work as long as it takes, not 2 s. */
export const patient = { startTimer: () => () => {} }

/** Starts a service and creates one simulation from `creation`. Disposing of it closes the service. */
export async function openSimulation(
  creation: Record<string, unknown>,
  options: ServiceOptions = {},
): Promise<OpenSimulation> {
  const service = await startService(options)
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const answer = await send('POST', '/simulations', creation)
  const created = (await answer.json()) as { id: string; url: string; apiKey: string }
  if (answer.status !== 201) throw new Error(`Failed to create the simulation: ${JSON.stringify(created)}`)
  return {
    service,
    url: created.url,
    key: created.apiKey,
    async manage<T>(method: string, path: string, body?: unknown) {
      const reply = await send(method, `/simulations/${created.id}${path}`, body)
      const text = await reply.text()
      return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
    },
    call: (path, init = {}) =>
      fetch(`${created.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${created.apiKey}`, 'content-type': 'application/json', ...init.headers },
      }),
    [Symbol.asyncDispose]: () => service.close(),
  }
}
