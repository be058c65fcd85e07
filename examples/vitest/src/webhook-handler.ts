import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Order } from './order.ts'
import type { OrderBook } from './order-book.ts'

interface OrderEvent {
  type: string
  data: { id: string; object: Order | null }
}

const TOLERANCE_SECONDS = 300

/** Keeps the order book up to date. Answers 401 to what the CRM has not signed, and does nothing twice. */
export class WebhookHandler {
  handled = 0
  readonly #book: OrderBook
  readonly #secret: string
  readonly #seen = new Set<string>()

  constructor(book: OrderBook, secret: string) {
    this.#book = book
    this.#secret = secret
  }

  /** The status to answer with. */
  handle(headers: Headers, rawBody: Buffer): number {
    if (!this.#isSigned(headers.get('svc-signature') ?? '', rawBody)) return 401
    const delivery = headers.get('svc-delivery') ?? ''
    if (this.#seen.has(delivery)) return 200
    this.#seen.add(delivery)
    this.#apply(JSON.parse(rawBody.toString()) as OrderEvent)
    return 200
  }

  #apply({ type, data }: OrderEvent): void {
    if (!type.startsWith('order.')) return
    this.handled += 1
    if (type === 'order.deleted') this.#book.remove(Number(data.id))
    else if (data.object) this.#book.put(data.object)
  }

  #isSigned(header: string, rawBody: Buffer): boolean {
    const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
    if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
    const expected = createHmac('sha256', this.#secret).update(`${time}.`).update(rawBody).digest()
    const given = Buffer.from(signature, 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
