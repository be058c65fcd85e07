import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A package of `examples/` with tests, and the runner that it takes. */
export interface ExampleProject {
  folder: string
  runner: 'vitest' | 'playwright' | 'node' | 'jest'
  /** A test file with a function that answers: no hosted service can call it. */
  embeddedOnly?: string
  /** It takes long: `npm run both-ways` has it, and CI every night. */
  nightly?: true
}

/** The packages of `examples/` that are tested as they are; `typed-client` writes its types first. */
export const EXAMPLE_PROJECTS: readonly ExampleProject[] = [
  { folder: 'stripe', runner: 'vitest' },
  { folder: 'stripe', runner: 'playwright' },
  { folder: 'assistant', runner: 'vitest' },
  { folder: 'assistant', runner: 'playwright' },
  { folder: 'consumer', runner: 'vitest' },
  { folder: 'vitest', runner: 'vitest' },
  { folder: 'own-description', runner: 'vitest', embeddedOnly: 'test/taken-room.test.ts' },
  { folder: 'node-test', runner: 'node' },
  { folder: 'jest', runner: 'jest' },
  { folder: 'playwright', runner: 'playwright' },
  { folder: 'next-auth', runner: 'playwright', nightly: true },
]

/** Limits of a test in another runner, which by default are too short for a machine that is busy with other work. */
const LONG = String(120_000)
export const LONG_LIMITS = {
  vitest: [`--testTimeout=${LONG}`, `--hookTimeout=${LONG}`],
  playwright: [`--timeout=${LONG}`],
  jest: [`--testTimeout=${LONG}`],
} as const

/** Program and arguments of each runner, as the examples themselves call it. */
export const RUNNERS: Readonly<Record<ExampleProject['runner'], readonly [command: string, ...args: string[]]>> = {
  vitest: ['vitest', 'run', ...LONG_LIMITS.vitest],
  playwright: ['playwright', 'test', ...LONG_LIMITS.playwright],
  node: ['node', '--test'],
  jest: ['node', '--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), ...LONG_LIMITS.jest],
}

/** The folder of an example. */
export const exampleFolder = (name: string): string => join(root, 'examples', name)
