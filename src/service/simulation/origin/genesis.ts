import type { SimulationInit } from './simulation-init.ts'

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
