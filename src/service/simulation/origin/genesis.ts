import type { SimulationInit } from './simulation-init.ts'

/**
 * The input of a simulation, as plain JSON: all of {@link SimulationInit} that no release and no restart may change.
 * Its first rules and its first key are in the first state.
 */
export type Genesis = Pick<
  SimulationInit,
  | 'name'
  | 'hasOwnSlug'
  | 'seed'
  | 'epoch'
  | 'volume'
  | 'hints'
  | 'seedRecords'
  | 'examples'
  | 'validation'
  | 'lenientParents'
  | 'lenientKeys'
  | 'replies'
  | 'instructions'
  | 'plan'
  | 'apiWebhooks'
  | 'conduct'
  | 'handlers'
  | 'keyPrefixes'
  | 'hosts'
  | 'access'
> & {
  readonly createdAt: number
  /** Whether its address is https. @default the service's option */
  readonly https?: boolean | undefined
}

export function toGenesis(init: SimulationInit, made: { createdAt: number; https: boolean | undefined }): Genesis {
  const { name, hasOwnSlug, seed, epoch, volume, hints, seedRecords, examples, validation } = init
  const {
    lenientParents,
    lenientKeys,
    replies,
    instructions,
    plan,
    apiWebhooks,
    conduct,
    handlers,
    keyPrefixes,
    hosts,
    access,
  } = init
  const given = { name, hasOwnSlug, seed, epoch, volume, hints, seedRecords, examples, validation }
  return {
    ...given,
    lenientParents,
    lenientKeys,
    replies,
    instructions,
    plan,
    apiWebhooks,
    conduct,
    handlers,
    keyPrefixes,
    hosts,
    access,
    ...made,
  }
}

/**
 * The version of the engine, which turns a description, a seed and commands into bytes. A stored simulation has only
 * changes to data that is generated again from its description, so it belongs to one version: raise it when
 * `test/golden` reports other output.
 */
export const ENGINE = 1
