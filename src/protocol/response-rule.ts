import * as z from 'zod'
import { grouped } from './grouped.ts'
import { LIMITS } from './limits.ts'
import { countWildParts, MOST_WILD_PARTS } from './path-pattern.ts'

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
  'reply',
] as const

/** Kinds of response rule. `latency` is the specification's; the others are ours (`decisions/`). */
export type ResponseRuleKind = (typeof kinds)[number]

/** A value of the query or of a header; null: it was not sent. */
const sentText = z.union([z.string().max(4_000), z.number(), z.boolean(), z.null()])

/** Conditions on a request for a rule to match. Everything given must be in the request; the request may have more. */
const ruleCondition = z
  .strictObject({
    /** By name as sent, decoded. One value of a repeated parameter must fit. */
    query: z.record(z.string().min(1), sentText).optional(),
    /** By name in any case. */
    headers: z.record(z.string().min(1), sentText).optional(),
    /** A deep partial of the body: JSON, a form, or a text. Arrays must have the same length. */
    body: z.json().optional(),
  })
  .refine((when) => JSON.stringify(when).length <= LIMITS.ruleConditionCharacters, {
    message: `at most ${grouped(LIMITS.ruleConditionCharacters)} characters of JSON`,
  })
/** Conditions on a request for a rule to match. */
export type RuleCondition = z.infer<typeof ruleCondition>

/** Fields that requests and answers share. */
const fields = {
  name: z.string().min(1).max(200),
  kind: z.enum(kinds),
  /** HTTP method that the rule matches, or `*`. */
  method: z.string().regex(/^(\*|[A-Za-z]{1,20})$/, 'an HTTP method or `*`'),
  /**
   * Path of the simulated API, with or without its base path; a trailing `*` matches the rest. Ours: `*` anywhere, and
   * `{id}` or `:id` for one segment.
   */
  pathPattern: z
    .string()
    .max(2_000)
    .regex(/^[/*][^?#]*$/, 'a path that starts with `/` or `*`, without a query')
    .refine((text) => countWildParts(text) <= MOST_WILD_PARTS, {
      message: `a path with at most ${MOST_WILD_PARTS} of \`*\`, \`{name}\` and \`:name\``,
    }),
  /** An operation by its operationId, or by method and path of the description (ours). */
  operation: z.string().min(1).max(2_000).exactOptional(),
  when: ruleCondition.exactOptional(),
  config: z.record(z.string(), z.unknown()),
}

/**
 * `POST /v1/simulations/{id}/rules`: the shape that all kinds share. `config` is parsed by its kind. With `operation`,
 * `method` and `pathPattern` may be left out.
 */
export const responseRuleRequest = z
  .object({ ...fields, method: fields.method.optional(), pathPattern: fields.pathPattern.optional() })
  .superRefine(({ operation, ...rule }, context) => {
    for (const path of ['method', 'pathPattern'] as const) {
      if (operation !== undefined || rule[path] !== undefined) continue
      context.addIssue({ code: 'invalid_type', expected: 'string', path: [path], input: undefined })
    }
  })
  .transform(({ method = '*', pathPattern = '*', ...rule }) => ({ ...rule, method, pathPattern }))

/** `PUT /v1/simulations/{id}/rules/{ruleId}` (ours: `rule-write`): the whole rule, and whether it is enabled. */
export const ruleReplacement = z.intersection(responseRuleRequest, z.object({ enabled: z.boolean().default(true) }))
export type RuleReplacement = z.output<typeof ruleReplacement>

/** A rule as a client sends it. */
export type ResponseRuleRequest = z.input<typeof responseRuleRequest>

/** A parsed rule request. */
export type ParsedRuleRequest = z.output<typeof responseRuleRequest>

export const responseRule = z.object({
  id: z.string(),
  ...fields,
  /** How often the rule has acted since it was added or the simulation was reset (ours). */
  firings: z.int().exactOptional(),
  /** World time of its last firing, ISO 8601; absent before the first (ours). */
  lastFiredAt: z.iso.datetime({ precision: 3 }).exactOptional(),
  /** Name of the earlier rule that acted on its requests; only of a rule that has never acted (ours). */
  hiddenBy: z.string().exactOptional(),
  /** False for a disabled rule: it is kept, but matches no request (ours). */
  enabled: z.literal(false).exactOptional(),
  /** In the answer to POST: why the rule will never act (ours). */
  warning: z.string().exactOptional(),
})
/** A response rule as kept and as read back (specification, Response rule). */
export type ResponseRule = z.infer<typeof responseRule>
