import type { Order } from './order.ts'

/** Our copy of the orders. An older version never replaces a newer one, so webhooks may come in any order. */
export class OrderBook {
  readonly #orders = new Map<number, Order>()

  get size(): number {
    return this.#orders.size
  }

  find(id: number): Order | undefined {
    return this.#orders.get(id)
  }

  put(order: Order): void {
    const held = this.#orders.get(order.id)
    if (!held || held.updatedAt <= order.updatedAt) this.#orders.set(order.id, order)
  }

  remove(id: number): void {
    this.#orders.delete(id)
  }
}
