import * as z from 'zod'
import { LIMITS } from '../../../protocol/limits.ts'
import type { ResponseRuleKind } from '../../../protocol/response-rule.ts'
import { streamFaults } from '../../../protocol/stream.ts'
import { once } from '../../../runtime/once.ts'
import { replyConfig } from './reply-config.ts'

/** World time, in milliseconds. */
const spanMs = () =>
  z
    .number()
    .min(0)
    .max(LIMITS.responseRuleSeconds * 1000)
/** When a rule fires: for all kinds, all optional. */
const firingFields = () => ({
  /** Share of matches that fire. @default 1 */
  probability: z.number().min(0).max(1).optional(),
  /** Matches skipped before the rule begins. @default 0 */
  skipFirst: z.int().min(0).optional(),
  /** Firings after which the rule stops. @default no end */
  times: z.int().min(1).optional(),
  /** Fires at each nth match. @default 1 */
  every: z.int().min(1).optional(),
  /** World time from adding the rule to its begin. @default 0 */
  startAfterMs: spanMs().optional(),
  /** World time from its begin to its end. @default no end */
  durationMs: spanMs().optional(),
  /** World time over which the probability grows from 0 to its value. @default 0 */
  rampMs: spanMs().optional(),
  /** Seed of this rule's random draws, instead of the simulation's. */
  seed: z.union([z.string().max(200), z.number()]).optional(),
  /** How the answer breaks in the middle, if it is a stream. */
  stream: streamFaults().optional(),
})

/** The part of a config about when a rule fires. */
export type FiringConfig = z.infer<z.ZodObject<ReturnType<typeof firingFields>>>

/** Fields of `config`, by kind (`decisions/`, after WireMock, Toxiproxy, MockServer and Mockttp). */
export const ruleConfigs = once(() => {
  const firing = firingFields()
  const delayMs = z.int().min(LIMITS.latencyMs.min).max(LIMITS.latencyMs.max)
  const retryAfterSeconds = z.int().min(0).max(LIMITS.responseRuleSeconds)
  const errorStatus = z.int().min(400).max(599)
  const headers = z.record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'an HTTP header name'), z.string().max(4_000))
  /**
   * `before`: the fault happens before the request is processed. `after`: it is processed, and the client gets no answer
   * (a lost acknowledgement). `never`: it is not processed.
   */
  const commit = z.enum(['before', 'after', 'never'])
  return {
    /** How much later than usual the answer leaves, in milliseconds. */
    latency: z.strictObject({
      latencyMs: delayMs,
      /** The delay varies by this much, up or down, and is never below 0. @default 0 */
      latencyJitterMs: delayMs.default(0),
      ...firing,
      distribution: z.enum(['fixed', 'uniform', 'normal', 'lognormal']).optional(),
      /** Spread of `lognormal`. @default 0.5 */
      sigma: z.number().min(0).max(5).optional(),
      /** Longest delay. @default 300,000 */
      maxMs: delayMs.optional(),
    }),
    error: z.strictObject({
      ...firing,
      status: errorStatus,
      code: z.string().max(200).optional(),
      message: z.string().max(2_000).optional(),
      body: z.json().optional(),
      headers: headers.optional(),
      retryAfterSeconds: retryAfterSeconds.optional(),
    }),
    rateLimit: z.strictObject({
      ...firing,
      limit: z.int().min(1),
      windowSeconds: z.number().min(0.001).max(LIMITS.responseRuleSeconds),
      /** Size of the bucket of `tokenBucket`. @default limit */
      burst: z.int().min(1).optional(),
      scope: z.enum(['simulation', 'key', 'ip', 'operation']).default('simulation'),
      algorithm: z.enum(['fixed', 'tokenBucket']).default('fixed'),
      headers: z.enum(['standard', 'x', 'none']).default('standard'),
    }),
    timeout: z.strictObject({
      ...firing,
      /** How long the request is held; 0: until the client disconnects or the rule is removed. @default 0 */
      holdMs: delayMs.default(0),
      commit: commit.default('after'),
    }),
    connectionReset: z.strictObject({
      ...firing,
      when: z.enum(['beforeResponse', 'midBody']).default('beforeResponse'),
      /** Bytes of the answer before a `midBody` reset. @default half of it */
      afterBytes: z.int().min(0).optional(),
      commit: commit.default('never'),
    }),
    emptyResponse: z.strictObject({
      ...firing,
      commit: commit.default('never'),
      /** Whether it also closes requests without a valid key and to unknown paths. @default false */
      beforeKey: z.boolean().default(false),
    }),
    malformed: z.strictObject({
      ...firing,
      mode: z.enum(['json', 'truncate', 'randomBytes', 'invalidHttp']).default('json'),
      /** Share of the body that `truncate` keeps. @default 0.5 */
      keepFraction: z.number().min(0).max(1).default(0.5),
    }),
    slowBody: z.strictObject({
      ...firing,
      chunkBytes: z.int().min(1).optional(),
      chunkDelayMs: delayMs.optional(),
      bytesPerSecond: z.int().min(1).optional(),
    }),
    override: z.strictObject({
      ...firing,
      status: z.int().min(200).max(599).optional(),
      headers: headers.optional(),
      /** Merge patch (RFC 7396) on the answer's body. */
      setJson: z.json().optional(),
      body: z.json().optional(),
    }),
    sequence: z.strictObject({
      ...firing,
      responses: z
        .array(
          z.strictObject({
            status: z.int().min(200).max(599).optional(),
            body: z.json().optional(),
            pass: z.boolean().optional(),
          }),
        )
        .min(1)
        .max(100),
      onEnd: z.enum(['repeat', 'last', 'pass']).default('pass'),
    }),
    unauthorised: z.strictObject({
      ...firing,
      mode: z.enum(['missing', 'invalid', 'expired', 'scope']).default('invalid'),
    }),
    staleRead: z.strictObject({ ...firing, lagMs: spanMs() }),
    maintenance: z.strictObject({
      ...firing,
      retryAfterSeconds: retryAfterSeconds.default(60),
      message: z.string().max(2_000).default('The service is down for maintenance.'),
    }),
    reply: z.strictObject({ ...firing, ...replyConfig() }),
  } satisfies Record<ResponseRuleKind, z.ZodType>
})

/** The parsed config of a kind. */
export type RuleConfig<Kind extends ResponseRuleKind> = z.infer<ReturnType<typeof ruleConfigs>[Kind]>

/** The stage at which a kind acts; of each stage only the first firing rule acts. */
export const RULE_STAGES = {
  rateLimit: 'rateLimit',
  timeout: 'connection',
  connectionReset: 'connection',
  emptyResponse: 'connection',
  error: 'error',
  unauthorised: 'error',
  maintenance: 'error',
  override: 'override',
  sequence: 'override',
  staleRead: 'override',
  latency: 'latency',
  malformed: 'body',
  slowBody: 'body',
  reply: 'reply',
} as const satisfies Record<ResponseRuleKind, string>

/** A stage of a request. */
export type RuleStage = (typeof RULE_STAGES)[ResponseRuleKind]
