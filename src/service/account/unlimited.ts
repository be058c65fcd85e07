import { SCOPES } from '../../protocol/endpoint.ts'

export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The account of a service that is given none, and the defaults of one. */
export const UNLIMITED = {
  name: 'default',
  keys: [{ scopes: [...SCOPES], ipRanges: [], revoked: false }],
  plan: {
    name: 'unlimited',
    simulationLimit: NO_LIMIT,
    requestLimit: NO_LIMIT,
    webhooksPerSimulation: NO_LIMIT,
    idleDays: NO_LIMIT,
    pricePerRecordUsd: 0,
    pricePerProposalUsd: 0,
  },
  subscription: 'active' as const,
  suspended: false,
  creditUsd: 0,
}
