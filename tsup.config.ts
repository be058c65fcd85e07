import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import { defineConfig } from 'tsup'
import { mergeChunks } from './scripts/merge-chunks.ts'

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

/**
 * Doors that test files load: what they share becomes one file, and what the embedded service needs beside it
 * another.
 */
const fixtureDoors: ReadonlySet<string> = new Set(['index.js', 'vitest.js', 'vitest/matchers.js', 'playwright.js'])

/**
 * zod is bundled, since file by file it costs 50 ms of every cold start: with English alone of its 50 languages, and
 * without what nobody calls, which esbuild sees where all of a module is imported and not its export `z`. It stays a
 * dependency, since declarations name its types.
 */
const zodInPart: Plugin = {
  name: 'zod-in-part',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

export default defineConfig({
  entry: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
  noExternal: ['zod'],
  esbuildPlugins: [zodInPart],
  async onSuccess() {
    await copyFile('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
    await mergeChunks('dist', [
      { name: 'core', roots: (file) => fixtureDoors.has(file) },
      { name: 'start', roots: (file) => file.startsWith('start-') },
    ])
  },
})
