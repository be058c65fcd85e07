import Stripe from 'stripe'
import type { WebhookEvent } from '../../src/protocol/event.ts'
import type { Delivery } from '../../src/protocol/webhook.ts'
import { Random } from '../../src/runtime/random.ts'
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts'
import { nextTurn } from '../../src/runtime/timers.ts'
import { type Certificate, createCertificate } from '../../src/server/certificate.ts'
import { ReachableAddresses } from '../../src/service/webhooks/reachable-addresses.ts'
import { type WebhookSetting, WebhookSettings } from '../../src/service/webhooks/webhook-settings.ts'
import { Webhooks } from '../../src/service/webhooks/webhooks.ts'
import type { ReceivedWebhook } from '../../src/sink/received-webhook.ts'
import type { SinkPath } from '../../src/sink/sink-path.ts'
import { startSink, type WebhookSink } from '../../src/sink/webhook-sink.ts'
import { countHandles, type ProcessFigures, ProcessWatch, waitForHandles } from '../../test/support/process-watch.ts'
import { toAnnounced } from '../../test/webhooks/announced-event.ts'

export interface ChaosOptions {
  deliveries: number
  /** Seed of the faults and their times. */
  seed: string
  /** A deliberate fault, to test the run itself: every hundredth received webhook is dropped. */
  fault?: 'loss' | undefined
}

/** The result of a chaos run. Nothing was lost when `problems` is empty. */
export interface ChaosSummary {
  deliveries: number
  attempts: number
  delivered: number
  failed: number
  restarts: number
  /** Repeated requests after an accepted one, or after one that an earlier sink accepted. */
  duplicates: number
  /** Requests that the stripe package verified: all of them. */
  verifiedByStripe: number
  seconds: number
  figures: ProcessFigures
  /** Sockets, servers and timers that the run left. */
  leaked: string[]
  problems: string[]
}

/** Each webhook's records hold its latest 1000 deliveries, so each gets no more than that. */
const PER_WEBHOOK = 1_000
const BATCH = 250
/** One in this many events is never answered with 2xx, so that it must fail after six attempts. */
const POISON = 200
const HANGS = 4
/** The real deadline is 10 s; a hang would cost that each time. Everything else keeps its real time. */
const DEADLINE_MS = 10_000
const SHORT_DEADLINE_MS = 250
const TOKEN = '0123456789abcdef0123456789abcdef'

/**
 * Delivers while the sink is restarted, answers 500 at random, drops connections and hangs; retries are run by turning the
 * delivery clock. Afterwards every event has arrived exactly once after deduplication, or failed after six attempts.
 */
export async function runWebhookChaos(options: ChaosOptions): Promise<ChaosSummary> {
  const before = countHandles()
  const startedAt = performance.now()
  const watch = new ProcessWatch()
  await watch.begin()
  const chaos = await Chaos.start(options)
  try {
    await chaos.deliverAll()
  } finally {
    await chaos.close()
  }
  const summary = chaos.summarise()
  const leaked = await waitForHandles(before)
  const figures = await watch.read()
  const problems = [...summary.problems, ...(leaked.length > 0 ? [`left after close: ${leaked.join(', ')}`] : [])]
  return { ...summary, problems, leaked, figures, seconds: Math.round(performance.now() - startedAt) / 1_000 }
}

class Chaos {
  readonly #options: ChaosOptions
  readonly #certificate: Certificate
  readonly #random: Random
  readonly #reachable = new ReachableAddresses()
  readonly #settings = new WebhookSettings()
  readonly #webhooks: Webhooks
  readonly #registered: WebhookSetting[] = []
  /** Every webhook that any incarnation of the sink put into its inbox. */
  readonly #received: ReceivedWebhook[] = []
  #sink: WebhookSink | undefined
  #path: SinkPath | undefined
  #hangsLeft = HANGS
  #restarts = 0
  #seen = 0
  #deliveries: Delivery[] = []

  static async start(options: ChaosOptions): Promise<Chaos> {
    const chaos = new Chaos(options, await createCertificate())
    await chaos.#startSink('127.0.0.1:0')
    await chaos.#register()
    return chaos
  }

  constructor(options: ChaosOptions, certificate: Certificate) {
    this.#options = options
    this.#certificate = certificate
    this.#random = Random.for('chaos', options.seed)
    const startTimer: Runtime['startTimer'] = (ms, run) =>
      systemRuntime.startTimer(ms === DEADLINE_MS ? SHORT_DEADLINE_MS : ms, run)
    this.#webhooks = new Webhooks({ runtime: { ...systemRuntime, startTimer }, reachable: this.#reachable })
  }

  async deliverAll(): Promise<void> {
    const { deliveries } = this.#options
    for (let start = 0; start < deliveries; start += BATCH) {
      for (let index = start; index < Math.min(start + BATCH, deliveries); index++) {
        this.#webhooks.enqueue(toAnnounced(makeEvent(index)))
      }
      await this.#disturb()
    }
    await this.#webhooks.settled(60_000)
    await this.#webhooks.advance({ until: 'drained' })
    this.#deliveries = this.#registered.flatMap(({ id }) => this.#webhooks.deliveries(id))
  }

  async close(): Promise<void> {
    await this.#webhooks.dispatcher.close()
    await this.#sink?.close()
  }

