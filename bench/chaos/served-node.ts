import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ACCOUNT_KEY } from './things-load.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
/** Modules that break the service import its source, which starts several times slower. */
const SOURCE = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Additional flags and variables of a service. */
interface MoreOfNode {
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** A `backlot serve --store` in a separate process, to kill and restart. */
export class ServedNode {
  /** Empty before the first start; kept after a kill. */
  url = ''
  readonly #store: string
  readonly #preload: string | undefined
  readonly #more: MoreOfNode
  #process: ChildProcess | undefined

  /** @param preload module that breaks the service, for a control */
  constructor(store: string, preload: string | undefined, more: MoreOfNode = {}) {
    this.#store = store
    this.#preload = preload
    this.#more = more
  }

  async start(): Promise<void> {
    const program = this.#preload === undefined ? [BUILT] : ['--import', this.#preload, SOURCE]
    const flags = [
      'serve',
      '--port',
      '0',
      '--json',
      '--store',
      this.#store,
      '--account-key',
      ACCOUNT_KEY,
      '--allow-private-webhooks',
      '127.0.0.1/32',
      ...(this.#more.flags ?? []),
    ]
    const service = spawn(process.execPath, ['--no-warnings', ...program, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...this.#more.environment },
    })
    this.#process = service
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(service.stdout).once('line', resolve)
      service.once('exit', (code) => reject(new Error(`The service ended with ${code} before it was ready.`)))
    })
    this.url = (JSON.parse(line) as { url: string }).url
  }

  /** `kill -9`. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Has it give back what it holds. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /** Stops the process (SIGSTOP) until it is continued. */
  freeze(isFrozen: boolean): void {
    this.#process?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const service = this.#process
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return
    const ended = new Promise((resolve) => service.once('exit', resolve))
    service.kill(signal)
    await ended
  }
}
