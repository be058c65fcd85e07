import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that look at the memory of their process or keep its event loop busy: one file after the other. */
const TIMED = ['test/management/busy.test.ts', 'test/server/idle-connections.test.ts']
/** Tests of whole runs, which start other processes and wait for them. `npm test` runs them in a step of their own. */
const WHOLE = [
  'test/{conformance,examples,fuzz,packaging}/**/*.test.ts',
  // The others run commands in the process of the test.
  'test/cli/!(commands|folder|library-commands|write-an-entry).test.ts',
  'test/fixture/runners/*.test.ts',
  'test/store/{kills,lost-commits,nodes-chaos}.test.ts',
]
/** Tests of what a process has once: the run and its ledger, the environment, the dispatcher of requests. */
const APART = [
  'test/fixture/{compile-cache,debug,debug-in-ci,event-feed,event-ids,folder,forward-by-record,hosted}.test.ts',
  'test/fixture/{interceptors,later,local-port,names,restart,simulated-fetch,stuck-sockets,times,variables}.test.ts',
  'test/sink/process.test.ts',
]
/** `test/nodes` takes minutes: `npm run test:nodes`. */
const NEVER = ['**/node_modules/**', 'test/fixture/projects/**', 'test/nodes/**']

/** Files that take longest. They begin first, so that no worker waits for one of them at the end. */
const LONGEST = [
  'test/examples/embedded.test.ts',
  'test/examples/documentation.test.ts',
  'test/fixture/runners/vitest-embedded.test.ts',
  'test/fixture/runners/playwright.test.ts',
  'test/fixture/runners/killed.test.ts',
  'test/fixture/runners/hosted.test.ts',
  'test/store/nodes-chaos.test.ts',
  'test/store/kills.test.ts',
  'test/store/lost-commits.test.ts',
  'test/cli/types.test.ts',
  'test/library/proofs.test.ts',
  'test/openapi/hostile/hostile-descriptions.test.ts',
  'test/store/pg-store.test.ts',
  'test/library/story.test.ts',
  'test/openapi/inspect.test.ts',
  'test/openapi/model-document.test.ts',
  'test/openapi/fidelity.test.ts',
  'test/simulation/determinism.test.ts',
  'test/simulation/fast-forward.test.ts',
  'test/webhooks/many-waiting.test.ts',
]

/** Vitest's order is by size where it knows no times, as on a fresh clone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((file) => moduleId.endsWith(file))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Workers of tests that compute. */
const WORKERS = Math.max(2, availableParallelism() - 1)

export default defineConfig({
  test: {
    // Limits against a test that hangs, and no measurements: tests must pass on a machine that is busy with other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongestFirst },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...WHOLE, ...APART, ...TIMED],
          // The source keeps no state in its modules (decisions/module-state.md), so files share what is loaded.
          isolate: false,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: APART,
          exclude: [...NEVER, ...WHOLE],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: WHOLE,
          exclude: NEVER,
          // They wait for their processes for a third of the time.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: TIMED, isolate: false, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
