import type { NewBehaviourRule } from '../../../protocol/behaviour.ts'
import type { EntryRows } from '../../../protocol/entry-rows.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { ParsedRuleRequest } from '../../../protocol/response-rule.ts'
import type { ReplyMode, ValidationMode } from '../../../protocol/simulation.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { DatasetOptions } from '../../dataset/dataset.ts'
import type { InitialAccess } from '../../simulated-api/access-list.ts'
import type { UserFunctions } from '../../simulated-api/handlers/user-functions.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'
import type { ReachableAddresses } from '../../webhooks/reachable-addresses.ts'
import type { Slices } from '../slices.ts'
import type { Blueprint } from './blueprint.ts'

/** The default seed, so that data is the same from run to run. */
export const DEFAULT_SEED = 'backlot'

/** Counts the requests of an account against its limit. */
export interface RequestMeter {
  /** Whether the month's limit is exceeded. */
  readonly isOverRequestLimit: boolean
  /** Whether pages are shown. @default what the service says */
  readonly pages?: boolean | undefined
  countRequest(): void
  /** Counts a request that was answered with a warning. */
  countWarned?(): void
}

/** Input of a simulation. */
export interface SimulationInit {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Whether the creator chose the slug. */
  readonly hasOwnSlug?: boolean | undefined
  readonly blueprint: Blueprint
  readonly runtime: Runtime
  /** Shared by a service's simulations, so that together they compute no longer than a slice. */
  readonly slices: Slices
  /** Sinks of this run, which webhooks may reach although they are local. */
  readonly reachable: ReachableAddresses
  /** Whether its service shows pages. @default true */
  readonly pages?: boolean | undefined
  /** Most webhooks, by the account's plan. @default no limit */
  readonly maxWebhooks?: number | undefined
  readonly access: InitialAccess
  /** Behaviour plan. @default derived from the model */
  readonly plan?: readonly NewBehaviourRule[] | undefined
  readonly rules?: readonly ParsedRuleRequest[] | undefined
  /** @default DEFAULT_SEED */
  readonly seed?: string | undefined
  /** World time at creation, milliseconds. @default the present, rounded down to the second */
  readonly epoch?: number | undefined
  readonly volume?: Readonly<Record<string, number>> | undefined
  readonly seedRecords?: Readonly<Record<string, readonly JsonObject[]>> | undefined
  /** Whether the examples of the description are its first records and documents. @default documents alone */
  readonly examples?: boolean | undefined
  /** Values for generated records, by collection and dotted field. */
  readonly hints?: DatasetOptions['hints'] | undefined
  /** Real time of creation, milliseconds. @default the present */
  readonly createdAt?: number | undefined
  /** Whether a store will keep it: a lane then runs all commands. @default false */
  readonly isStored?: boolean | undefined
  /** @default 'strict' */
  readonly validation?: ValidationMode | undefined
  /** Whether creating below a parent that does not exist answers 404. @default false */
  readonly lenientParents?: boolean | undefined
  /** Whether keys are accepted outside the declared places. @default false */
  readonly lenientKeys?: boolean | undefined
  /** @default 'generated' */
  readonly replies?: ReplyMode | undefined
  readonly instructions?: string | undefined
  /** The webhooks of the library entry, or of the description. */
  readonly apiWebhooks?: ApiWebhooks | undefined
  /** The library entry's effects. */
  readonly entryRows?: EntryRows | undefined
  /** Functions of users that answer requests. */
  readonly functions?: UserFunctions | undefined
  /** Addresses of their handlers, which are imported again when a store loads the simulation. */
  readonly handlers?: readonly string[] | undefined
  /** Prefixes with which keys are also accepted. */
  readonly keyPrefixes?: readonly string[] | undefined
  /** Host names of the library entry, with their paths. */
  readonly hosts?: Readonly<Record<string, string>> | undefined
  /** Counts requests to the simulated API. @default none */
  readonly meter?: RequestMeter | undefined
}

/** The first names of a list, and the number of further ones, for a message. */
export function listSome(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ')
}

/** The fields of {@link SimulationInit} that no release and no restart may change. */
const FIXED = [
  'name',
  'hasOwnSlug',
  'seed',
  'epoch',
  'volume',
  'hints',
  'seedRecords',
  'examples',
  'validation',
  'lenientParents',
  'lenientKeys',
  'replies',
  'instructions',
  'plan',
  'apiWebhooks',
  'entryRows',
  'handlers',
  'keyPrefixes',
  'hosts',
  'access',
] as const satisfies readonly (keyof SimulationInit)[]

/** The input of a simulation, as plain JSON. Its first rules and its first key are in the first state. */
export type Genesis = Pick<SimulationInit, (typeof FIXED)[number]> & {
  readonly createdAt: number
  /** Whether its address is https. @default the service's option */
  readonly https?: boolean | undefined
}

export function toGenesis(init: SimulationInit, made: { createdAt: number; https: boolean | undefined }): Genesis {
  const fixed = Object.fromEntries(FIXED.map((name) => [name, init[name]])) as Pick<Genesis, (typeof FIXED)[number]>
  return { ...fixed, ...made }
}

/**
 * The version of the engine, which turns a description, a seed and commands into bytes. A stored simulation has only
 * changes to data that is generated again from its description, so it belongs to one version: raise it when
 * `test/golden` reports other output.
 */
export const ENGINE = 1
