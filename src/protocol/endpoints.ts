import type { Endpoint } from './endpoint.ts'
import { EXTENSION_ENDPOINTS } from './extension-endpoints.ts'

/**
 * Every endpoint: those of the specification in its order, then the extensions. The methods of one path have the order
 * of the header `Allow`. The key is the `operationId`. See `decisions/management-api.md`.
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
    query: 'SimulationsQuery',
    queryExtension: 'summary',
    answer: 'SimulationList',
    isTagged: true,
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
    summary: 'Deletes the simulation and all its data. This cannot be undone.',
  },
  pause: {
    method: 'POST',
    path: '/v1/simulations/{id}/pause',
    answer: 'Ok',
    repeatable: true,
    interrupts: 'paused',
    summary: 'Pauses the simulation.',
  },
  resume: {
    method: 'POST',
    path: '/v1/simulations/{id}/resume',
    answer: 'Ok',
    repeatable: true,
    summary: 'Resumes the simulation.',
  },
  reset: {
    method: 'POST',
    path: '/v1/simulations/{id}/reset',
    answer: 'Ok',
    repeatable: true,
    interrupts: 'reset',
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
    bodyExtension: 'rule-match',
    answer: 'ResponseRule',
    status: 201,
    summary: 'Adds a response rule.',
  },
  replaceRule: {
    method: 'PUT',
    path: '/v1/simulations/{id}/rules/{ruleId}',
    body: 'RuleReplacement',
    answer: 'ResponseRule',
    extension: 'rule-write',
    summary: 'Replaces a response rule, or switches it off and on.',
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
    bodyExtension: 'webhook-schemes',
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
  listKeys: {
    method: 'GET',
    path: '/v1/simulations/{id}/keys',
    query: 'KeysQuery',
    queryExtension: 'key-use',
    answer: 'Keys',
    extension: 'key-list',
    summary: 'Lists the simulation keys: their prefixes and names.',
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
    queryExtension: 'record-query',
    answer: 'Records',
    summary: 'Reads records of a collection directly, without a request to the simulated API.',
  },
  readEvents: {
    method: 'GET',
    path: '/v1/simulations/{id}/events',
    query: 'EventsQuery',
    queryExtension: 'event-page',
    answer: 'Events',
    summary: 'Reads the latest 100 data change events, newest first.',
  },
  readLogs: {
    method: 'GET',
    path: '/v1/simulations/{id}/logs',
    query: 'LogsQuery',
    queryExtension: 'log-page',
    answer: 'Logs',
    summary: 'Reads the latest 100 requests to the simulated API, newest first.',
  },
  readUsage: {
    method: 'GET',
    path: '/v1/usage',
    answer: 'Usage',
    summary: "Reads the plan, the subscription's status, the credit balance and this month's usage.",
  },
  ...EXTENSION_ENDPOINTS,
} as const satisfies Record<string, Endpoint>

/** The `operationId` of an endpoint. */
export type EndpointId = keyof typeof ENDPOINTS

/** The row of one endpoint. */
export type EndpointOf<Id extends EndpointId> = (typeof ENDPOINTS)[Id]
