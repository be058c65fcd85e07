/** What an account may use. A limit that is not meant to bite is `Number.MAX_SAFE_INTEGER`. */
export interface Plan {
  name: string
  /** Most simulations that may exist at a time. */
  simulationLimit: number
  /** Most requests to simulated APIs in a calendar month (UTC). */
  requestLimit: number
  /** Most webhooks of one simulation. */
  webhooksPerSimulation: number
  /** What one generated record takes from the generation credit, in US dollars. */
  pricePerRecordUsd: number
  /** What one proposal of a language model takes from the generation credit, in US dollars. */
  pricePerProposalUsd: number
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The plan of an account that names none: nothing is limited and nothing costs. */
export const UNLIMITED_PLAN: Plan = {
  name: 'unlimited',
  simulationLimit: NO_LIMIT,
  requestLimit: NO_LIMIT,
  webhooksPerSimulation: NO_LIMIT,
  pricePerRecordUsd: 0,
  pricePerProposalUsd: 0,
}
