import type { PgConnections } from './pg-connections.ts'
import { type PgValue, pgTextArray } from './pg-query.ts'
import { PG_WORK } from './pg-work-statements.ts'
import type { Entry } from './store.ts'
import type {
  DeliveryLease,
  DueWork,
  KeptChunk,
  KeptDelivery,
  NextLook,
  RenewedLease,
  SettledDelivery,
  Settlement,
  WebhookLane,
  WorkBacklog,
} from './work.ts'

/** Due work of the simulations of several nodes, as rows. */
export class PgWork implements DueWork {
  readonly #connections: PgConnections

  constructor(connections: PgConnections) {
    this.#connections = connections
  }

  async claimTicks(most: number): Promise<readonly string[]> {
    return (await this.#connections.rows<{ id: string }>(PG_WORK.claimTicks, [most])).map(({ id }) => id)
  }

  async claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]> {
    return this.#connections.rows<DeliveryLease>(PG_WORK.claimDeliveries, [lease, ms, most])
  }

  async claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined> {
    await this.#connections.rows(PG_WORK.prepareDispatch, [simulation])
    return (await this.#connections.rows<DeliveryLease>(PG_WORK.claim, [lease, ms, simulation]))[0]
  }

  async renew({ simulation, lease, epoch, until }: DeliveryLease, ms: number): Promise<RenewedLease | undefined> {
    const given = [simulation, lease, epoch, until, ms]
    return (await this.#connections.rows<RenewedLease>(PG_WORK.renew, given))[0]
  }

  async findLease({ simulation, lease, until }: DeliveryLease): Promise<DeliveryLease | undefined> {
    return (await this.#connections.rows<DeliveryLease>(PG_WORK.findLease, [simulation, lease, until]))[0]
  }

  async chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]> {
    if (of.length === 0) return []
    const webhooks = of.map(({ webhook }) => webhook)
    const marks = of.map(({ after }) => after)
    return this.#connections.rows<KeptChunk>(PG_WORK.chunks, [simulation, webhooks, marks, most])
  }

  async waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]> {
    return this.#connections.rows<KeptDelivery>(PG_WORK.waiting, [simulation, most])
  }

  async settle(
    { simulation, lease, epoch, until }: DeliveryLease,
    { deliveries, emptied, advanced, failures, notes }: Settlement,
  ): Promise<boolean> {
    const rows = await this.#connections.rows(PG_WORK.settle, [
      ...[simulation, lease, epoch, until, notes],
      deliveries.map(({ webhook }) => webhook),
      deliveries.map(({ number }) => number),
      deliveries.map(({ dueAt }) => (dueAt === null ? null : Math.round(dueAt))),
      deliveries.map(({ text }) => text),
      emptied,
      advanced.map(({ id }) => id),
      advanced.map(({ done }) => done),
      failures.map(({ webhook }) => webhook),
      failures.map(({ failures: count }) => count),
    ])
    return rows.length === 1
  }

  async drop({ simulation, lease, epoch, until }: DeliveryLease, webhook: string, most: number): Promise<number> {
    const [row] = await this.#connections.rows<{ dropped: number }>(PG_WORK.drop, [
      simulation,
      lease,
      epoch,
      until,
      webhook,
      most,
    ])
    return row?.dropped ?? 0
  }

  async release({ simulation, lease }: DeliveryLease, { pulse, off, offsetMs }: NextLook): Promise<number | undefined> {
    const given = [simulation, lease, pulse, off, Math.round(offsetMs)]
    return (await this.#connections.rows<{ inMs: number | null }>(PG_WORK.release, given))[0]?.inMs ?? undefined
  }

  async forgetOld(simulation: string, webhooks: readonly string[]): Promise<void> {
    await this.#connections.rows(PG_WORK.forgetOld, [simulation, webhooks])
  }

  async deliveries(simulation: string, webhook: string, most: number) {
    const kept = await this.#connections.rows<KeptDelivery>(PG_WORK.deliveriesOf, [simulation, webhook, most])
    const chunks = await this.#connections.rows<KeptChunk>(PG_WORK.youngestChunks, [simulation, webhook, most])
    return { kept: kept.reverse(), chunks }
  }

  async settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]> {
    const given = [simulation, Math.floor(after)]
    return (await this.#connections.rows<SettledDelivery>(PG_WORK.settledAfter, given)).reverse()
  }

  async lanes(simulation: string): Promise<readonly WebhookLane[]> {
    return this.#connections.rows<WebhookLane>(PG_WORK.lanes, [simulation])
  }

  async notes(simulation: string): Promise<string> {
    return (await this.#connections.rows<{ notes: string }>(PG_WORK.notes, [simulation]))[0]?.notes ?? ''
  }

  async isSettled(simulation: string): Promise<boolean> {
    return (await this.#connections.rows<{ isSettled: boolean }>(PG_WORK.isSettled, [simulation]))[0]?.isSettled ?? true
  }

  async backlog(): Promise<WorkBacklog> {
    const [row] = await this.#connections.rows<WorkBacklog>(PG_WORK.backlog, [])
    return row ?? { waiting: 0, deliveryLateMs: 0, tickLateMs: 0 }
  }

  async forgive(simulation: string, webhook: string): Promise<void> {
    await this.#connections.rows(PG_WORK.forgive, [simulation, webhook])
  }
}

/** Parameters of the statement `OUTBOX_OF_APPEND`: the deliveries of these entries. Undefined without deliveries. */
export function outboxParameters(entries: readonly Entry[]): PgValue[] | undefined {
  const changed = entries.flatMap(({ outbox }, at) => (outbox === null ? [] : [{ number: at + 1, ...outbox }]))
  if (changed.length === 0) return undefined
  const removed = changed.flatMap(({ number, removed: webhooks }) => webhooks.map((webhook) => ({ number, webhook })))
  const added = changed.flatMap(({ number, added: chunks }) => chunks.map((chunk) => ({ number, ...chunk })))
  return [
    changed.map(({ number }) => number),
    changed.map(({ isCleared, removed: webhooks }) => (isCleared || webhooks.length > 0 ? 1 : 0)),
    changed.map(({ isCleared }) => isCleared),
    changed.map(({ added: chunks }) => chunks.length > 0),
    removed.map(({ number }) => number),
    pgTextArray(removed.map(({ webhook }) => webhook)),
    added.map(({ number }) => number),
    pgTextArray(added.map(({ webhook }) => webhook)),
    added.map(({ events }) => events),
    pgTextArray(added.map(({ text }) => text)),
  ]
}
