import {
  matchReceivedRequest,
  matchReceivedWebhook,
  matchWebhook,
  type RequestMatch,
} from '../fixture/expect/simulation-matchers.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { EventMatcher, WebhookMatch } from '../sink/match.ts'

interface MatcherContext {
  isNot: boolean
}

/** Matchers for simulations and for the webhooks that they send, for Playwright's `expect.extend`. */
export const simulationMatchers = {
  /** A webhook of that kind comes, or came since the test began. It is taken. To be awaited. */
  async toHaveReceivedWebhook(
    this: MatcherContext,
    simulation: Simulation,
    type: EventMatcher,
    match?: WebhookMatch<never>,
  ) {
    return { name: 'toHaveReceivedWebhook', ...(await matchReceivedWebhook(this.isNot, simulation, type, match)) }
  },

  /** A request like that reaches the simulated API, or has since the test began. To be awaited. */
  async toHaveReceivedRequest(this: MatcherContext, simulation: Simulation, match: RequestMatch) {
    return { name: 'toHaveReceivedRequest', ...(await matchReceivedRequest(this.isNot, simulation, match)) }
  },

  /** The value is a received webhook of that kind whose `data` holds at least these parts. */
  toBeWebhook(this: MatcherContext, value: unknown, type: EventMatcher, data?: object) {
    return { name: 'toBeWebhook', ...matchWebhook(this.isNot, value, type, data) }
  },
}
export type SimulationMatchers = typeof simulationMatchers
