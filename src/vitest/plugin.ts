/**
 * A plugin for Vitest's configuration.
 *
 * @module backlot/vitest/plugin
 */
import '../runtime/needed-node.ts'
import { fileURLToPath } from 'node:url'
import { compileCacheFolder } from '../runtime/compile-cache.ts'
import { PLUGIN_OPTIONS } from './setup.ts'

/** Options of the plugin {@link backlot}. */
export interface BacklotPluginOptions {
  /**
   * Start one service in the runner's process for all workers, so that a test file pays for its own simulation only.
   * No effect when `BACKLOT_URL` is set. @default true
   */
  shared?: boolean | undefined
  /** Register the matchers with `expect` in every test file. @default true */
  matchers?: boolean | undefined
  /**
   * Let Node keep the compiled code of Vitest and of this package from one worker to the next (`NODE_COMPILE_CACHE`),
   * which spares every test file some 25 ms. No effect under coverage by V8, which would count less exactly. @default
   * true
   */
  compileCache?: boolean | undefined
}

/** The shape of a Vite plugin, as far as this one is one. */
export interface BacklotPlugin {
  name: string
  config(): { test: { globalSetup: string[]; setupFiles: string[]; provide: Record<string, unknown> } }
  configureVitest(context: VitestContext): void
}

/** The parts of Vitest that {@link BacklotPlugin.configureVitest} reads and sets. */
export interface VitestContext {
  vitest: { config: { coverage: { enabled: boolean; provider?: string | undefined } } }
  project: { config: { env?: Record<string, unknown> } }
}

/**
 * Shares one service among all test files, registers the matchers, and at the end of the run deletes and reports what
 * was left behind.
 *
 * @example vitest.config.ts
 * export default defineConfig({ plugins: [backlot()] })
 */
export function backlot(options: BacklotPluginOptions = {}): BacklotPlugin {
  const { shared = true, matchers = true, compileCache = true } = options
  return {
    name: 'backlot',
    config: () => ({
      test: {
        globalSetup: [fileURLToPath(import.meta.resolve('backlot/vitest/setup'))],
        setupFiles: matchers ? ['backlot/vitest/matchers'] : [],
        provide: { [PLUGIN_OPTIONS]: { shared } },
      },
    }),
    configureVitest: ({ vitest: { config }, project }) => {
      const isCountedByV8 = config.coverage.enabled && config.coverage.provider !== 'istanbul'
      if (!compileCache || isCountedByV8 || process.env.NODE_COMPILE_CACHE) return
      const folder = compileCacheFolder()
      if (folder !== undefined) project.config.env = { NODE_COMPILE_CACHE: folder, ...project.config.env }
    },
  }
}
