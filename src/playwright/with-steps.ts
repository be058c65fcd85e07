import { test } from '@playwright/test'
import { captureCallSite } from '../fixture/expect/call-site.ts'
import type { Simulation } from '../fixture/simulation.ts'

/** `simulation` with `fetch` and the calls that a test awaits as steps of the running test, whose errors point at the test's line. */
export function withSteps(as: string, simulation: Simulation): Simulation {
  const bound = new Map<PropertyKey, unknown>()
  return new Proxy(simulation, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      const method = bound.get(property) ?? wrap(as, String(property), value as Method, target)
      bound.set(property, method)
      return method
    },
  })
}

type Method = (...args: unknown[]) => unknown

function wrap(as: string, name: string, method: Method, simulation: Simulation): Method {
  const call: Method = method.bind(simulation)
  if (name !== 'fetch' && !simulation.expectations.awaited.watched.has(name)) return call
  // `async` and `await` make this one stack frame: a boxed step omits one frame, and shows the next.
  const inStep = async (args: unknown[]) => {
    // The caller's `await` of a watched promise comes a turn later, and is that next frame.
    await undefined
    return await test.step(`${as}.${name}${shownArguments(args)}`, async () => call(...args), { box: true })
  }
  const step = (...args: unknown[]) => {
    if (!isInTest()) return call(...args)
    // The step awaits the call, so whether the test awaits it is watched here.
    const { awaited } = simulation.expectations
    const atCallSite = captureCallSite(step)
    if (!name.startsWith('expect')) return awaited.act(name, atCallSite, () => inStep(args))
    return awaited.step(name, atCallSite, () => inStep(args))
  }
  return step
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
