import type { Runtime } from '../runtime/runtime.ts'
import { post } from './post.ts'

/** As long as a service waits for an answer (specification, Limits). */
const TIMEOUT_MS = 10_000
/** What an application that cannot be reached counts as. */
const BAD_GATEWAY = 502

/** The applications that a path passes its requests on to. */
export class Forwards {
  readonly #runtime: Runtime
  readonly #urls = new Map<symbol, string>()
  readonly #underWay = new Set<{ abort: AbortController; ended: Promise<unknown> }>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Adds an application until it is disposed of; throws a TypeError unless `url` is an http or https URL. */
  add(url: string): AsyncDisposable {
    if (!/^https?:$/.test(new URL(url).protocol)) {
      throw new TypeError(`Expected \`url\` to be an http or https URL, got ${url}.`)
    }
    const key = Symbol(url)
    this.#urls.set(key, url)
    return {
      [Symbol.asyncDispose]: async () => {
        this.#urls.delete(key)
        await Promise.allSettled([...this.#underWay].map(({ ended }) => ended))
      },
    }
  }

  /** Posts to every application. Resolves with the first status that is not 2xx, else the first; undefined without any. */
  async pass(headers: Readonly<Record<string, string>>, rawBody: Uint8Array): Promise<number | undefined> {
    if (this.#urls.size === 0) return undefined
    const statuses = await Promise.all([...this.#urls.values()].map((url) => this.#passOne(url, headers, rawBody)))
    return statuses.find((status) => status < 200 || status > 299) ?? statuses[0]
  }

  close(): void {
    this.#urls.clear()
    for (const { abort } of this.#underWay) abort.abort()
  }

  async #passOne(url: string, headers: Readonly<Record<string, string>>, rawBody: Uint8Array): Promise<number> {
    const abort = new AbortController()
    const cancelTimer = this.#runtime.startTimer(TIMEOUT_MS, () => abort.abort())
    const ended = post({ url, headers, rawBody, signal: abort.signal }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      () => BAD_GATEWAY,
    )
    const exchange = { abort, ended }
    this.#underWay.add(exchange)
    try {
      return await ended
    } finally {
      cancelTimer()
      this.#underWay.delete(exchange)
    }
  }
}
