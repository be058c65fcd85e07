import { defineConfig } from 'vitest/config'

/** `npm run test:nodes`: several nodes over a PostgreSQL of the test's own, one file after the other. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/nodes/**/*.test.ts'],
    // Limits against a test that hangs, as in `npm test`.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 1,
  },
})
