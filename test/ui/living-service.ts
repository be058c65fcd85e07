import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Service, type ServiceOptions, startService } from 'backlot/service'

/** A service with a simulation in which something has happened, for tests of the dashboard and for its screenshots. */
export interface LivingService {
  readonly service: Pick<Service, 'url' | 'accountKey' | 'dashboardUrl'>
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

/** What a living service is started over. */
export interface LivingStore {
  readonly store?: string
  /** @default 1 */
  readonly nodes?: number
  /** Opens one address for all nodes. */
  readonly openProxy?: (ports: readonly number[]) => Promise<{ readonly port: number; close(): Promise<void> }>
}

const KEYS = { account: 'svc_acc_0123456789abcdef', simulation: 'svc_sim_0123456789abcdef' }

/** Starts a service with a task tracker, called `tasks`, as `backlot serve` does; several nodes where they have one store. */
export async function startLivingService({ store, nodes = 1, openProxy }: LivingStore = {}): Promise<LivingService> {
  const hook = { url: '', status: 204, received: 0 }
  const receiver = await listen((_request, response) => {
    hook.received++
    response.writeHead(hook.status).end()
  })
  hook.url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const options: ServiceOptions = {
    addresses: 'path',
    accounts: [{ keys: [{ key: KEYS.account }] }],
    allowPrivateWebhooks: ['127.0.0.1/32'],
    simulations: [{ library: 'task-tracker', slug: 'tasks', key: KEYS.simulation }],
    ...(store !== undefined && { store }),
  }
  const services: Service[] = []
  while (services.length < nodes) services.push(await startService(options))
  const [first] = services as [Service]
  const proxy = await openProxy?.(services.map(({ url }) => Number(new URL(url).port)))
  const origin = proxy === undefined ? first.url : `http://127.0.0.1:${proxy.port}`
  const url = `${origin}/s/tasks`
  return {
    service: {
      url: origin,
      accountKey: KEYS.account,
      dashboardUrl: () => first.dashboardUrl().replace(first.url, origin),
    },
    slug: 'tasks',
    url,
    apiKey: KEYS.simulation,
    hook,
    manage: async <Answer>(method: string, path: string, body?: unknown) => {
      const answer = await send(`${origin}/v1${path}`, { method, key: KEYS.account, body })
      return answer.body as Answer
    },
    ask: (method, path, body) => send(url + path, { method, key: KEYS.simulation, body }),
    close: async () => {
      await proxy?.close()
      for (const service of services) await service.close()
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
