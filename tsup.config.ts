import { existsSync } from 'node:fs'

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

// Not `defineConfig`: tsup's declarations do not pass `skipLibCheck: false`.
export default {
  entry: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`]).filter(([, file]) => existsSync(file ?? ''))),
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
}
