import * as z from 'zod'
import { SCOPES } from '../../protocol/endpoint.ts'

/** What an account key may do: `simulations:read` for every GET, `simulations:write` for everything else. */
const scope = z.enum(SCOPES)
export type Scope = z.infer<typeof scope>

const limit = z.int().min(0)
const NO_LIMIT = Number.MAX_SAFE_INTEGER

const plan = z.strictObject({
  /** @default 'limited' */
  name: z.string().min(1).max(100).default('limited'),
  /** Most simulations that may exist at a time. @default no limit */
  simulationLimit: limit.default(NO_LIMIT),
  /** Most requests to simulated APIs in a calendar month (UTC). @default no limit */
  requestLimit: limit.default(NO_LIMIT),
  /** Most webhooks of one simulation. @default no limit */
  webhooksPerSimulation: limit.default(NO_LIMIT),
  /** What one generated record takes from the generation credit, in US dollars. @default 0 */
  pricePerRecordUsd: z.number().min(0).default(0),
  /** What one proposal of a language model takes from the generation credit, in US dollars. @default 0 */
  pricePerProposalUsd: z.number().min(0).default(0),
})

const accountKey = z.strictObject({
  /** The key as clients send it. Generated when left out. */
  key: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, '8 to 200 visible ASCII characters')
    .optional(),
  scopes: z.array(scope).default([...SCOPES]),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  /** Addresses that may use the key. Empty: all may. */
  ipRanges: z.array(z.string()).max(50).default([]),
  revoked: z.boolean().default(false),
})

/** Accounts as `startService({ accounts })` and a configuration file give them. */
export const accountOptions = z.strictObject({
  name: z.string().min(1).max(200).default('default'),
  keys: z.array(accountKey).min(1).prefault([{}]),
  /** Limits and price; what is left out is not limited. */
  plan: plan.prefault({ name: 'unlimited' }),
  /** Anything but `active` answers 402 `payment_required`. */
  subscription: z.enum(['active', 'past_due', 'canceled', 'none']).default('active'),
  suspended: z.boolean().default(false),
  /** Generation credit at the start, in US dollars. */
  creditUsd: z.number().min(0).default(0),
})

/** One account: who may call the management API, and what it may use. */
export type AccountOptions = z.input<typeof accountOptions>
export type AccountKeyOptions = z.input<typeof accountKey>
export type ParsedAccountOptions = z.output<typeof accountOptions>
export type ParsedAccountKey = z.output<typeof accountKey>
