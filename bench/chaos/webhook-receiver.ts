import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Delivery } from '../../src/protocol/webhook.ts'

/** One received request. */
export interface Arrival {
  readonly event: string
  readonly type: string
  readonly delivery: string
  readonly record: JsonObject
  /** Of a clock of the receiver, milliseconds. */
  readonly atMs: number
}

/** Observations of the receiver of webhooks. */
export interface ReceiverSummary {
  /** Received events, each counted once. */
  readonly events: number
  /** Requests for events that were accepted before. */
  readonly repeats: number
  readonly lost: readonly string[]
  /** Updates of the register that came for the first time after a later one. */
  readonly disordered: readonly string[]
  readonly violations: readonly string[]
}

/** Repeats that one fault may cause: attempts that were sent but not yet stored. */
const MOST_REPEATS = 300

/** An endpoint that accepts most deliveries, refuses some, and records all. */
export class WebhookReceiver {
  readonly #server = createServer((request, response) => void this.#receive(request, response))
  readonly #draw: () => number
  readonly #deliveryOf = new Map<string, string>()
  readonly #created = new Map<string, number>()
  readonly #taken = new Set<string>()
  readonly #arrivals = new Map<string, number>()
  readonly #violations: string[] = []
  readonly #disordered: string[] = []
  /** All requests, in order of their arrival. */
  readonly history: Arrival[] = []
  #repeats = 0
  /** Value of the latest first-time update of the register. */
  #value = 0

  /** @param draw a number from 0 to 1 */
  constructor(draw: () => number) {
    this.#draw = draw
  }

  /** Returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /**
   * Compares received requests with the service's records and deliveries.
   *
   * @param deeds how many things were done to the service
   * @param hasForgotten whether its database forgot some of what was sent
   */
  check(
    records: readonly JsonObject[],
    deliveries: readonly Delivery[],
    { deeds, hasForgotten }: { readonly deeds: number; readonly hasForgotten: boolean },
  ): ReceiverSummary {
    const counts = new Map<string, number>()
    for (const { name } of records) counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
    const lost = [...counts].filter(([name, count]) => name.includes('-') && (this.#created.get(name) ?? 0) < count)
    const planned = this.#created.get('planned') ?? 0
    const violations = [...this.#violations, ...deliveries.flatMap((delivery) => this.#judge(delivery))]
    const shown = counts.get('planned') ?? 0
    if (planned < shown || (planned > shown && !hasForgotten)) {
      violations.push(`${planned} events of ${shown} records of the plan`)
    }
    const most = MOST_REPEATS * (deeds + 1)
    if (this.#repeats > most) violations.push(`${this.#repeats} events came again, expected ${most} at most`)
    return {
      events: this.#deliveryOf.size,
      repeats: this.#repeats,
      lost: lost.map(([name]) => `event of ${name}`),
      disordered: this.#disordered,
      violations: [...violations, ...this.#disordered],
    }
  }

  /** Each made attempt, and no other, is stored once, in order. */
  #judge({ id, state, attempts, event }: Delivery): string[] {
    const problems: string[] = []
    const made = attempts.filter(({ status }) => status !== null).length
    if (made > (this.#arrivals.get(id) ?? 0)) problems.push(`${event.type} has ${made} attempts and came less often`)
    if (state !== 'delivered' && state !== 'failed') problems.push(`${event.type} is still ${state}`)
    if (state === 'failed' && attempts.length !== 6) problems.push(`${event.type} failed after ${attempts.length}`)
    const refused = attempts.slice(0, -1).filter(({ error }) => error === null)
    if (refused.length > 0) problems.push(`${event.type} was sent again after it was taken`)
    return problems
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString()) as {
      id: string
      type: string
      data: { object: JsonObject }
    }
    this.#note({
      event: body.id,
      type: body.type,
      delivery: String(request.headers['svc-delivery']),
      record: body.data.object,
      atMs: Math.round(performance.now()),
    })
    const isTaken = this.#draw() > 0.02
    if (isTaken) this.#taken.add(body.id)
    response.writeHead(isTaken ? 200 : 500).end()
  }

  #note(arrival: Arrival): void {
    const { event, type, delivery, record } = arrival
    this.history.push(arrival)
    this.#arrivals.set(delivery, (this.#arrivals.get(delivery) ?? 0) + 1)
    if (this.#taken.has(event)) this.#repeats++
    const known = this.#deliveryOf.get(event)
    if (known !== undefined && known !== delivery) this.#violations.push(`${type} came as two deliveries`)
    if (known !== undefined) return
    this.#deliveryOf.set(event, delivery)
    if (type === 'thing.created') {
      const name = String(record.name)
      this.#created.set(name, (this.#created.get(name) ?? 0) + 1)
    } else if (record.name === 'register') {
      const value = Number(record.value)
      if (value < this.#value) this.#disordered.push(`the update to ${value} came after that to ${this.#value}`)
      this.#value = value
    }
  }
}
