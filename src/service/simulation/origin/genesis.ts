import type { SimulationInit } from './simulation-init.ts'

/**
 * What a simulation was made from, as plain JSON: all of {@link SimulationInit} that no release and no restart may change. Its
 * first rules and its first key are in the first state.
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
  | 'validation'
  | 'strictParents'
  | 'instructions'
  | 'plan'
  | 'speech'
  | 'conduct'
  | 'keyPrefixes'
  | 'access'
> & {
  readonly createdAt: number
  /** Whether its address is https; undefined: as the service is started. */
  readonly https?: boolean | undefined
}

export function toGenesis(init: SimulationInit, made: { createdAt: number; https: boolean | undefined }): Genesis {
  const { name, hasOwnSlug, seed, epoch, volume, hints, seedRecords, validation } = init
  const { strictParents, instructions, plan, speech, conduct, keyPrefixes, access } = init
  const given = { name, hasOwnSlug, seed, epoch, volume, hints, seedRecords, validation }
  return { ...given, strictParents, instructions, plan, speech, conduct, keyPrefixes, access, ...made }
}

/**
 * The number of what turns a description, a seed and commands into bytes. A stored simulation holds changes to data that are
 * made anew from its description, so it belongs to one engine: raise the number when `test/golden` says that output has moved.
 */
export const ENGINE = 1
