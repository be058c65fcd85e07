import type { z } from 'zod'
import * as answers from '../../protocol/answers.ts'
import { behaviourRequest } from '../../protocol/behaviour.ts'
import { libraryQuery, recordsQuery } from '../../protocol/reads.ts'
import { responseRuleRequest } from '../../protocol/response-rule.ts'
import { accessRequest, createSimulationRequest, fastForwardRequest, keyRequest } from '../../protocol/simulation.ts'
import { advanceRequest, settledQuery, sinkRequest, webhookRequest } from '../../protocol/webhook.ts'
import { webhookFaultRequest } from '../../protocol/webhook-fault.ts'

/** What the API's description says of one endpoint. */
export interface OperationText {
  /** `POST /v1/simulations/{id}/rules` */
  readonly endpoint: string
  readonly id: string
  readonly summary: string
  readonly query?: z.ZodObject
  /** Name and schema of the body. */
  readonly body?: readonly [string, z.ZodType]
  /** Status, and name and schema of the answer; without them it has no body, or is no JSON. */
  readonly answer: readonly [number, string?, z.ZodType?]
  /** Statuses that only this endpoint answers with. */
  readonly errors?: readonly number[]
  /** Whether the specification does not have it. */
  readonly isOurs?: true
}

const { okAnswer } = answers
const OK = [200, 'Ok', okAnswer] as const
const DELETED = [204] as const

