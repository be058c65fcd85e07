import { LIMITS } from '../../../protocol/limits.ts'
import type { Random } from '../../../runtime/random.ts'
import type { RuleConfig } from './rule-config.ts'

/** The delay of one firing of a `latency` rule, in whole milliseconds, never below 0. */
export function drawLatencyMs(config: RuleConfig<'latency'>, random: Random): number {
  const { latencyMs, latencyJitterMs, distribution, sigma = 0.5, maxMs = LIMITS.latencyMs.max } = config
  const drawn = (): number => {
    switch (distribution ?? 'uniform') {
      case 'fixed':
        return latencyMs
      case 'uniform':
        return latencyMs + (random.next() * 2 - 1) * latencyJitterMs
      case 'normal':
        return latencyMs + drawNormal(random) * latencyJitterMs
      case 'lognormal':
        return latencyMs * Math.exp(drawNormal(random) * sigma)
    }
  }
  return Math.round(Math.min(Math.max(0, drawn()), maxMs))
}

/** A draw of the standard normal distribution (Box and Muller, 1958). */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
