import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['*.bench-test.ts'], root: import.meta.dirname, testTimeout: 60_000, reporters: ['dot'] },
})
