import type { BehaviourRequest } from '../../protocol/behaviour.ts'
import type { ResponseRule, ResponseRuleRequest } from '../../protocol/response-rule.ts'
import type { FastForwardResult } from '../../protocol/simulation.ts'
import type { ParsedPlan } from '../behaviour/parse-plan.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'
import type { Access } from './access-list.ts'
import type { GateAnswer } from './request-gate.ts'

/** Some of the access settings; those left out stay. */
export type AccessChange = { [Name in keyof Access]?: Access[Name] | undefined }

/** What each kind of command carries. */
interface CommandInputs {
  /** A request to the simulated API; `isLate` when a response rule held it before it was processed. */
  request: { readonly request: ApiRequest; readonly isLate?: boolean }
  'fast-forward': { readonly hours: number }
  /** Nothing but the passing of time: runs of the plan that fell due. */
  tick: object
  'set-behaviour': { readonly rules: BehaviourRequest['rules'] }
  'add-rule': { readonly rule: ResponseRuleRequest }
  'remove-rule': { readonly id: string }
  'set-access': { readonly change: AccessChange }
  'issue-key': { readonly name: string; readonly key: string }
  pause: object
  resume: object
  reset: object
}

/** What each kind of command answers. */
export interface CommandResults {
  request: GateAnswer
  'fast-forward': FastForwardResult
  tick: undefined
  'set-behaviour': ParsedPlan
  'add-rule': ResponseRule
  'remove-rule': undefined
  'set-access': undefined
  'issue-key': undefined
  pause: undefined
  resume: undefined
  reset: undefined
}

export type CommandKind = keyof CommandInputs

/** One change of a simulation's state, or a request that may make one. `at` is real time in milliseconds. */
export type CommandOf<Kind extends CommandKind> = { readonly at: number; readonly kind: Kind } & CommandInputs[Kind]

/** Any command. */
export type Command = { [Kind in CommandKind]: CommandOf<Kind> }[CommandKind]
