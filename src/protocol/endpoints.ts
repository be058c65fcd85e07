import type { Endpoint } from './endpoint.ts'
import type { CreateSimulationRequest } from './simulation.ts'

/**
 * Every endpoint, in the order of the specification and then the extensions; the methods of one path stand in the order of
 * the header `Allow`. The key is the `operationId`.
 */
export const ENDPOINTS = {
  searchLibrary: {
    method: 'GET',
    path: '/v1/library',
    query: 'LibraryQuery',
    answer: 'Library',
    summary: 'Searches the library of prebuilt APIs.',
  },
  listSimulations: {
    method: 'GET',
    path: '/v1/simulations',
    answer: 'SimulationList',
    summary: "Lists the account's simulations, all of them.",
  },
  createSimulation: {
    method: 'POST',
    path: '/v1/simulations',
    body: 'CreateSimulation',
    answer: 'CreatedSimulation',
    status: 201,
    errors: [404, 422],
    summary: 'Creates a simulation from a library entry or from an OpenAPI description.',
  },
  readSimulation: {
    method: 'GET',
    path: '/v1/simulations/{id}',
    answer: 'Simulation',
    waits: false,
    summary: 'Reads everything about one simulation.',
  },
  deleteSimulation: {
    method: 'DELETE',
    path: '/v1/simulations/{id}',
    waits: false,
    summary: 'Deletes the simulation and all its data, for good.',
  },
  pause: { method: 'POST', path: '/v1/simulations/{id}/pause', answer: 'Ok', summary: 'Pauses the simulation.' },
  resume: { method: 'POST', path: '/v1/simulations/{id}/resume', answer: 'Ok', summary: 'Resumes the simulation.' },
  reset: {
    method: 'POST',
    path: '/v1/simulations/{id}/reset',
    answer: 'Ok',
    summary: 'Regenerates the data from the original seed, in the background.',
  },
  fastForward: {
    method: 'POST',
    path: '/v1/simulations/{id}/fast-forward',
    body: 'FastForward',
    answer: 'FastForwardResult',
    summary: 'Runs the behaviour plan as if the given time had passed.',
  },
  readBehaviour: {
    method: 'GET',
    path: '/v1/simulations/{id}/behaviour',
    answer: 'BehaviourPlan',
    extension: 'behaviour-read',
    summary: 'Reads the behaviour plan.',
  },
  setBehaviour: {
    method: 'PUT',
    path: '/v1/simulations/{id}/behaviour',
    body: 'NewBehaviourPlan',
    answer: 'KeptBehaviourPlan',
    summary: 'Replaces the behaviour plan. Steps that cannot work are dropped.',
  },
  addRule: {
    method: 'POST',
    path: '/v1/simulations/{id}/rules',
    body: 'NewResponseRule',
    answer: 'ResponseRule',
    status: 201,
    summary: 'Adds a response rule.',
  },
  removeRule: {
    method: 'DELETE',
    path: '/v1/simulations/{id}/rules/{ruleId}',
    summary: 'Removes a response rule.',
  },
  registerWebhook: {
    method: 'POST',
    path: '/v1/simulations/{id}/webhooks',
    body: 'NewWebhook',
    answer: 'RegisteredWebhook',
    status: 201,
    summary: 'Registers a webhook. The secret is shown in this answer only.',
  },
  setAccess: {
    method: 'PUT',
    path: '/v1/simulations/{id}/access',
    body: 'Access',
    answer: 'Ok',
    summary: 'Changes the IP allow-list, or switches restriction on or off.',
  },
  issueKey: {
    method: 'POST',
    path: '/v1/simulations/{id}/keys',
    body: 'NewKey',
    answer: 'IssuedKey',
    status: 201,
    summary: 'Issues another simulation key. It is shown in this answer only.',
  },
  readRecords: {
    method: 'GET',
    path: '/v1/simulations/{id}/records/{collection}',
    query: 'RecordsQuery',
    answer: 'Records',
    summary: 'Reads records of a collection, past the simulated API.',
  },
  readEvents: {
    method: 'GET',
    path: '/v1/simulations/{id}/events',
    answer: 'Events',
    summary: 'Reads the latest 100 data change events, newest first.',
  },
  readLogs: {
    method: 'GET',
    path: '/v1/simulations/{id}/logs',
    answer: 'Logs',
    summary: 'Reads the latest 100 requests to the simulated API, newest first.',
  },
  readUsage: {
    method: 'GET',
    path: '/v1/usage',
    answer: 'Usage',
    summary: "Reads the plan, the subscription's status, the credit balance and this month's usage.",
  },
  readMeta: {
    method: 'GET',
    path: '/v1/meta',
    answer: 'Meta',
    extension: 'meta',
    summary: 'Says who answers, and which extensions there are.',
  },
  takeSnapshot: {
    method: 'POST',
    path: '/v1/simulations/{id}/snapshots',
    answer: 'Snapshot',
    status: 201,
    extension: 'snapshots',
    summary: 'Keeps data, clock, plan and rules as they are.',
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/v1/simulations/{id}/snapshots/{snapshotId}/restore',
    answer: 'Ok',
    extension: 'snapshots',
    summary: 'Puts a snapshot back.',
  },
  readClock: {
    method: 'GET',
    path: '/v1/simulations/{id}/clock',
    answer: 'Clock',
    extension: 'clock',
    summary: "Reads the simulation's own time.",
  },
  streamEvents: {
    method: 'GET',
    path: '/v1/simulations/{id}/events/stream',
    answer: 'EventStream',
    extension: 'event-stream',
    summary: 'Streams data change events as server-sent events; `Last-Event-ID` goes back up to 100 events.',
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/simulations/{id}/webhooks',
    answer: 'Webhooks',
    extension: 'webhook-list',
    summary: 'Lists the webhooks with the state of their endpoints.',
  },
  removeWebhook: {
    method: 'DELETE',
    path: '/v1/simulations/{id}/webhooks/{webhookId}',
    extension: 'webhook-delete',
    summary: 'Removes a webhook.',
  },
  enableWebhook: {
    method: 'POST',
    path: '/v1/simulations/{id}/webhooks/{webhookId}/enable',
    answer: 'Ok',
    extension: 'webhook-enable',
    summary: 'Turns on again what 50 failed deliveries have switched off.',
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/simulations/{id}/webhooks/{webhookId}/deliveries',
    answer: 'Deliveries',
    extension: 'deliveries',
    summary: 'Lists the deliveries to a webhook with their attempts.',
  },
  advanceDeliveries: {
    method: 'POST',
    path: '/v1/simulations/{id}/deliveries/advance',
    body: 'Advance',
    answer: 'Advanced',
    extension: 'deliveries-advance',
    summary: 'Turns the delivery clock, and runs every retry that falls due.',
  },
  areDeliveriesSettled: {
    method: 'GET',
    path: '/v1/simulations/{id}/deliveries/settled',
    query: 'SettledQuery',
    answer: 'Settled',
    extension: 'deliveries-settled',
    summary: 'Waits until nothing is in flight or due.',
  },
  addWebhookFault: {
    method: 'POST',
    path: '/v1/simulations/{id}/webhook-faults',
    body: 'NewWebhookFault',
    answer: 'WebhookFault',
    status: 201,
    extension: 'webhook-faults',
    summary: 'Spoils deliveries on purpose.',
  },
  listWebhookFaults: {
    method: 'GET',
    path: '/v1/simulations/{id}/webhook-faults',
    answer: 'WebhookFaults',
    extension: 'webhook-faults',
    summary: 'Lists the faults that are on, with their latest firings.',
  },
  removeWebhookFault: {
    method: 'DELETE',
    path: '/v1/simulations/{id}/webhook-faults/{faultId}',
    extension: 'webhook-faults',
    summary: 'Takes a fault away.',
  },
  readDescription: {
    method: 'GET',
    path: '/v1/openapi.json',
    answer: 'Description',
    extension: 'openapi',
    summary: 'This description.',
  },
  registerSink: {
    method: 'POST',
    path: '/v1/sinks',
    body: 'NewSink',
    answer: 'Sink',
    status: 201,
    extension: 'worker-sinks',
    summary: 'Lets deliveries reach a sink on loopback.',
  },
  removeSink: {
    method: 'DELETE',
    path: '/v1/sinks/{sinkId}',
    errors: [404],
    extension: 'worker-sinks',
    summary: 'Withdraws a sink.',
  },
} as const satisfies Record<string, Endpoint>

/** The `operationId` of an endpoint. */
export type EndpointId = keyof typeof ENDPOINTS

/** The row of one endpoint. */
export type EndpointOf<Id extends EndpointId> = (typeof ENDPOINTS)[Id]

/** Fields of the body of a creation that the specification does not have. A service that lacks them is never sent one. */
export const CREATION_EXTENSIONS = [
  'seed',
  'epoch',
  'validation',
  'strictParents',
  'behaviour',
  'rules',
  'https',
] as const satisfies readonly (keyof CreateSimulationRequest)[]

/** The endpoints that a service has: those of sinks only when it was started with `workerSinks`. */
export function listEndpoints({ workerSinks }: { workerSinks: boolean }): [EndpointId, Endpoint][] {
  const all = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]
  return workerSinks ? all : all.filter(([, { extension }]) => extension !== 'worker-sinks')
}

/** What `GET /v1/meta` lists: fields of a creation and names of endpoints that the specification does not have. */
export function listExtensions(options: { workerSinks: boolean }): string[] {
  const named = listEndpoints(options).flatMap(([, { extension = 'meta' }]) => (extension === 'meta' ? [] : extension))
  return [...CREATION_EXTENSIONS, ...new Set(named)]
}
