import { test } from '@playwright/test'
import type { Simulation } from '../fixture/simulation.ts'

/** Calls that a report shows as steps. */
const STEPS: ReadonlySet<PropertyKey> = new Set([
  'fetch',
  'fastForward',
  'addRule',
  'addLatency',
  'addError',
  'failNext',
  'rateLimit',
  'goOffline',
  'resetConnections',
  'respondWith',
  'setBehaviour',
  'issueKey',
  'setAccess',
  'pause',
  'resume',
  'reset',
  'snapshot',
  'restore',
  'records',
  'create',
  'update',
  'remove',
  'trigger',
  'requests',
  'expectRequest',
  'expectNoRequest',
  'expectWebhook',
  'expectWebhooks',
  'expectNoWebhook',
] satisfies (keyof Simulation)[])

/** `simulation` with calls as steps of the running test, whose errors point at the test's line. */
export function withSteps(as: string, simulation: Simulation): Simulation {
  const bound = new Map<PropertyKey, unknown>()
  return new Proxy(simulation, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      const method = bound.get(property) ?? wrap(as, property, value.bind(target))
      bound.set(property, method)
      return method
    },
  })
}

function wrap(as: string, property: PropertyKey, method: (...args: unknown[]) => unknown): unknown {
  if (!STEPS.has(property)) return method
  // `async` and `await` make this one stack frame: a boxed step omits one frame, and shows the next.
  return async (...args: unknown[]) => {
    if (!isInTest()) return method(...args)
    const title = `${as}.${String(property)}${shownArguments(args)}`
    return await test.step(title, async () => method(...args), { box: true })
  }
}

function isInTest(): boolean {
  try {
    test.info()
    return true
  } catch {
    return false
  }
}

function shownArguments(args: readonly unknown[]): string {
  const [first, second] = args
  if (first === undefined) return ''
  const method = (second as { method?: unknown } | undefined)?.method
  const text =
    typeof first === 'string' ? first : first instanceof RegExp ? String(first) : (JSON.stringify(first) ?? '')
  return ` ${typeof method === 'string' ? `${method} ` : ''}${text.length > 80 ? `${text.slice(0, 79)}…` : text}`
}
