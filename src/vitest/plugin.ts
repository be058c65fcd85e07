/**
 * A plugin for Vitest's configuration.
 *
 * @module
 */
import { PLUGIN_OPTIONS } from './setup.ts'

/** Options of the plugin {@link backlot}. */
export interface BacklotPluginOptions {
  /**
   * Start one service in the runner's process for all workers, so that a test file pays for its own simulation only.
   * No effect when `BACKLOT_URL` is set. @default true
   */
  shared?: boolean
  /** Register the matchers with `expect` in every test file. @default true */
  matchers?: boolean
}

/** The shape of a Vite plugin, as far as this one is one. */
export interface BacklotPlugin {
  name: string
  config(): { test: { globalSetup: string[]; setupFiles: string[]; provide: Record<string, unknown> } }
}

/**
 * Shares one service among all test files, registers the matchers, and at the end of the run deletes and reports what
 * was left behind.
 *
 * @example vitest.config.ts
 * export default defineConfig({ plugins: [backlot()] })
 */
export function backlot(options: BacklotPluginOptions = {}): BacklotPlugin {
  const { shared = true, matchers = true } = options
  return {
    name: 'backlot',
    config: () => ({
      test: {
        globalSetup: [import.meta.resolve('backlot/vitest/setup').replace(/^file:\/\//, '')],
        setupFiles: matchers ? ['backlot/vitest/matchers'] : [],
        provide: { [PLUGIN_OPTIONS]: { shared } },
      },
    }),
  }
}
