import type { BehaviourRequest } from '../../../protocol/behaviour.ts'
import type { ChangeEvent } from '../../../protocol/event.ts'
import type { KeptRecord } from '../../../protocol/record-edit.ts'
import type { ParsedRuleRequest, ResponseRule, RuleReplacement } from '../../../protocol/response-rule.ts'
import type { SignInCommand, SignInOutcome } from '../../../protocol/sign-in-command.ts'
import type { FastForwardResult } from '../../../protocol/simulation.ts'
import type { ParsedPlan } from '../../behaviour/parse-plan.ts'
import type { Access } from '../../simulated-api/access-list.ts'
import type { AnsweredRequest } from '../../simulated-api/answer-request.ts'
import type { ApiRequest } from '../../simulated-api/exchange.ts'
import type { FaultSetting, WebhookSetting } from '../../webhooks/webhook-settings.ts'
import type { PreparedWorld } from '../../world/prepared-world.ts'
import type { CoreDump } from './core-state.ts'
import type { RecordEdit } from './edit-record.ts'
import type { Trigger } from './trigger-event.ts'

/** Some access settings; the others stay. */
export type AccessChange = { [Name in keyof Access]?: Access[Name] | undefined }

interface CommandInputs {
  /**
   * A request to the simulated API. `isOverLimit`: the account's request limit is exceeded. `isLate`: a response rule
   * held it before it was processed.
   */
  request: {
    readonly request: ApiRequest
    readonly isOverLimit?: boolean
    readonly isLate?: boolean
  }
  'fast-forward': { readonly hours: number }
  /** Only the passing of time: due runs of the plan. */
  tick: object
  'set-behaviour': { readonly rules: BehaviourRequest['rules'] }
  /** Adds a response rule, or replaces the one with this `id`. */
  'set-rule': { readonly rule: ParsedRuleRequest | RuleReplacement; readonly id?: string }
  'remove-rule': { readonly id: string }
  /** Throws `bad_request` for an invalid range. */
  'set-access': { readonly change: AccessChange }
  /** Runs one rule of the behaviour plan now. */
  'run-rule': { readonly ruleId: string }
  'issue-key': { readonly name: string; readonly key: string }
  /** Revokes the keys with this prefix. Throws `not_found`. */
  'revoke-key': { readonly prefix: string }
  'add-webhook': { readonly webhook: WebhookSetting }
  'remove-webhook': { readonly id: string }
  /** Enables a webhook. */
  'enable-webhook': { readonly id: string }
  /** Disables a webhook whose deliveries fail. */
  'disable-webhook': { readonly id: string }
  'add-webhook-fault': { readonly fault: FaultSetting }
  'remove-webhook-fault': { readonly id: string }
  /** The owner changes a record. `isQuiet`: no webhook is sent. */
  'edit-record': { readonly edit: RecordEdit; readonly isQuiet: boolean }
  /** The owner causes an event. */
  'trigger-event': { readonly trigger: Trigger; readonly isQuiet: boolean }
  /** The owner acts on the sign-in. `origin`: address of the simulation for the caller. */
  'act-on-sign-in': { readonly asked: SignInCommand; readonly origin: string }
  /** Stops the world: the simulated API answers 503, and nothing is due. */
  pause: object
  resume: object
  reset: object
  /**
   * Restores data, world time, plan, rules and counters; keys, access, webhooks and the pause stay. `prepared`: the
   * prepared data.
   */
  restore: { readonly state: CoreDump; readonly prepared?: PreparedWorld }
}

/** Results of commands that have one. */
interface CommandAnswers {
  request: AnsweredRequest
  'fast-forward': FastForwardResult
  'set-behaviour': ParsedPlan
  'run-rule': { changes: number }
  'set-rule': ResponseRule
  /** The current record; undefined for a deletion. */
  'edit-record': KeptRecord | undefined
  'trigger-event': ChangeEvent
  'act-on-sign-in': SignInOutcome
}

export type CommandKind = keyof CommandInputs

/** The commands of an owner that need nothing but their execution. */
export type OwnerCommand =
  | 'set-behaviour'
  | 'set-access'
  | 'revoke-key'
  | 'remove-webhook'
  | 'remove-webhook-fault'
  | 'edit-record'
  | 'trigger-event'
  | 'act-on-sign-in'
  | 'pause'
  | 'resume'
/** The result of each kind of command; most have none. */
export type CommandResults = {
  [Kind in CommandKind]: Kind extends keyof CommandAnswers ? CommandAnswers[Kind] : unknown
}

interface CommandTime {
  /** Real time, milliseconds. */
  readonly at: number
}

/** A command without its time. */
export type CommandInput<Kind extends CommandKind> = { readonly kind: Kind } & CommandInputs[Kind]

/** One change of a simulation's state, or a request that may cause one. */
export type CommandOf<Kind extends CommandKind> = CommandTime & CommandInput<Kind>

export type Command = { [Kind in CommandKind]: CommandOf<Kind> }[CommandKind]

/**
 * Why a fast-forward has to end, once there is a reason. The fast-forward looks at it between its changes, and never
 * while it undoes them.
 */
export interface Interruption {
  fact?: string
}
