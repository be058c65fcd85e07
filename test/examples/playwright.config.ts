import { join } from 'node:path'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'
import { EXAMPLE_PROJECTS, exampleFolder } from '../support/example-projects.ts'

const folders = EXAMPLE_PROJECTS.filter(({ runner, nightly }) => runner === 'playwright' && !nightly)

/** All examples for Playwright in one run, each with its own configuration. */
export default defineConfig({
  reporter: 'list',
  outputDir: process.env.BACKLOT_TEST_OUTPUT ?? '../../test-results/examples',
  // Below `node_modules/`, where users have the package, Playwright leaves it as it is. Here it would compile megabytes.
  build: { external: ['**/dist/**'] },
  projects: await Promise.all(
    folders.map(async ({ folder }) => {
      const root = exampleFolder(folder)
      const module = await import(join(root, 'playwright.config.ts'))
      const { testDir = '.', testMatch = '**/*.spec.ts', use = {} } = module.default as PlaywrightTestConfig
      const launchOptions = { ...use.launchOptions, args: CHROMIUM_ARGS }
      return { name: folder, testDir: join(root, testDir), testMatch, use: { ...use, launchOptions } }
    }),
  ),
})
