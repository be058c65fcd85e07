import { existsSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** The package's doors: each becomes `dist/<door>.js`, as `exports` and `bin` in package.json name them. */
const doors = [
  'index',
  'vitest',
  'vitest/plugin',
  'vitest/setup',
  'vitest/matchers',
  'playwright',
  'playwright/setup',
  'service',
  'cli',
]

export default defineConfig({
  entry: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`]).filter(([, file]) => existsSync(file ?? ''))),
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
})
