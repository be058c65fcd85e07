import type { BehaviourPlan } from '../protocol/behaviour.ts'
import type { CollectionDescription } from '../protocol/collection-description.ts'
import type { DeliveryDetail } from '../protocol/delivery-detail.ts'
import type { ChangeEvent } from '../protocol/event.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { PlanRuns } from '../protocol/plan-runs.ts'
import type { ClockReading, LogDetail, LogEntry, LogsPage } from '../protocol/reads.ts'
import type { KeptRecord } from '../protocol/record-edit.ts'
import type { SignInCommand, SignInOutcome } from '../protocol/sign-in-command.ts'
import type { FastForwardResult } from '../protocol/simulation.ts'
import type { BegunHold, TestHold } from '../protocol/test-hold.ts'
import type { AdvanceRequest, Delivery, NewWebhookFault, WebhookState } from '../protocol/webhook.ts'
import type { ServiceCalls } from './service-calls.ts'

/** Options of a change to a record. */
export interface EditOptions {
  /** Log the change without sending a webhook. @default false */
  quiet?: boolean | undefined
}

const toQuery = ({ quiet }: EditOptions) => ({ quiet: quiet === undefined ? undefined : String(quiet) })

const SETTLE_TIMEOUT_MS = 45_000
const ADVANCE_TIMEOUT_MS = 120_000

/**
 * Endpoints that the specification does not have. A call that the service lacks is not sent, and rejects with an {@link
 * ApiError} `not_found` that names it. `simulation` is an id or a slug.
 */
export class ExtensionCalls {
  readonly #calls: ServiceCalls

  /** @internal */
  constructor(calls: ServiceCalls) {
    this.#calls = calls
  }

  /** `GET .../behaviour` */
  readBehaviour(simulation: string): Promise<BehaviourPlan> {
    const what = `read behaviour of simulation "${simulation}"`
    return this.#calls.call('readBehaviour', { what, parameters: { id: simulation } })
  }

