/** A service in a separate process, so that its CPU time excludes the browser's driver and the senders of requests. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { startLivingService } from '../../test/ui/living-service.ts'

/** A simulation to send requests to. */
export interface Target {
  readonly url: string
  readonly apiKey: string
  readonly slug: string
}

/** The calls to the process. */
interface Answers {
  /** Where the service answers. */
  serviceUrl: string
  /** An address that signs in once. */
  dashboardUrl: string
  /** CPU time of the process so far, in microseconds. */
  computed: number
  /** The simulation of the start. */
  first: Target
  /** Another simulation of the same API. */
  another: Target
}

const ROLE = 'service-of-the-bench'

/** A service that runs in a process. */
export class ServiceProcess {
  readonly #child: ChildProcess = fork(import.meta.filename, [ROLE])

  async ask<Name extends keyof Answers>(name: Name): Promise<Answers[Name]> {
    this.#child.send(name)
    const [answer] = await once(this.#child, 'message')
    return answer
  }

  async close(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
  }
}

async function serve(): Promise<void> {
  const { service, slug, url, apiKey, manage } = await startLivingService()
  const answers: { [Name in keyof Answers]: () => Answers[Name] | Promise<Answers[Name]> } = {
    serviceUrl: () => service.url,
    dashboardUrl: () => service.dashboardUrl(),
    computed: () => {
      const { user, system } = process.cpuUsage()
      return user + system
    },
    first: () => ({ slug, url, apiKey }),
    another: () => manage<Target>('POST', '/simulations', { library: 'task-tracker' }),
  }
  process.on('message', async (name: keyof Answers) => process.send?.(await answers[name]()))
  process.once('disconnect', () => process.exit())
}

if (process.argv[2] === ROLE) await serve()
