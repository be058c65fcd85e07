/** A service in a thread of its own, so that what it computes is told apart from the browser's driver and the senders of requests. */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { startLivingService } from '../../test/ui/living-service.ts'

/** A simulation to send requests to. */
export interface Target {
  readonly url: string
  readonly apiKey: string
}

/** Where the service answers, and its simulation. */
export interface ThreadedService extends Target {
  readonly serviceUrl: string
  readonly slug: string
}

/** What a thread can be asked for. */
interface Answers {
  /** An address that signs in once. */
  dashboardUrl: string
  /** What the thread has computed so far, in microseconds. */
  computed: number
  /** Another simulation of the same API. */
  another: Target
  service: ThreadedService
}

/** A service that runs in a thread. */
export class ServiceThread {
  readonly #worker = new Worker(new URL(import.meta.url))

  async ask<Name extends keyof Answers>(name: Name): Promise<Answers[Name]> {
    this.#worker.postMessage(name)
    const [answer] = await once(this.#worker, 'message')
    return answer
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

async function serve(): Promise<void> {
  const { service, slug, url, apiKey, manage } = await startLivingService()
  const answers: { [Name in keyof Answers]: () => Answers[Name] | Promise<Answers[Name]> } = {
    dashboardUrl: () => service.dashboardUrl(),
    computed: () => {
      const { user, system } = process.threadCpuUsage()
      return user + system
    },
    another: async () => {
      const made = await manage<Target>('POST', '/simulations', { library: 'task-tracker' })
      return { url: made.url, apiKey: made.apiKey }
    },
    service: () => ({ serviceUrl: service.url, slug, url, apiKey }),
  }
  parentPort?.on('message', async (name: keyof Answers) => parentPort?.postMessage(await answers[name]()))
}

if (!isMainThread) await serve()
