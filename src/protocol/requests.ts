import { activityQuery } from './activity.ts'
import { behaviourRequest } from './behaviour.ts'
import { recoverRequest, replayRequest } from './delivery-detail.ts'
import { planRunsQuery } from './plan-runs.ts'
import { libraryQuery, logsQuery, recordsQuery } from './reads.ts'
import { editQuery, recordFieldsRequest, triggerRequest } from './record-edit.ts'
import { responseRuleRequest } from './response-rule.ts'
import { accessRequest, createSimulationRequest, fastForwardRequest, keyRequest } from './simulation.ts'
import { simulationsQuery } from './simulation-overview.ts'
import { holdQuery, holdRequest } from './test-hold.ts'
import { tryRequest } from './try-request.ts'
import { advanceRequest, settledQuery, sinkRequest, webhookFaultRequest, webhookRequest } from './webhook.ts'

/** Schemas of the bodies that endpoints take, by their names in the description of the API. */
export const BODIES = {
  CreateSimulation: createSimulationRequest,
  FastForward: fastForwardRequest,
  NewBehaviourPlan: behaviourRequest,
  NewResponseRule: responseRuleRequest,
  NewWebhook: webhookRequest,
  Access: accessRequest,
  NewKey: keyRequest,
  Advance: advanceRequest,
  NewWebhookFault: webhookFaultRequest,
  NewSink: sinkRequest,
  RecordFields: recordFieldsRequest,
  Trigger: triggerRequest,
  Replay: replayRequest,
  Recover: recoverRequest,
  TryRequest: tryRequest,
  Hold: holdRequest,
}

/** Schemas of the queries that endpoints take. */
export const QUERIES = {
  ActivityQuery: activityQuery,
  LibraryQuery: libraryQuery,
  LogsQuery: logsQuery,
  RecordsQuery: recordsQuery,
  SettledQuery: settledQuery,
  EditQuery: editQuery,
  SimulationsQuery: simulationsQuery,
  PlanRunsQuery: planRunsQuery,
  HoldQuery: holdQuery,
}
