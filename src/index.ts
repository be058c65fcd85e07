/**
 * Stand-in APIs for tests, with a clock that you can turn: the entry point for scripts and any test runner.
 *
 * @module backlot
 */
import './runtime/needed-node.ts'
import type { ApiOf, ApiTypes } from './fixture/api-types.ts'
import { createSimulationIn } from './fixture/create/create-simulation.ts'
import type { SimulationSource } from './fixture/create/source.ts'
import { captureCallSite, runAt } from './fixture/expect/call-site.ts'
import { type OptionsOf, refuseTestOptions } from './fixture/options.ts'
import { thisProcess } from './fixture/run/test-process.ts'
import type { Simulation } from './fixture/simulation.ts'

/**
 * Creates a simulation of an API. It runs inside this process, or on the service of `BACKLOT_URL` and
 * `BACKLOT_ACCOUNT_KEY`. Rejects with a {@link SimulationError} that names the next step.
 *
 * @example
 * await using simulation = await createSimulation('task-tracker')
 * const [task] = await simulation.records<{ id: string }>('tasks')
 * await simulation.fetch(`/tasks/${task?.id}`, { method: 'DELETE' })
 * await simulation.expectWebhook('task.deleted')
 */
export function createSimulation<A extends ApiTypes = never, const S extends SimulationSource = SimulationSource>(
  source: S,
  options: NoInfer<OptionsOf<ApiOf<A, S>>> = {},
): Promise<Simulation<ApiOf<A, S>>> {
  return runAt(captureCallSite(createSimulation), async () => {
    refuseTestOptions(options)
    const { environment } = thisProcess
    return createSimulationIn<ApiOf<A, S>>({ process: thisProcess, environment }, source, options)
  })
}

export {
  type CallInput,
  type Creation,
  type KeptBehaviour,
  ManagementClient,
  type ManagementClientOptions,
} from './client/management-client.ts'
export type { CallOptions } from './client/send.ts'
export type { Transport } from './client/transports.ts'
export type { AnyApi, ApiOf, ApiTypes } from './fixture/api-types.ts'
export type { SignInCookie, SimulationAuth, TokenOptions } from './fixture/auth.ts'
export type { SimulationSource } from './fixture/create/source.ts'
export type { ExpectedCount } from './fixture/expect/count-bounds.ts'
export type { NoRequestExpectation, RequestExpectation } from './fixture/expect/expect-request.ts'
export type { WebhookOrder, WebhooksMatch } from './fixture/expect/expect-webhooks.ts'
export type { PromptMatch, RequestMatch } from './fixture/expect/match-request.ts'
export { RequestTimeoutError, WebhookTimeoutError } from './fixture/expect/timeout-errors.ts'
export type {
  ConnectionResetOptions,
  ErrorAnswerOptions,
  FailNextOptions,
  FaultScope,
  LatencyOptions,
  OfflineOptions,
  RateLimitOptions,
} from './fixture/faults.ts'
export type { NewResponseRule, RuleScope } from './fixture/new-response-rule.ts'
export type {
  OptionsOf,
  SeedRecords,
  SimulationOptions,
  SinkOptions,
  WebhooksOption,
} from './fixture/options.ts'
export type { ReceivedRequest, ReceivedResponse } from './fixture/received-request.ts'
export type { PartOf, RecordCalls, RecordPatch, RecordsRange } from './fixture/record-calls.ts'
export type { Reply } from './fixture/reply.ts'
export { type ReportedWebhook, type SimulationReport, toReportText } from './fixture/report/report.ts'
export { toReportHtml } from './fixture/report/report-html.ts'
export type { ActiveReply, ActiveResponder, ReplyFunction, RespondOptions } from './fixture/respond-with.ts'
export type { ActiveRule } from './fixture/rules.ts'
export {
  type CleanedSimulation,
  type CleanUpOptions,
  type CleanUpResult,
  cleanUp,
} from './fixture/run/clean-up.ts'
export type { ServiceAddress } from './fixture/run/environment.ts'
export type { Simulation } from './fixture/simulation.ts'
export { SimulationError, UnscriptedPromptError } from './fixture/simulation-error.ts'
export type { Snapshot, TimeSpan } from './fixture/simulation-time.ts'
export type { DeliverySpan, SimulationWebhooks } from './fixture/webhooks.ts'
export type { BehaviourPlan, BehaviourRule, BehaviourStep, NewBehaviourRule, Where } from './protocol/behaviour.ts'
export type { EntryRows, ErrorRow, IgnoredRow } from './protocol/entry-rows.ts'
export { ApiError, type ErrorCode } from './protocol/errors.ts'
export type { ChangeCause, ChangeEvent, WebhookEvent } from './protocol/event.ts'
export type { Json, JsonObject } from './protocol/json.ts'
export type { ManagementAnswer, ManagementRequest } from './protocol/management-exchange.ts'
export type { ModelFile } from './protocol/model-file.ts'
export type {
  ClockReading,
  ConnectionFaultKind,
  LibraryEntrySummary,
  LogDetail,
  LogEntry,
  LoggedMessage,
  LogsPage,
  RecordsPage,
  ServiceMeta,
  Usage,
} from './protocol/reads.ts'
export type { Prompt, PromptCondition, ReplyContent, StreamConduct } from './protocol/reply.ts'
export type { ResponseRule, ResponseRuleKind, ResponseRuleRequest, RuleCondition } from './protocol/response-rule.ts'
export type { SignInFile } from './protocol/sign-in.ts'
export type {
  ApiSummary,
  CollectionSummary,
  CreatedSimulation,
  CreateSimulationRequest,
  FastForwardResult,
  IssuedKey,
  SimulationDetail,
  SimulationStatus,
  SimulationSummary,
  ValidationMode,
} from './protocol/simulation.ts'
export type {
  Delivery,
  DeliveryAttempt,
  NewWebhook,
  NewWebhookFault,
  RegisteredWebhook,
  Webhook,
  WebhookFault,
  WebhookState,
} from './protocol/webhook.ts'
export type { PresetName } from './protocol/webhook-scheme/presets.ts'
export type { NewWebhookScheme } from './protocol/webhook-scheme/scheme.ts'
export type { VerifiedRequest } from './protocol/webhook-scheme/verify-request.ts'
export { WebhookVerificationError } from './protocol/webhook-verification-error.ts'
export type { AsymmetricMatcher, DeepPartial } from './sink/checks.ts'
export type { ReplayMode } from './sink/forwards.ts'
export type { Inbox, Mark } from './sink/inbox.ts'
export type { EventMatcher, StandardSchemaV1, WebhookMatch } from './sink/match.ts'
export type { ReceivedWebhook } from './sink/received-webhook.ts'
export type { RejectedRequest, RejectReason } from './sink/rejection.ts'
export type { SinkReply } from './sink/replies.ts'
export { type DefinedScheme, defineScheme, type SchemeChoice } from './sink/scheme-choice.ts'
export type { SinkPath } from './sink/sink-path.ts'
export {
  type GivenHeaders,
  type SchemeInput,
  type SchemeSigning,
  type SignedWebhook,
  signWebhook,
  verifyWebhook,
} from './sink/verify.ts'
export { startSink, WebhookSink, type WebhookSinkOptions } from './sink/webhook-sink.ts'
