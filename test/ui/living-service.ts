import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Service, startService } from 'backlot/service'

/** A service with a simulation in which something has happened, for tests of the dashboard and for its screenshots. */
export interface LivingService {
  readonly service: Service
  readonly slug: string
  /** Where the simulation answers. */
  readonly url: string
  readonly apiKey: string
  /** What webhooks are sent to: it answers with this status. */
  readonly hook: { url: string; status: number; received: number }
  /** Calls the management API. */
  manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Calls the simulated API. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>
  close(): Promise<void>
}

/** Starts a service with a task tracker, called `tasks`, as `backlot serve` does. */
export async function startLivingService(): Promise<LivingService> {
  const hook = { url: '', status: 204, received: 0 }
  const receiver = await listen((_request, response) => {
    hook.received++
    response.writeHead(hook.status).end()
  })
  hook.url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const service = await startService({
    addresses: 'path',
    allowPrivateWebhooks: ['127.0.0.1/32'],
    simulations: [{ library: 'task-tracker', slug: 'tasks' }],
  })
  const { url, apiKey } = service.simulations[0] as Service['simulations'][number]
  return {
    service,
    slug: 'tasks',
    url,
    apiKey,
    hook,
    manage: async <Answer>(method: string, path: string, body?: unknown) => {
      const answer = await send(`${service.url}/v1${path}`, { method, key: service.accountKey, body })
      return answer.body as Answer
    },
    ask: (method, path, body) => send(url + path, { method, key: apiKey, body }),
    close: async () => {
      await service.close()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
}

async function send(url: string, { method, key, body }: { method: string; key: string; body: unknown }) {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

function listen(answer: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(answer)
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