  summarise(): Omit<ChaosSummary, 'seconds' | 'figures' | 'leaked'> {
    const { deliveries } = this.#options
    const delivered = this.#deliveries.filter(({ state }) => state === 'delivered')
    const failed = this.#deliveries.filter(({ state }) => state === 'failed')
    const arrivals = countBy(this.#received, ({ deliveryId }) => deliveryId)
    return {
      deliveries,
      attempts: this.#deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0),
      delivered: delivered.length,
      failed: failed.length,
      restarts: this.#restarts,
      duplicates:
        this.#received.length - arrivals.size + this.#received.reduce((sum, { duplicates }) => sum + duplicates, 0),
      verifiedByStripe: this.#received.filter((webhook) => this.#isVerifiedByStripe(webhook)).length,
      problems: [...this.#findLosses(arrivals), ...this.#findMistakes(failed)],
    }
  }

  /** Events that neither arrived nor failed, or arrived with two contents. */
  #findLosses(arrivals: ReadonlyMap<string, number>): string[] {
    const events = new Set(this.#received.map(({ id, deliveryId }) => `${id} ${deliveryId}`))
    const problems: string[] = []
    if (events.size !== arrivals.size) problems.push('an event came under two delivery ids')
    if (new Set(this.#deliveries.map(({ id }) => id)).size !== this.#options.deliveries) {
      problems.push(`${this.#deliveries.length} deliveries are on record`)
    }
    for (const { id, event, state } of this.#deliveries) {
      if (state === 'delivered' && !arrivals.has(id))
        problems.push(`${event.recordId} counts as delivered and never came`)
      if (state !== 'delivered' && state !== 'failed') problems.push(`${event.recordId} is still ${state}`)
    }
    return problems
  }

  #findMistakes(failed: readonly Delivery[]): string[] {
    const hasFewer = failed.filter(({ attempts }) => attempts.length !== 6)
    const unverified = this.#received.filter((webhook) => !this.#isVerifiedByStripe(webhook))
    const rejected = this.#path?.inbox.rejected().filter(({ reason }) => reason !== 'aborted') ?? []
    return [
      ...hasFewer.map(({ event, attempts }) => `${event.recordId} failed after ${attempts.length} attempts`),
      ...unverified.map(({ deliveryId }) => `stripe does not verify ${deliveryId}`),
      ...rejected.map(({ reason, detail }) => `the sink refused a delivery: ${reason} ${detail}`),
      ...this.#webhooks.states().flatMap(({ state, url }) => (state === 'off' ? [`${url} was switched off`] : [])),
    ]
  }

  #isVerifiedByStripe({ rawBody, headers, webhookId }: ReceivedWebhook): boolean {
    const secret = this.#registered.find(({ id }) => id === webhookId)?.secret ?? ''
    try {
      Stripe.webhooks.constructEvent(Buffer.from(rawBody), headers['svc-signature'] ?? '', secret)
      return true
    } catch {
      return false
    }
  }

  async #register(): Promise<void> {
    for (let group = 0; group * PER_WEBHOOK < this.#options.deliveries; group++) {
      const url = this.#path?.url ?? ''
      const secret = `whsec_${systemRuntime.secret(32)}`
      const webhook = { id: systemRuntime.uuid(), url, events: [`group_${group}.*`], secret }
      this.#settings.add(webhook)
      this.#webhooks.update(this.#settings)
      this.#registered.push(webhook)
      this.#trust()
    }
  }

  #trust(): void {
    for (const { id, secret } of this.#registered) this.#path?.trust({ webhookId: id, secret })
  }

  /** Restarts the sink during the run, or advances the clock by a minute, or both. */
  async #disturb(): Promise<void> {
    const draw = this.#random.next()
    if (draw < 0.6) await this.#restart()
    if (draw > 0.3) await this.#webhooks.advance({ seconds: 60 })
  }

  async #restart(): Promise<void> {
    const { port = 0 } = this.#sink ?? {}
    await this.#path?.inbox.waitFor({ matches: () => this.#random.next() < 0.02, claim: false }, { timeoutMs: 100 })
    await this.#sink?.close()
    for (let turn = this.#random.integer(0, 20); turn > 0; turn--) await nextTurn()
    await this.#startSink(`127.0.0.1:${port}`)
    this.#restarts++
  }

  async #startSink(listen: string): Promise<void> {
    const sink = await startSink({ listen, certificate: Promise.resolve(this.#certificate) })
    const path = sink.open({ token: TOKEN })
    path.inbox.observe({
      received: (webhook) => {
        const isForgotten = this.#options.fault === 'loss' && this.#seen++ % 100 === 0
        if (webhook.attempts === 1 && !isForgotten) this.#received.push(webhook)
      },
    })
    path.respond({ drop: 'before-headers' }, () => this.#random.next() < 0.05)
    path.respond({ drop: 'mid-body' }, () => this.#random.next() < 0.03)
    path.respond({ status: 500 }, () => this.#random.next() < 0.15)
    path.respond({ hang: true }, () => this.#hangsLeft > 0 && this.#random.next() < 0.01 && this.#hangsLeft-- > 0)
    path.respond({ status: 503 }, ({ data }) => Number(data.id.slice(2)) % POISON === POISON - 1)
    if (this.#restarts === 0 && !this.#sink) {
      this.#reachable.add({ ip: sink.ip, port: sink.port, ca: this.#certificate.ca })
    }
    this.#sink = sink
    this.#path = path
    this.#trust()
  }
}

function makeEvent(index: number): WebhookEvent {
  return {
    id: `5b1f0f0e-6a86-4b63-9a8e-${String(index).padStart(12, '0')}`,
    type: `group_${Math.floor(index / PER_WEBHOOK)}.created`,
    created: '2026-11-21T05:00:00.000Z',
    data: { collection: 'tasks', id: `t_${index}`, object: { title: `Task ${index}`, note: 'é✓😀\u2028' } },
  }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
