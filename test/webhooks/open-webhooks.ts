import type { WebhookEvent } from '../../src/protocol/event.ts'
import type { NewWebhookFault, WebhookRequest } from '../../src/protocol/webhook.ts'
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts'
import type { AnnouncedChange } from '../../src/service/webhooks/event-form.ts'
import { ReachableAddresses } from '../../src/service/webhooks/reachable-addresses.ts'
import { admitWebhook, type WebhookSetting, WebhookSettings } from '../../src/service/webhooks/webhook-settings.ts'
import { Webhooks, type WebhooksOptions } from '../../src/service/webhooks/webhooks.ts'
import { toAnnounced } from './announced-event.ts'

/** Timers that run when the test says so. */
export class HandTimers {
  readonly #timers = new Set<{ ms: number; run: () => void }>()

  startTimer = (ms: number, run: () => void) => {
    const timer = { ms, run }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** How many timers of exactly this length wait. */
  count(ms: number): number {
    return [...this.#timers].filter((timer) => timer.ms === ms).length
  }

  /** Lets every timer of exactly this length ring. */
  ring(ms: number): void {
    for (const timer of [...this.#timers]) {
      if (timer.ms !== ms) continue
      this.#timers.delete(timer)
      timer.run()
    }
  }
}

/**
 * Webhooks with settings of their own: the part that a simulation plays for its webhooks. A service would do, but public
 * addresses must not be dialled by a test, and retries wait for hours.
 */
export class StandaloneWebhooks extends Webhooks {
  readonly #options: WebhooksOptions
  readonly #settings = new WebhookSettings()

  constructor(options: Omit<WebhooksOptions, 'onExhausted'>) {
    super({ ...options, onExhausted: (id) => this.#change((settings) => settings.disable(id)) })
    this.#options = options
  }

  override enqueue(announced: WebhookEvent | AnnouncedChange): void {
    super.enqueue('compose' in announced ? announced : toAnnounced(announced))
  }

  async register(request: WebhookRequest): Promise<WebhookSetting> {
    const webhook = await admitWebhook(request, this.#options.runtime, this.#options.reachable)
    this.#change((settings) => settings.add(webhook))
    return webhook
  }

  remove(id: string): void {
    this.#change((settings) => settings.remove(id))
  }

  enable(id: string): void {
    this.#change((settings) => settings.enable(id))
    this.forgiveFailures(id)
  }

  addFault({ events = '*', ...fault }: NewWebhookFault): { id: string } {
    const id = this.#options.runtime.uuid()
    this.#change((settings) => settings.addFault({ ...fault, id, events: [events].flat() }))
    return { id }
  }

  removeFault(id: string): void {
    this.#change((settings) => settings.removeFault(id))
  }

  #change(change: (settings: WebhookSettings) => void): void {
    change(this.#settings)
    this.update(this.#settings)
  }
}

/** Webhooks that may reach the given endpoints on loopback and nothing else. */
export function openWebhooks(
  options: Omit<Partial<WebhooksOptions>, 'runtime'> & {
    runtime?: Partial<Runtime>
    allow?: readonly { port: number; ca: string }[]
  } = {},
): { webhooks: StandaloneWebhooks; reachable: ReachableAddresses } & AsyncDisposable {
  const { runtime, allow = [], reachable = new ReachableAddresses(), ...others } = options
  for (const { port, ca } of allow) reachable.add({ ip: '127.0.0.1', port, ca })
  const webhooks = new StandaloneWebhooks({ runtime: { ...systemRuntime, ...runtime }, reachable, ...others })
  return { webhooks, reachable, [Symbol.asyncDispose]: () => webhooks.dispatcher.close() }
}

/** The event number `index` of a made-up simulation. */
export function makeEvent(index: number, change: Partial<WebhookEvent> = {}): WebhookEvent {
  return {
    id: `5b1f0f0e-6a86-4b63-9a8e-${String(index).padStart(12, '0')}`,
    type: 'task.created',
    created: '2026-11-21T05:00:00.000Z',
    data: { collection: 'tasks', id: `t_${index}`, object: { title: `Task ${index}`, note: 'é✓😀' } },
    ...change,
  }
}
