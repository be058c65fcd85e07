import { setTimeout as wait } from 'node:timers/promises'
import type { Order } from './order.ts'

interface OrderPage {
  results: Order[]
  page: number
  perPage: number
  total: number
}

/** Reads orders from the CRM; tries again when the CRM is not well. */
export class CrmClient {
  readonly #url: string
  readonly #apiKey: string
  readonly #retryDelayMs: number

  constructor(options: { url: string; apiKey: string; retryDelayMs?: number }) {
    this.#url = options.url
    this.#apiKey = options.apiKey
    this.#retryDelayMs = options.retryDelayMs ?? 500
  }

  /** All orders, page by page. */
  async *orders(): AsyncGenerator<Order> {
    for (let page = 1; ; page += 1) {
      const { results, total, perPage } = await this.#get<OrderPage>(`/orders?page=${page}&perPage=50`)
      yield* results
      if (page * perPage >= total) return
    }
  }

  async #get<Body>(path: string, attempt = 1): Promise<Body> {
    const response = await fetch(this.#url + path, { headers: { 'X-Api-Key': this.#apiKey } })
    if (response.ok) return (await response.json()) as Body
    await response.body?.cancel()
    if (response.status < 500 || attempt === 4) throw new Error(`GET ${path} was answered with ${response.status}`)
    await wait(this.#retryDelayMs * 2 ** attempt)
    return this.#get(path, attempt + 1)
  }
}
