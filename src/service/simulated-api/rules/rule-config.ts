import { z } from 'zod'
import { latencyConfig, type ResponseRuleKind } from '../../../protocol/response-rule.ts'

/** When a rule fires: shared by all kinds, all optional. */
const firing = {
  /** Share of the matches that fire. @default 1 */
  probability: z.number().min(0).max(1).optional(),
  /** Matches that pass before the rule begins. @default 0 */
  skipFirst: z.int().min(0).optional(),
  /** Firings after which the rule stops. @default no end */
  times: z.int().min(1).optional(),
  /** Fires at each nth match. @default 1 */
  every: z.int().min(1).optional(),
  /** World time after the rule was added at which it begins. @default 0 */
  startAfterMs: z.number().min(0).optional(),
  /** World time for which it lasts from then on. @default no end */
  durationMs: z.number().min(0).optional(),
}

/** The part of a config that says when a rule fires. */
export type FiringConfig = z.infer<z.ZodObject<typeof firing>>

/** What `config` holds, by kind. A kind without a schema here is not offered. */
export const RULE_CONFIGS = {
  latency: latencyConfig.extend(firing),
} satisfies Partial<Record<ResponseRuleKind, z.ZodType>>

/** A kind that the service offers. */
export type OfferedKind = keyof typeof RULE_CONFIGS
