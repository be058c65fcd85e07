import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'undici'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { ServiceMessage, ServiceOrder } from './service.ts'

/** A service in a process of its own, which tells how long its turns were. */
export class RunningService implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #url: string
  readonly #accountKey: string
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

  private constructor(child: ChildProcess, { url, accountKey }: { url: string; accountKey: string }) {
    this.#child = child
    this.#url = url
    this.#accountKey = accountKey
  }

  static async start(): Promise<RunningService> {
    const child = fork(new URL('service.ts', import.meta.url))
    return new RunningService(child, await receiveMessage(child, 'ready'))
  }

  order(order: ServiceOrder): void {
    this.#child.send(order)
  }

  /** Begins to watch its turns. */
  async begin(): Promise<void> {
    const begun = receiveMessage(this.#child, 'begun')
    this.order('begin')
    await begun
  }

  /** What happened since `begin`. */
  async end(): Promise<{ longestTurnMs: number; steps: number }> {
    const ended = receiveMessage(this.#child, 'ended')
    this.order('end')
    return ended
  }

  async create(body: object): Promise<HeavySimulation> {
    return new HeavySimulation(this, (await this.manage('POST', '/simulations', body)) as CreatedSimulation)
  }

  /** Calls the management API. Resolves with the answer whatever its status. */
  async manage(method: string, path: string, body?: unknown): Promise<unknown> {
    const { text } = await this.manageText(method, path, body === undefined ? undefined : JSON.stringify(body))
    return text === '' ? undefined : JSON.parse(text)
  }

  manageText(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    return this.send(method, `${this.#url}/v1${path}`, { key: this.#accountKey, body })
  }

  async send(
    method: string,
    url: string,
    { key, body, type = 'application/json' }: { key: string; body?: string | undefined; type?: string | undefined },
  ): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) }
    const { statusCode, body: answered } = await request(url, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      dispatcher: this.#agent,
    })
    return { status: statusCode, text: await answered.text() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy()
    this.#child.disconnect()
  }
}

/** A simulation of such a service. */
export class HeavySimulation {
  readonly #service: RunningService
  readonly #made: CreatedSimulation

  constructor(service: RunningService, made: CreatedSimulation) {
    this.#service = service
    this.#made = made
  }

  manage(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#service.manage(method, `/simulations/${this.#made.id}${path}`, body)
  }

  call(method: string, path: string, body?: string, type?: string): Promise<{ status: number; text: string }> {
    return this.#service.send(method, this.#made.url + path, { key: this.#made.apiKey, body, type })
  }

  /** A request of a stranger. */
  callWithKey(key: string, path: string): Promise<{ status: number; text: string }> {
    return this.#service.send('GET', this.#made.url + path, { key })
  }
}

/** The next message of a kind. Rejects where the process ends before. */
function receiveMessage<Kind extends ServiceMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<ServiceMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The service ended with ${code} before it was ${kind}.`))
    const take = (message: ServiceMessage) => {
      if (message.kind !== kind) return
      child.off('message', take)
      child.off('exit', ended)
      resolve(message as Extract<ServiceMessage, { kind: Kind }>)
    }
    child.on('message', take)
    child.once('exit', ended)
  })
}
