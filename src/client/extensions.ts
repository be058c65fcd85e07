import type { CreateSimulationRequest } from '../protocol/simulation.ts'

/** Fields of the creation body that the specification does not have. A service that lacks them is never sent one. */
export const CREATION_EXTENSIONS = [
  'seed',
  'epoch',
  'validation',
  'strictParents',
  'behaviour',
  'rules',
  'https',
] as const satisfies readonly (keyof CreateSimulationRequest)[]
export type CreationExtension = (typeof CREATION_EXTENSIONS)[number]

/** Calls that the specification does not have, by the names that `GET /v1/meta` lists. */
export type CallExtension =
  | 'behaviour-read'
  | 'snapshots'
  | 'clock'
  | 'event-stream'
  | 'webhook-list'
  | 'webhook-delete'
  | 'webhook-enable'
  | 'deliveries'
  | 'deliveries-advance'
  | 'deliveries-settled'
  | 'webhook-faults'
  | 'worker-sinks'

/** Splits a creation into what `offered` allows and the names of what had to stay out. */
export function withoutExtensions(
  request: CreateSimulationRequest,
  offered: readonly string[],
): { request: CreateSimulationRequest; left: CreationExtension[] } {
  const left = CREATION_EXTENSIONS.filter((name) => request[name] !== undefined && !offered.includes(name))
  const kept = { ...request }
  for (const name of left) delete kept[name]
  return { request: kept, left }
}
