import { activityQuery } from './activity.ts'
import { behaviourRequest, planRunsQuery } from './behaviour.ts'
import { inspectRequest } from './inspection.ts'
import { countsQuery, eventsQuery, libraryQuery, logsQuery, recordsQuery, tryRequest } from './reads.ts'
import { editQuery, recordFieldsRequest, triggerRequest } from './record-edit.ts'
import { responseRuleRequest, ruleReplacement } from './response-rule.ts'
import { signInCommand } from './sign-in-command.ts'
import {
  accessRequest,
  advanceClockRequest,
  createSimulationRequest,
  fastForwardRequest,
  keyRequest,
  keysQuery,
  simulationsQuery,
  snapshotQuery,
} from './simulation.ts'
import { holdQuery, holdRequest } from './test-hold.ts'
import {
  advanceRequest,
  replayRequest,
  settledQuery,
  sinkRequest,
  webhookFaultRequest,
  webhookRequest,
  webhooksQuery,
} from './webhook.ts'

/** Schemas of request bodies, by their names in the description of the API. */
export const BODIES = {
  CreateSimulation: createSimulationRequest,
  FastForward: fastForwardRequest,
  AdvanceClock: advanceClockRequest,
  Inspect: inspectRequest,
  NewBehaviourPlan: behaviourRequest,
  NewResponseRule: responseRuleRequest,
  RuleReplacement: ruleReplacement,
  NewWebhook: webhookRequest,
  Access: accessRequest,
  NewKey: keyRequest,
  Advance: advanceRequest,
  NewWebhookFault: webhookFaultRequest,
  NewSink: sinkRequest,
  RecordFields: recordFieldsRequest,
  Trigger: triggerRequest,
  Replay: replayRequest,
  TryRequest: tryRequest,
  SignInCommand: signInCommand,
  Hold: holdRequest,
}

/** Schemas of queries. */
export const QUERIES = {
  ActivityQuery: activityQuery,
  LibraryQuery: libraryQuery,
  LogsQuery: logsQuery,
  EventsQuery: eventsQuery,
  CountsQuery: countsQuery,
  KeysQuery: keysQuery,
  SnapshotQuery: snapshotQuery,
  WebhooksQuery: webhooksQuery,
  RecordsQuery: recordsQuery,
  SettledQuery: settledQuery,
  EditQuery: editQuery,
  SimulationsQuery: simulationsQuery,
  PlanRunsQuery: planRunsQuery,
  HoldQuery: holdQuery,
}
