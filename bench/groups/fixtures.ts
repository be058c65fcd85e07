import { atMost, type BenchRow, informative } from '../bench-row.ts'
import { costOf, type FileEnd, nameFiles } from '../fixtures/cost-of-files.ts'
import { runProject } from '../fixtures/runner-project.ts'

/** The test files that are compared, by the template that they are copies of. `shared` ones run with the plugin. */
const VITEST = {
  plain: 'empty.js',
  'plain-suite': 'suite.js',
  'plain-request': 'request.js',
  'shared-suite': 'suite.js',
  'shared-request': 'request.js',
} as const
const PLAYWRIGHT = { empty: 'empty.js', suite: 'suite.js' } as const

/** Extra cost of a test file with a simulation over an empty one, with the real runners and an installed package. */
export async function run(): Promise<BenchRow[]> {
  const vitest = measure('vitest', VITEST, ['vitest/vitest.mjs', 'run'])
  const playwright = measure('playwright', PLAYWRIGHT, ['@playwright/test/cli.js', 'test'])
  const cost = (kind: keyof typeof VITEST) => costOf(kind, vitest) - costOf('plain', vitest)
  return [
    informative({ name: 'empty Vitest file', value: costOf('plain', vitest), unit: 'ms' }),
    atMost({ name: 'Vitest file with useSimulation', value: cost('plain-suite'), unit: 'ms', most: 90 }),
    informative({ name: 'Vitest file with a first request', value: cost('plain-request'), unit: 'ms' }),
    atMost({ name: 'Vitest file with the plugin', value: cost('shared-suite'), unit: 'ms', most: 25 }),
    informative({ name: 'Vitest file with plugin and request', value: cost('shared-request'), unit: 'ms' }),
    atMost({
      name: 'Playwright worker',
      value: costOf('suite', playwright) - costOf('empty', playwright),
      unit: 'ms',
      most: 200,
    }),
  ]
}

function measure(
  template: string,
  kinds: Readonly<Record<string, string>>,
  command: readonly [string, ...string[]],
): FileEnd[] {
  const tests = nameFiles(Object.keys(kinds)).map(({ file, kind }) => ({ file, from: kinds[kind] as string }))
  return runProject({ template, tests, command })
}
