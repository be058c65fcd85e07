import { defineConfig } from 'vitest/config'

// Playwright takes the files that end in `.spec.ts`.
export default defineConfig({ test: { include: ['test/**/*.test.ts'] } })
