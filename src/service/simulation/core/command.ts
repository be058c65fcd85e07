import type { BehaviourRequest } from '../../../protocol/behaviour.ts'
import type { ChangeEvent } from '../../../protocol/event.ts'
import type { KeptRecord } from '../../../protocol/record-edit.ts'
import type { ParsedRuleRequest, ResponseRule, RuleReplacement } from '../../../protocol/response-rule.ts'
import type { FastForwardResult } from '../../../protocol/simulation.ts'
import type { ParsedPlan } from '../../behaviour/parse-plan.ts'
import type { ApiRequest } from '../../simulated-api/exchange.ts'
import type { FaultSetting, WebhookSetting } from '../../webhooks/webhook-settings.ts'
import type { PreparedWorld } from '../../world/prepared-world.ts'
import type { Access } from './access-list.ts'
import type { AnsweredRequest } from './answer-request.ts'
import type { CoreDump } from './core-state.ts'
import type { RecordEdit } from './edit-record.ts'
import type { GivenAnswer } from './responders.ts'
import type { Trigger } from './trigger-event.ts'

/** Some of the access settings; those left out stay. */
export type AccessChange = { [Name in keyof Access]?: Access[Name] | undefined }

/** What each kind of command carries. */
interface CommandInputs {
  /**
   * A request to the simulated API. `isOverLimit`: the account's request limit is used up. `isLate`: a response rule held
   * it before it was processed.
   */
  request: {
    readonly request: ApiRequest
    readonly isOverLimit?: boolean
    readonly isLate?: boolean
    /** What a function of this process answers in place of the operation. */
    readonly given?: GivenAnswer | undefined
  }
  'fast-forward': { readonly hours: number }
  /** Nothing but the passing of time: runs of the plan that fell due. */
  tick: object
  'set-behaviour': { readonly rules: BehaviourRequest['rules'] }
  /** Adds a response rule, or replaces the one with this `id`. */
  'set-rule': { readonly rule: ParsedRuleRequest | RuleReplacement; readonly id?: string }
  'remove-rule': { readonly id: string }
  'set-access': { readonly change: AccessChange }
  /** Runs one rule of the behaviour plan out of turn. */
  'run-rule': { readonly ruleId: string }
  'issue-key': { readonly name: string; readonly key: string }
  'revoke-key': { readonly prefix: string }
  'add-webhook': { readonly webhook: WebhookSetting }
  'remove-webhook': { readonly id: string }
  /** Switches a webhook on again. */
  'enable-webhook': { readonly id: string }
  /** Switches a webhook off whose deliveries fail. */
  'disable-webhook': { readonly id: string }
  'add-webhook-fault': { readonly fault: FaultSetting }
  'remove-webhook-fault': { readonly id: string }
  /** The owner changes a record. `isQuiet`: no webhook is sent of it. */
  'edit-record': { readonly edit: RecordEdit; readonly isQuiet: boolean }
  /** The owner makes an event of a kind happen. */
  'trigger-event': { readonly trigger: Trigger; readonly isQuiet: boolean }
  pause: object
  resume: object
  reset: object
  /** Puts data, world time, plan, rules and counters back; keys, access, webhooks and the pause stay. `prepared`: the data, made before. */
  restore: { readonly state: CoreDump; readonly prepared?: PreparedWorld }
}

/** What commands answer that answer something. */
interface CommandAnswers {
  request: AnsweredRequest
  'fast-forward': FastForwardResult
  'set-behaviour': ParsedPlan
  'run-rule': { changes: number }
  'set-rule': ResponseRule
  /** The record as it is now; undefined where it was deleted. */
  'edit-record': KeptRecord | undefined
  'trigger-event': ChangeEvent
}

export type CommandKind = keyof CommandInputs

/** What each kind of command answers; most answer nothing. */
export type CommandResults = {
  [Kind in CommandKind]: Kind extends keyof CommandAnswers ? CommandAnswers[Kind] : unknown
}

/** When a command happens. */
interface CommandTime {
  /** Real time, milliseconds. */
  readonly at: number
}

/** What a command is to do. */
export type CommandInput<Kind extends CommandKind> = { readonly kind: Kind } & CommandInputs[Kind]

/** One change of a simulation's state, or a request that may make one. */
export type CommandOf<Kind extends CommandKind> = CommandTime & CommandInput<Kind>

/** Any command. */
export type Command = { [Kind in CommandKind]: CommandOf<Kind> }[CommandKind]
