import type { AccountOptions } from '../../src/service.ts'

/** A service that the rules are held against. */
export interface Target {
  readonly name: string
  /** What can be asked of it. A rule that needs more is skipped. */
  readonly can: ReadonlySet<Capability>
  start(): Promise<RunningTarget>
}

export interface RunningTarget {
  /** Base URL, without `/v1`. */
  readonly url: string
  readonly accountKey: string
  /** PEM of the authority behind its addresses, where it is not a public one. */
  readonly ca: string | undefined
  /** Lets deliveries reach a sink on loopback. */
  readonly exemptSink?: (sink: { ip: string; port: number; ca: string }) => () => void
  close(): Promise<void>
}

/**
 * `accounts`: it has the accounts below. `sink`: deliveries reach a sink of this process. `extensions`: the calls of
 * `decisions/open-points.md` work. `restrict`: it sees us as 127.0.0.1.
 */
export type Capability = 'accounts' | 'sink' | 'extensions' | 'restrict'

/** Keys of the accounts that a target with `accounts` has, beside the first, which has no limits. */
export const KEYS = {
  main: 'svc_acc_conformance_main',
  readOnly: 'svc_acc_conformance_read_only',
  writeOnly: 'svc_acc_conformance_write_only',
  expired: 'svc_acc_conformance_expired',
  revoked: 'svc_acc_conformance_revoked',
  elsewhere: 'svc_acc_conformance_elsewhere',
  suspended: 'svc_acc_conformance_suspended',
  unsubscribed: 'svc_acc_conformance_unsubscribed',
  stranger: 'svc_acc_conformance_stranger',
  oneSimulation: 'svc_acc_conformance_one_simulation',
  oneWebhook: 'svc_acc_conformance_one_webhook',
  fewRequests: 'svc_acc_conformance_few_requests',
  poor: 'svc_acc_conformance_poor',
} as const

/** The accounts that {@link KEYS} open. */
export const ACCOUNTS: AccountOptions[] = [
  {
    name: 'main',
    keys: [
      { key: KEYS.main },
      { key: KEYS.readOnly, scopes: ['simulations:read'] },
      { key: KEYS.writeOnly, scopes: ['simulations:write'] },
      { key: KEYS.expired, expiresAt: '2020-01-01T00:00:00Z' },
      { key: KEYS.revoked, revoked: true },
      { key: KEYS.elsewhere, ipRanges: ['203.0.113.0/24'] },
    ],
  },
  { name: 'suspended', suspended: true, keys: [{ key: KEYS.suspended }] },
  { name: 'unsubscribed', subscription: 'canceled', keys: [{ key: KEYS.unsubscribed }] },
  { name: 'stranger', keys: [{ key: KEYS.stranger }] },
  { name: 'one simulation', plan: { name: 'solo', simulationLimit: 1 }, keys: [{ key: KEYS.oneSimulation }] },
  { name: 'one webhook', plan: { name: 'solo', webhooksPerSimulation: 1 }, keys: [{ key: KEYS.oneWebhook }] },
  { name: 'few requests', plan: { name: 'solo', requestLimit: 3 }, keys: [{ key: KEYS.fewRequests }] },
  { name: 'poor', creditUsd: 0.5, plan: { name: 'metered', pricePerRecordUsd: 0.01 }, keys: [{ key: KEYS.poor }] },
]
