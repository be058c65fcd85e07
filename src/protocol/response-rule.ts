import * as z from 'zod'
import { LIMITS } from './limits.ts'

const kinds = [
  'latency',
  'error',
  'rateLimit',
  'timeout',
  'connectionReset',
  'emptyResponse',
  'malformed',
  'slowBody',
  'override',
  'sequence',
  'unauthorised',
  'staleRead',
  'maintenance',
] as const

/** Kinds of response rule. `latency` is the specification's; the others are ours (`decisions/`). */
export type ResponseRuleKind = (typeof kinds)[number]

/** Config of the kind `latency`: how much later than usual the answer leaves, in milliseconds. */
export const latencyConfig = z.object({
  latencyMs: z.int().min(LIMITS.latencyMs.min).max(LIMITS.latencyMs.max),
  /** The delay varies by this much, up or down, and is never below 0. @default 0 */
  latencyJitterMs: z.int().min(LIMITS.latencyMs.min).max(LIMITS.latencyMs.max).default(0),
})

/** `POST /v1/simulations/{id}/rules`: the shape that all kinds share. `config` is parsed by its kind. */
export const responseRuleRequest = z.object({
  name: z.string().min(1).max(200),
  kind: z.enum(kinds),
  /** HTTP method that the rule matches, or `*`. */
  method: z.string().regex(/^(\*|[A-Za-z]{1,20})$/, 'an HTTP method or `*`'),
  /** Path of the simulated API, with or without its base path; a trailing `*` matches the rest. */
  pathPattern: z
    .string()
    .max(2_000)
    .regex(/^\/[^*?#]*\*?$|^\*$/, 'a path that starts with `/`, with at most one `*`, at its end'),
  config: z.record(z.string(), z.unknown()),
})
export type ResponseRuleRequest = z.infer<typeof responseRuleRequest>

/** A response rule as kept and as read back (specification, Response rule). */
export interface ResponseRule {
  id: string
  name: string
  kind: ResponseRuleKind
  method: string
  pathPattern: string
  config: Record<string, unknown>
  /** In the answer to POST: why no operation can meet the rule (ours). */
  warning?: string
}
