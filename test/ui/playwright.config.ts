import { defineConfig } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'

// A browser for each of two workers: pages wait more than they compute.
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // What is built already takes Babel seconds in each process.
  build: { external: ['**/dist/**'] },
  workers: 2,
  // Each test has a service of its own: a long file does not keep one worker busy at the end.
  fullyParallel: true,
  // Alone each takes a few seconds; what else the machine does is not a fault of the page.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  use: { launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGS } },
})
