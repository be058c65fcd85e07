import type { WebhookEvent } from '../../src/protocol/event.ts'
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts'
import { SinkExemptions } from '../../src/service/webhooks/sink-exemptions.ts'
import { Webhooks, type WebhooksOptions } from '../../src/service/webhooks/webhooks.ts'

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

/** Webhooks that may reach the given endpoints on loopback and nothing else. */
export function openWebhooks(
  options: Omit<Partial<WebhooksOptions>, 'runtime'> & {
    runtime?: Partial<Runtime>
    allow?: readonly { port: number; ca: string }[]
  } = {},
): { webhooks: Webhooks; exemptions: SinkExemptions } & AsyncDisposable {
  const { runtime, allow = [], exemptions = new SinkExemptions(), ...others } = options
  for (const { port, ca } of allow) exemptions.add({ ip: '127.0.0.1', port, ca })
  const webhooks = new Webhooks({ runtime: { ...systemRuntime, ...runtime }, exemptions, ...others })
  return { webhooks, exemptions, [Symbol.asyncDispose]: () => webhooks.close() }
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