  /** `POST .../snapshots`. Resolves with the snapshot's id. */
  async takeSnapshot(simulation: string): Promise<string> {
    const what = `take a snapshot of simulation "${simulation}"`
    return (await this.#calls.call('takeSnapshot', { what, parameters: { id: simulation } })).id
  }

  /** `POST .../snapshots/{snapshotId}/restore` */
  async restoreSnapshot(simulation: string, snapshotId: string): Promise<void> {
    const what = `restore snapshot "${snapshotId}"`
    await this.#calls.call('restoreSnapshot', { what, parameters: { id: simulation, snapshotId } })
  }

  /** `GET .../behaviour/runs`: the next runs of the plan's rules. */
  readPlanRuns(simulation: string): Promise<PlanRuns> {
    const what = `read the runs of the behaviour plan of simulation "${simulation}"`
    return this.#calls.call('readPlanRuns', { what, parameters: { id: simulation } })
  }

  /** `GET .../collections/{collection}`: the fields of its records, and the references to and from them. */
  describeCollection(simulation: string, collection: string): Promise<CollectionDescription> {
    const what = `read the fields of collection "${collection}" of simulation "${simulation}"`
    return this.#calls.call('describeCollection', { what, parameters: { id: simulation, collection } })
  }

  /** `GET .../clock` */
  readClock(simulation: string): Promise<ClockReading> {
    const what = `read clock of simulation "${simulation}"`
    return this.#calls.call('readClock', { what, parameters: { id: simulation } })
  }

  /** `POST .../clock`: a fast-forward of 1 second to 720 hours. Never retried. */
  advanceClock(simulation: string, seconds: number): Promise<FastForwardResult> {
    return this.#calls.call('advanceClock', {
      what: `fast-forward simulation "${simulation}"`,
      parameters: { id: simulation },
      body: { seconds },
      timeoutMs: 120_000,
    })
  }

  /** `POST .../hold` */
  holdTest(simulation: string, test?: string): Promise<BegunHold> {
    const what = `hold the test at simulation "${simulation}"`
    return this.#calls.call('holdTest', {
      what,
      parameters: { id: simulation },
      body: test === undefined ? {} : { test },
    })
  }

  /** `GET .../hold`: resolves when the hold is over, or after `timeoutMs`. */
  readHold(simulation: string, timeoutMs: number): Promise<TestHold> {
    const what = `wait for the end of the hold at simulation "${simulation}"`
    return this.#calls.call('readHold', { what, parameters: { id: simulation }, query: { timeoutMs } })
  }

  /** `GET .../records/{collection}/{recordId}` */
  readRecord(simulation: string, collection: string, recordId: string): Promise<KeptRecord> {
    const what = `read record "${recordId}" of collection "${collection}"`
    return this.#calls.call('readRecord', { what, parameters: { id: simulation, collection, recordId } })
  }

  /** `POST .../records/{collection}`: omitted fields are generated. Never retried. */
  createRecord(simulation: string, collection: string, fields: object, options: EditOptions = {}): Promise<KeptRecord> {
    const what = `create a record of collection "${collection}"`
    const call = { what, parameters: { id: simulation, collection }, query: toQuery(options) }
    return this.#calls.call('createRecord', { ...call, body: fields as JsonObject })
  }

  /** `PUT .../records/{collection}/{recordId}`: replaces all fields except the id and those that only the server sets. */
  replaceRecord(
    simulation: string,
    collection: string,
    recordId: string,
    fields: object,
    options: EditOptions = {},
  ): Promise<KeptRecord> {
    const what = `replace record "${recordId}" of collection "${collection}"`
    const call = { what, parameters: { id: simulation, collection, recordId }, query: toQuery(options) }
    return this.#calls.call('replaceRecord', { ...call, body: fields as JsonObject })
  }

  /** `PATCH .../records/{collection}/{recordId}`: merges objects; null removes an optional field. */
  updateRecord(
    simulation: string,
    collection: string,
    recordId: string,
    fields: object,
    options: EditOptions = {},
  ): Promise<KeptRecord> {
    const what = `update record "${recordId}" of collection "${collection}"`
    const call = { what, parameters: { id: simulation, collection, recordId }, query: toQuery(options) }
    return this.#calls.call('updateRecord', { ...call, body: fields as JsonObject })
  }

  /** `DELETE .../records/{collection}/{recordId}`. Rejects with `not_found` where there is no such record. */
  async removeRecord(
    simulation: string,
    collection: string,
    recordId: string,
    options: EditOptions = {},
  ): Promise<void> {
    const what = `remove record "${recordId}" of collection "${collection}"`
    const call = { what, parameters: { id: simulation, collection, recordId }, query: toQuery(options) }
    await this.#calls.call('removeRecord', call)
  }

  /** `POST .../trigger`: causes an event, by its kind or by the status that a record reaches. Never retried. */
  triggerEvent(
    simulation: string,
    type: string,
    { fields, ...options }: EditOptions & { fields?: object | undefined } = {},
  ): Promise<ChangeEvent> {
    const call = { what: `trigger "${type}"`, parameters: { id: simulation }, query: toQuery(options) }
    return this.#calls.call('triggerEvent', {
      ...call,
      body: { type, ...(fields && { fields: fields as JsonObject }) },
    })
  }

  /** `POST .../sign-in`: acts on the sign-in without its pages. */
  actOnSignIn(simulation: string, body: SignInCommand): Promise<SignInOutcome> {
    const what = `act on the sign-in of simulation "${simulation}"`
    return this.#calls.call('actOnSignIn', { what, parameters: { id: simulation }, body })
  }

  /** `GET .../events/stream`: change events as they happen, until the signal aborts. */
  async *streamEvents(
    simulation: string,
    options: { signal?: AbortSignal; lastEventId?: string } = {},
  ): AsyncGenerator<ChangeEvent> {
    const { signal, lastEventId } = options
    const body: unknown = await this.#calls.call('streamEvents', {
      what: `stream events of simulation "${simulation}"`,
      parameters: { id: simulation },
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal,
    })
    if (body instanceof ReadableStream) yield* readEventStream(body)
  }

  /** `GET .../logs` with a query: a page of requests, newest first. */
  async readLogPage(simulation: string, page: LogsPage & { detail: true }): Promise<LogDetail[]>
  async readLogPage(simulation: string, page: LogsPage): Promise<LogEntry[]>
  async readLogPage(simulation: string, page: LogsPage): Promise<LogEntry[]> {
    const what = `read the request log of simulation "${simulation}"`
    return (await this.#calls.call('readLogs', { what, parameters: { id: simulation }, query: { ...page } })).data
  }

  /** `GET .../events?type=`: the latest event of a kind. Rejects with a `bad_request` for a kind that no record has. */
  async readLatestEvent(simulation: string, type: string): Promise<ChangeEvent | undefined> {
    const what = `read events of simulation "${simulation}"`
    return (await this.#calls.call('readEvents', { what, parameters: { id: simulation }, query: { type, limit: 1 } }))
      .data[0]
  }

  /** `GET .../logs/{requestId}`: one request with headers, body, answer and changes. */
  readLog(simulation: string, requestId: string): Promise<LogDetail> {
    const what = `read request "${requestId}" of simulation "${simulation}"`
    return this.#calls.call('readLog', { what, parameters: { id: simulation, requestId } })
  }

  /** `GET .../webhooks` */
  async listWebhooks(simulation: string): Promise<WebhookState[]> {
    const what = `read webhooks of simulation "${simulation}"`
    return (await this.#calls.call('listWebhooks', { what, parameters: { id: simulation } })).data
  }

  /** `DELETE .../webhooks/{webhookId}`. Resolves with false when it did not exist. */
  removeWebhook(simulation: string, webhookId: string): Promise<boolean> {
    const what = `remove webhook "${webhookId}"`
    return this.#calls.delete('removeWebhook', { what, parameters: { id: simulation, webhookId } })
  }

  /** `POST .../webhooks/{webhookId}/enable`: enables a webhook that 50 failures switched off. */
  async enableWebhook(simulation: string, webhookId: string): Promise<void> {
    const what = `enable webhook "${webhookId}"`
    await this.#calls.call('enableWebhook', { what, parameters: { id: simulation, webhookId } })
  }

  /** `GET .../webhooks/{webhookId}/deliveries` */
  async listDeliveries(simulation: string, webhookId: string): Promise<Delivery[]> {
    const what = `read webhooks/${webhookId}/deliveries of simulation "${simulation}"`
    return (await this.#calls.call('listDeliveries', { what, parameters: { id: simulation, webhookId } })).data
  }

  /** `GET .../webhooks/{webhookId}/deliveries/{deliveryId}`: with each attempt's request and response. */
  readDelivery(simulation: string, webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
    const what = `read delivery "${deliveryId}" of simulation "${simulation}"`
    return this.#calls.call('readDelivery', { what, parameters: { id: simulation, webhookId, deliveryId } })
  }

  /** `POST .../deliveries/advance`: advances the delivery clock; resolves with the number of attempts. */
  async advanceDeliveries(simulation: string, by: AdvanceRequest): Promise<number> {
    const advanced = await this.#calls.call('advanceDeliveries', {
      what: `advance the deliveries of simulation "${simulation}"`,
      parameters: { id: simulation },
      body: by,
      timeoutMs: ADVANCE_TIMEOUT_MS,
    })
    return advanced.attempts
  }

  /** `GET .../deliveries/settled`: waits up to 30 s until no delivery is in progress or due. */
  async areDeliveriesSettled(simulation: string): Promise<boolean> {
    const what = `read deliveries/settled of simulation "${simulation}"`
    const call = { what, parameters: { id: simulation }, timeoutMs: SETTLE_TIMEOUT_MS }
    return (await this.#calls.call('areDeliveriesSettled', call)).settled
  }

  /** `POST .../webhook-faults`: adds a deliberate delivery fault. Resolves with the fault's id. */
  async addWebhookFault(simulation: string, fault: NewWebhookFault): Promise<string> {
    const what = 'add a webhook fault'
    return (await this.#calls.call('addWebhookFault', { what, parameters: { id: simulation }, body: fault })).id
  }

  /** `DELETE .../webhook-faults/{faultId}`. Resolves with false when it did not exist. */
  removeWebhookFault(simulation: string, faultId: string): Promise<boolean> {
    const what = `remove webhook fault "${faultId}"`
    return this.#calls.delete('removeWebhookFault', { what, parameters: { id: simulation, faultId } })
  }

  /** `POST /v1/sinks` (`workerSinks` only): lets deliveries reach a sink of this run on loopback. */
  async addSink(sink: { port: number; ca: string }): Promise<string> {
    return (await this.#calls.call('registerSink', { what: `register the sink on port ${sink.port}`, body: sink })).id
  }

  /** `DELETE /v1/sinks/{id}`. Resolves with false when it did not exist. */
  removeSink(sinkId: string): Promise<boolean> {
    return this.#calls.delete('removeSink', { what: `remove sink "${sinkId}"`, parameters: { sinkId } })
  }
}

/** Reads server-sent events (WHATWG HTML, Server-sent events), each with one change event as JSON. */
async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ChangeEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = dataOf(block)
      if (/^event: too-slow$/m.test(block)) throw new Error(`Failed to stream events: ${JSON.parse(data).message}`)
      if (data !== '') yield JSON.parse(data) as ChangeEvent
    }
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}
