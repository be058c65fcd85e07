import type { Runtime } from '../runtime/runtime.ts'
import { type PostRequest, post } from './post.ts'

/** The status that counts for an application that cannot be reached. */
const BAD_GATEWAY = 502

/** The applications under test that a path passes its requests on to. */
export class Forwards {
  readonly #runtime: Runtime
  readonly #urls = new Map<symbol, string>()
  readonly #underWay = new Set<Promise<number>>()
  readonly #closing = new AbortController()

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
        await Promise.allSettled(this.#underWay)
      },
    }
  }

  /** Posts to every application. Resolves with the first status that is not 2xx, else the first; undefined without any. */
  async pass(request: PostRequest): Promise<number | undefined> {
    if (this.#urls.size === 0) return undefined
    const statuses = await Promise.all([...this.#urls.values()].map((url) => this.#passOne(url, request)))
    return statuses.find((status) => status < 200 || status > 299) ?? statuses[0]
  }

  /** Ends what is under way. Nothing is passed on afterwards. */
  close(): void {
    this.#urls.clear()
    this.#closing.abort()
  }

  #passOne(url: string, request: PostRequest): Promise<number> {
    const status = post(url, request, { runtime: this.#runtime, signal: this.#closing.signal }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      () => BAD_GATEWAY,
    )
    this.#underWay.add(status)
    return status.finally(() => this.#underWay.delete(status))
  }
}
