import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS, type EndpointId, type EndpointOf } from './endpoints.ts'
import type { CreateSimulationRequest } from './simulation.ts'

/** Fields of the body of a creation that the specification does not have. They are not sent to a service without them. */
export const CREATION_EXTENSIONS = [
  'seed',
  'epoch',
  'validation',
  'lenientParents',
  'lenientKeys',
  'replies',
  'examples',
  'entry',
  'handlers',
  'behaviour',
  'rules',
  'https',
] as const satisfies readonly (keyof CreateSimulationRequest)[]
export type CreationExtension = (typeof CREATION_EXTENSIONS)[number]

/** Endpoints, queries and fields of bodies that the specification does not have, by the names in the list of `GET /v1/meta`. */
export type EndpointExtension =
  | Exclude<Extract<EndpointOf<EndpointId>, { extension: string }>['extension'], 'meta'>
  | Extract<EndpointOf<EndpointId>, { queryExtension: string }>['queryExtension']
  | Extract<EndpointOf<EndpointId>, { bodyExtension: string }>['bodyExtension']

/** The endpoints of a service: those of sinks only when it was started with `workerSinks`. */
export function listEndpoints({ workerSinks }: { workerSinks: boolean }): [EndpointId, Endpoint][] {
  const all = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]
  return workerSinks ? all : all.filter(([, { extension }]) => extension !== 'worker-sinks')
}

/** The list of `GET /v1/meta`: fields of a creation, and {@link EndpointExtension}s. */
export function listExtensions(options: { workerSinks: boolean }): string[] {
  const named = listEndpoints(options).flatMap(
    ([, { extension = 'meta', queryExtension = 'meta', bodyExtension = 'meta' }]) => [
      extension,
      queryExtension,
      bodyExtension,
    ],
  )
  return [...CREATION_EXTENSIONS, ...new Set(named.filter((name) => name !== 'meta'))]
}
