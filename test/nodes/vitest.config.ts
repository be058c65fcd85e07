import { defineConfig } from 'vitest/config'

/** `npm run test:nodes`: several nodes over a PostgreSQL of the test's own, one file after the other. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/nodes/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
})
