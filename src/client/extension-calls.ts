import type { BehaviourPlan } from '../protocol/behaviour.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ChangeEvent } from '../protocol/event.ts'
import type { ClockReading } from '../protocol/reads.ts'
import type { AdvanceRequest, Delivery, WebhookState } from '../protocol/webhook.ts'
import type { Caller, CallOptions } from './caller.ts'
import { readEventStream } from './event-stream.ts'
import type { CallExtension } from './extensions.ts'
import { paths } from './paths.ts'

const SETTLE_TIMEOUT_MS = 45_000
const ADVANCE_TIMEOUT_MS = 120_000

/**
 * Calls that the specification does not have. A service without one rejects with an {@link ApiError} `not_found` that
 * names it; nothing is sent then. `simulation` is an id or a slug.
 */
export class ExtensionCalls {
  readonly #caller: Caller
  readonly #offers: (extension: CallExtension) => Promise<boolean>

  constructor(caller: Caller, offers: (extension: CallExtension) => Promise<boolean>) {
    this.#caller = caller
    this.#offers = offers
  }

  /** `GET .../behaviour` */
  readBehaviour(simulation: string): Promise<BehaviourPlan> {
    return this.#part(simulation, ['behaviour'], 'behaviour-read')
  }

  /** `POST .../snapshots`. Resolves with the snapshot's id. */
  async takeSnapshot(simulation: string): Promise<string> {
    await this.#need('snapshots')
    const what = `take a snapshot of simulation "${simulation}"`
    return (await this.#caller.post<{ id: string }>(paths.part(simulation, 'snapshots'), undefined, what)).id
  }

  /** `POST .../snapshots/{snapshotId}/restore` */
  async restoreSnapshot(simulation: string, snapshotId: string): Promise<void> {
    await this.#need('snapshots')
    const path = paths.part(simulation, 'snapshots', snapshotId, 'restore')
    await this.#caller.post(path, undefined, `restore snapshot "${snapshotId}"`, { repeatable: true })
  }

  /** `GET .../clock` */
  readClock(simulation: string): Promise<ClockReading> {
    return this.#part(simulation, ['clock'], 'clock')
  }

  /** `GET .../events/stream`: change events as they happen, until the signal aborts. */
  async *streamEvents(
    simulation: string,
    options: { signal?: AbortSignal; lastEventId?: string } = {},
  ): AsyncGenerator<ChangeEvent> {
    await this.#need('event-stream')
    const answer = await this.#caller.send({
      method: 'GET',
      path: paths.part(simulation, 'events', 'stream'),
      what: `stream events of simulation "${simulation}"`,
      signal: options.signal,
      headers: {
        accept: 'text/event-stream',
        ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
      },
    })
    if (answer.body instanceof ReadableStream) yield* readEventStream(answer.body)
  }

  /** `GET .../webhooks` */
  async listWebhooks(simulation: string): Promise<WebhookState[]> {
    return (await this.#part<{ data: WebhookState[] }>(simulation, ['webhooks'], 'webhook-list')).data
  }

  /** `DELETE .../webhooks/{webhookId}`. Resolves with false when there was none any more. */
  async removeWebhook(simulation: string, webhookId: string): Promise<boolean> {
    await this.#need('webhook-delete')
    return this.#caller.delete(paths.part(simulation, 'webhooks', webhookId), `remove webhook "${webhookId}"`)
  }

  /** `POST .../webhooks/{webhookId}/enable`: turns on again what 50 failures switched off. */
  async enableWebhook(simulation: string, webhookId: string): Promise<void> {
    await this.#need('webhook-enable')
    const path = paths.part(simulation, 'webhooks', webhookId, 'enable')
    await this.#caller.post(path, undefined, `enable webhook "${webhookId}"`, { repeatable: true })
  }

  /** `GET .../webhooks/{webhookId}/deliveries` */
  async listDeliveries(simulation: string, webhookId: string): Promise<Delivery[]> {
    const segments = ['webhooks', webhookId, 'deliveries']
    return (await this.#part<{ data: Delivery[] }>(simulation, segments, 'deliveries')).data
  }

  /** `POST .../deliveries/advance`: turns the delivery clock; resolves with the number of attempts made. */
  async advanceDeliveries(simulation: string, by: AdvanceRequest): Promise<number> {
    await this.#need('deliveries-advance')
    const path = paths.part(simulation, 'deliveries', 'advance')
    const what = `advance the deliveries of simulation "${simulation}"`
    const answer = await this.#caller.post<{ attempts: number }>(path, by, what, {
      timeoutMs: ADVANCE_TIMEOUT_MS,
    })
    return answer.attempts
  }

  /** `GET .../deliveries/settled`: waits up to 30 s for nothing to be in flight or due. */
  async areDeliveriesSettled(simulation: string): Promise<boolean> {
    const segments = ['deliveries', 'settled']
    const options = { timeoutMs: SETTLE_TIMEOUT_MS }
    return (await this.#part<{ settled: boolean }>(simulation, segments, 'deliveries-settled', options)).settled
  }

  /** `POST .../webhook-faults`: spoils deliveries on purpose. Resolves with the fault's id. */
  async addWebhookFault(simulation: string, fault: object): Promise<string> {
    await this.#need('webhook-faults')
    const path = paths.part(simulation, 'webhook-faults')
    return (await this.#caller.post<{ id: string }>(path, fault, 'add a webhook fault')).id
  }

  /** `DELETE .../webhook-faults/{faultId}`. Resolves with false when there was none any more. */
  async removeWebhookFault(simulation: string, faultId: string): Promise<boolean> {
    await this.#need('webhook-faults')
    return this.#caller.delete(paths.part(simulation, 'webhook-faults', faultId), `remove webhook fault "${faultId}"`)
  }

  /** `POST /v1/sinks` (`workerSinks` only): lets deliveries reach a sink of this run on loopback. */
  async addSink(sink: { port: number; ca: string }): Promise<string> {
    await this.#need('worker-sinks')
    const what = `register the sink on port ${sink.port}`
    return (await this.#caller.post<{ id: string }>(paths.sinks, sink, what, { repeatable: true })).id
  }

  /** `DELETE /v1/sinks/{id}`. Resolves with false when there was none any more. */
  async removeSink(sinkId: string): Promise<boolean> {
    await this.#need('worker-sinks')
    return this.#caller.delete(paths.sink(sinkId), `remove sink "${sinkId}"`)
  }

  async #need(extension: CallExtension): Promise<void> {
    if (await this.#offers(extension)) return
    throw new ApiError(
      404,
      'not_found',
      `Failed to use "${extension}": the service at ${this.#caller.baseUrl} does not offer it. It works on the embedded service and on \`backlot serve\`.`,
    )
  }

  async #part<T>(
    simulation: string,
    segments: readonly string[],
    extension: CallExtension,
    options: CallOptions = {},
  ): Promise<T> {
    await this.#need(extension)
    const what = `read ${segments.join('/')} of simulation "${simulation}"`
    return this.#caller.get(paths.part(simulation, ...segments), what, options)
  }
}