/** Every endpoint, in the order of the specification; ours follow. */
export const OPERATIONS: readonly OperationText[] = [
  {
    endpoint: 'GET /v1/library',
    id: 'searchLibrary',
    summary: 'Searches the library of prebuilt APIs.',
    query: libraryQuery,
    answer: [200, 'Library', answers.libraryAnswer],
  },
  {
    endpoint: 'GET /v1/simulations',
    id: 'listSimulations',
    summary: "Lists the account's simulations, all of them.",
    answer: [200, 'SimulationList', answers.simulationList],
  },
  {
    endpoint: 'POST /v1/simulations',
    id: 'createSimulation',
    summary: 'Creates a simulation from a library entry or from an OpenAPI description.',
    body: ['CreateSimulation', createSimulationRequest],
    answer: [201, 'CreatedSimulation', answers.createdSimulation],
    errors: [404, 422],
  },
  {
    endpoint: 'GET /v1/simulations/{id}',
    id: 'readSimulation',
    summary: 'Reads everything about one simulation.',
    answer: [200, 'Simulation', answers.simulationDetail],
  },
  {
    endpoint: 'DELETE /v1/simulations/{id}',
    id: 'deleteSimulation',
    summary: 'Deletes the simulation and all its data, for good.',
    answer: DELETED,
  },
  { endpoint: 'POST /v1/simulations/{id}/pause', id: 'pause', summary: 'Pauses the simulation.', answer: OK },
  { endpoint: 'POST /v1/simulations/{id}/resume', id: 'resume', summary: 'Resumes the simulation.', answer: OK },
  {
    endpoint: 'POST /v1/simulations/{id}/reset',
    id: 'reset',
    summary: 'Regenerates the data from the original seed, in the background.',
    answer: OK,
  },
  {
    endpoint: 'POST /v1/simulations/{id}/fast-forward',
    id: 'fastForward',
    summary: 'Runs the behaviour plan as if the given time had passed.',
    body: ['FastForward', fastForwardRequest],
    answer: [200, 'FastForwardResult', answers.fastForwardAnswer],
  },
  {
    endpoint: 'PUT /v1/simulations/{id}/behaviour',
    id: 'setBehaviour',
    summary: 'Replaces the behaviour plan. Steps that cannot work are dropped.',
    body: ['NewBehaviourPlan', behaviourRequest],
    answer: [200, 'KeptBehaviourPlan', answers.behaviourAnswer],
  },
  {
    endpoint: 'POST /v1/simulations/{id}/rules',
    id: 'addRule',
    summary: 'Adds a response rule.',
    body: ['NewResponseRule', responseRuleRequest],
    answer: [201, 'ResponseRule', answers.responseRule],
  },
  {
    endpoint: 'DELETE /v1/simulations/{id}/rules/{ruleId}',
    id: 'removeRule',
    summary: 'Removes a response rule.',
    answer: DELETED,
  },
  {
    endpoint: 'POST /v1/simulations/{id}/webhooks',
    id: 'registerWebhook',
    summary: 'Registers a webhook. The secret is shown in this answer only.',
    body: ['NewWebhook', webhookRequest],
    answer: [201, 'RegisteredWebhook', answers.registeredWebhook],
  },
  {
    endpoint: 'PUT /v1/simulations/{id}/access',
    id: 'setAccess',
    summary: 'Changes the IP allow-list, or switches restriction on or off.',
    body: ['Access', accessRequest],
    answer: OK,
  },
  {
    endpoint: 'POST /v1/simulations/{id}/keys',
    id: 'issueKey',
    summary: 'Issues another simulation key. It is shown in this answer only.',
    body: ['NewKey', keyRequest],
    answer: [201, 'IssuedKey', answers.issuedKey],
  },
  {
    endpoint: 'GET /v1/simulations/{id}/records/{collection}',
    id: 'readRecords',
    summary: 'Reads records of a collection, past the simulated API.',
    query: recordsQuery,
    answer: [200, 'Records', answers.recordsPage],
  },
  {
    endpoint: 'GET /v1/simulations/{id}/events',
    id: 'readEvents',
    summary: 'Reads the latest 100 data change events, newest first.',
    answer: [200, 'Events', answers.eventList],
  },
  {
    endpoint: 'GET /v1/simulations/{id}/logs',
    id: 'readLogs',
    summary: 'Reads the latest 100 requests to the simulated API, newest first.',
    answer: [200, 'Logs', answers.logList],
  },
  {
    endpoint: 'GET /v1/usage',
    id: 'readUsage',
    summary: "Reads the plan, the subscription's status, the credit balance and this month's usage.",
    answer: [200, 'Usage', answers.usage],
  },
  ...ours([
    {
      endpoint: 'GET /v1/meta',
      id: 'readMeta',
      summary: 'Says who answers, and which extensions there are.',
      answer: [200, 'Meta', answers.serviceMeta],
    },
    { endpoint: 'GET /v1/openapi.json', id: 'readDescription', summary: 'This description.', answer: [200] },
    {
      endpoint: 'GET /v1/simulations/{id}/behaviour',
      id: 'readBehaviour',
      summary: 'Reads the behaviour plan.',
      answer: [200, 'BehaviourPlan', answers.behaviourPlan],
    },
    {
      endpoint: 'GET /v1/simulations/{id}/clock',
      id: 'readClock',
      summary: "Reads the simulation's own time.",
      answer: [200, 'Clock', answers.clockReading],
    },
    {
      endpoint: 'POST /v1/simulations/{id}/snapshots',
      id: 'takeSnapshot',
      summary: 'Keeps data, clock, plan and rules as they are.',
      answer: [201, 'Snapshot', answers.madeId],
    },
    {
      endpoint: 'POST /v1/simulations/{id}/snapshots/{snapshotId}/restore',
      id: 'restoreSnapshot',
      summary: 'Puts a snapshot back.',
      answer: OK,
    },
    {
      endpoint: 'GET /v1/simulations/{id}/events/stream',
      id: 'streamEvents',
      summary: 'Streams data change events as server-sent events; `Last-Event-ID` goes back up to 100 events.',
      answer: [200],
    },
    {
      endpoint: 'GET /v1/simulations/{id}/webhooks',
      id: 'listWebhooks',
      summary: 'Lists the webhooks with the state of their endpoints.',
      answer: [200, 'Webhooks', answers.webhookStates],
    },
    {
      endpoint: 'DELETE /v1/simulations/{id}/webhooks/{webhookId}',
      id: 'removeWebhook',
      summary: 'Removes a webhook.',
      answer: DELETED,
    },
    {
      endpoint: 'POST /v1/simulations/{id}/webhooks/{webhookId}/enable',
      id: 'enableWebhook',
      summary: 'Turns on again what 50 failed deliveries have switched off.',
      answer: OK,
    },
    {
      endpoint: 'GET /v1/simulations/{id}/webhooks/{webhookId}/deliveries',
      id: 'listDeliveries',
      summary: 'Lists the deliveries to a webhook with their attempts.',
      answer: [200, 'Deliveries', answers.deliveryList],
    },
    {
      endpoint: 'POST /v1/simulations/{id}/deliveries/advance',
      id: 'advanceDeliveries',
      summary: 'Turns the delivery clock, and runs every retry that falls due.',
      body: ['Advance', advanceRequest],
      answer: [200, 'Advanced', answers.advanceAnswer],
    },
    {
      endpoint: 'GET /v1/simulations/{id}/deliveries/settled',
      id: 'areDeliveriesSettled',
      summary: 'Waits until nothing is in flight or due.',
      query: settledQuery,
      answer: [200, 'Settled', answers.settledAnswer],
    },
    {
      endpoint: 'POST /v1/simulations/{id}/webhook-faults',
      id: 'addWebhookFault',
      summary: 'Spoils deliveries on purpose.',
      body: ['NewWebhookFault', webhookFaultRequest],
      answer: [201, 'WebhookFault', answers.webhookFault],
    },
    {
      endpoint: 'GET /v1/simulations/{id}/webhook-faults',
      id: 'listWebhookFaults',
      summary: 'Lists the faults that are on, with their latest firings.',
      answer: [200, 'WebhookFaults', answers.webhookFaults],
    },
    {
      endpoint: 'DELETE /v1/simulations/{id}/webhook-faults/{faultId}',
      id: 'removeWebhookFault',
      summary: 'Takes a fault away.',
      answer: DELETED,
    },
  ]),
]

/** Endpoints of a service that was started with `workerSinks`. */
export const SINK_OPERATIONS: readonly OperationText[] = ours([
  {
    endpoint: 'POST /v1/sinks',
    id: 'registerSink',
    summary: 'Lets deliveries reach a sink on loopback.',
    body: ['NewSink', sinkRequest],
    answer: [201, 'Sink', answers.madeId],
  },
  {
    endpoint: 'DELETE /v1/sinks/{sinkId}',
    id: 'removeSink',
    summary: 'Withdraws a sink.',
    answer: DELETED,
    errors: [404],
  },
])

function ours(operations: OperationText[]): OperationText[] {
  return operations.map((operation) => ({ ...operation, isOurs: true }))
}
