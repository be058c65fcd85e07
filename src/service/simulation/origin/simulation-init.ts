import type { NewBehaviourRule } from '../../../protocol/behaviour.ts'
import type { Conduct } from '../../../protocol/conduct.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { ParsedRuleRequest } from '../../../protocol/response-rule.ts'
import type { ValidationMode } from '../../../protocol/simulation.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { DatasetOptions } from '../../dataset/dataset.ts'
import type { SpokenEntry } from '../../webhooks/event-forms.ts'
import type { ReachableAddresses } from '../../webhooks/reachable-addresses.ts'
import type { InitialAccess } from '../core/access-list.ts'
import type { Slices } from '../running/slices.ts'
import type { Blueprint } from './blueprint.ts'

/** The seed of a simulation that was given none, so that data is the same from run to run. */
export const DEFAULT_SEED = 'backlot'

/** Counts the requests of an account against its limit. */
export interface RequestMeter {
  /** Whether the month's limit is used up. */
  readonly isOverRequestLimit: boolean
  countRequest(): void
  /** Where other nodes count too and the limit is near: resolves when each knows of the requests of all. */
  whenCounted?(): Promise<void> | undefined
}

/** What a simulation is made of. */
export interface SimulationInit {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Whether the creator chose the slug. */
  readonly hasOwnSlug?: boolean | undefined
  readonly blueprint: Blueprint
  readonly runtime: Runtime
  /** Shared by the simulations of a service, so that all of them together compute no longer than a slice. */
  readonly slices: Slices
  /** Sinks of this run, which webhooks may reach although they are inside the machine. */
  readonly reachable: ReachableAddresses
  /** Most webhooks, as the account's plan sets it. @default no limit */
  readonly maxWebhooks?: number | undefined
  readonly access: InitialAccess
  /** Behaviour plan; undefined: one derived from the model. */
  readonly plan?: readonly NewBehaviourRule[] | undefined
  readonly rules?: readonly ParsedRuleRequest[] | undefined
  /** @default DEFAULT_SEED */
  readonly seed?: string | undefined
  /** World time at creation, milliseconds. @default the present, rounded down to the second */
  readonly epoch?: number | undefined
  readonly volume?: Readonly<Record<string, number>> | undefined
  readonly seedRecords?: Readonly<Record<string, readonly JsonObject[]>> | undefined
  /** Values that generated records draw from, by collection and dotted field. */
  readonly hints?: DatasetOptions['hints'] | undefined
  /** Real time of creation, milliseconds. @default the present */
  readonly createdAt?: number | undefined
  /** Whether a store is to keep it: a lane then has everything done. @default false */
  readonly isStored?: boolean | undefined
  /** @default 'strict' */
  readonly validation?: ValidationMode | undefined
  /** Whether creating below a parent that does not exist answers 404. @default false */
  readonly strictParents?: boolean | undefined
  readonly instructions?: string | undefined
  /** How the library entry tells its changes to webhooks. */
  readonly speech?: SpokenEntry | undefined
  /** What the library entry says of its operations. */
  readonly conduct?: Conduct | undefined
  /** The keys are also taken with this in front. */
  readonly keyPrefixes?: readonly string[] | undefined
  /** Where requests to the simulated API are counted. @default nowhere */
  readonly meter?: RequestMeter | undefined
}

/** The first names of a list, and how many more there are, for a message. */
export function listSome(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ')
}
