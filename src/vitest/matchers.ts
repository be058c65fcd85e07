/**
 * Registers the matchers `toHaveReceivedWebhook`, `toHaveReceivedRequest` and `toBeWebhook` with Vitest's `expect`.
 *
 * @module backlot/vitest/matchers
 */
import '../runtime/needed-node.ts'
import { expect } from 'vitest'
import type { RequestExpectation } from '../fixture/expect/expect-request.ts'
import type { RequestMatch } from '../fixture/expect/match-request.ts'
import { simulationMatchers } from '../fixture/simulation-matchers.ts'
import type { EventMatcher, WebhookMatch } from '../sink/match.ts'

/** Matchers for simulations and for the webhooks that they send. */
export interface BacklotMatchers<R = unknown> {
  /** Waits for a webhook of that kind, or finds one received since the test began, and claims it. Await the result. */
  toHaveReceivedWebhook(type: EventMatcher, match?: WebhookMatch<never>): Promise<R>
  /** Waits for such a request to the simulated API, or finds one made since the test began, and claims it. Await the result. */
  toHaveReceivedRequest(match: RequestMatch, options?: RequestExpectation): Promise<R>
  /** The value is a received webhook of that kind whose `data` holds at least these parts. */
  toBeWebhook(type: EventMatcher, data?: object): R
}

declare global {
  namespace Chai {
    interface Assertion extends BacklotMatchers<void> {}
    interface ExpectStatic {
      /** Asymmetric: a webhook of that kind whose `data` holds at least these parts. */
      toBeWebhook(type: EventMatcher, data?: object): unknown
    }
  }
}

expect.extend(simulationMatchers)
