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
   * Start one service in the runner's process for all workers, so that a test file creates only its own simulation. No
   * effect when `BACKLOT_URL` is set. @default true
   */
  shared?: boolean | undefined
  /** Register the matchers with `expect` in every test file. @default true */
  matchers?: boolean | undefined
  /**
   * Let Node reuse the compiled code of Vitest and of this package in later workers (`NODE_COMPILE_CACHE`), which saves
   * about 25 ms per test file. No effect under V8 coverage, which would become less exact. @default true
   */
  compileCache?: boolean | undefined
}

/** The parts of a Vite plugin that this one has. */
export interface BacklotPlugin {
  name: string
  config(config?: ConfigOfUser): {
    test: { globalSetup: string[]; setupFiles: string[]; provide: Record<string, unknown> }
  }
  configureVitest(context: VitestContext): void
}

/** The parts of Vite's configuration that {@link BacklotPlugin.config} reads. */
export interface ConfigOfUser {
  test?: { browser?: { enabled?: boolean | undefined } | undefined } | undefined
}

/** The parts of Vitest that {@link BacklotPlugin.configureVitest} reads and sets. */
export interface VitestContext {
  vitest: { config: { coverage: { enabled: boolean; provider?: string | undefined } } }
  project: {
    config: {
      env?: Record<string, unknown>
      setupFiles?: string[]
      browser?: { enabled?: boolean | undefined } | undefined
    }
  }
}

/**
 * Shares one service among all test files, registers the matchers, and at the end of the run deletes and reports
 * leftover simulations.
 */
export function backlot(options: BacklotPluginOptions = {}): BacklotPlugin {
  const { shared = true, matchers = true, compileCache = true } = options
  return {
    name: 'backlot',
    config: ({ test } = {}) => ({
      test: {
        globalSetup: [fileURLToPath(import.meta.resolve('backlot/vitest/setup'))],
        // They need Node, and tests in a browser would fail to load.
        setupFiles: matchers && test?.browser?.enabled !== true ? ['backlot/vitest/matchers'] : [],
        provide: { [PLUGIN_OPTIONS]: { shared } },
      },
    }),
    configureVitest: ({ vitest: { config }, project }) => {
      // Vitest 5 gives projects that extend the root its options, without those of its plugins.
      const file = fileURLToPath(import.meta.resolve('backlot/vitest/matchers'))
      const { setupFiles = [], browser } = project.config
      if (matchers && browser?.enabled !== true && !setupFiles.includes(file))
        project.config.setupFiles = [file, ...setupFiles]
      const isCountedByV8 = config.coverage.enabled && config.coverage.provider !== 'istanbul'
      if (!compileCache || isCountedByV8 || process.env.NODE_COMPILE_CACHE) return
      const folder = compileCacheFolder()
      if (folder !== undefined) project.config.env = { NODE_COMPILE_CACHE: folder, ...project.config.env }
    },
  }
}
