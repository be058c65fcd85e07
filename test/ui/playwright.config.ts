import { defineConfig } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'

/**
 * What a Chromium with windows loads for each of them: two pages below its address bar, a fifth of the processor time of these tests. The last
 * `--disable-features` counts, so this one repeats those of Playwright's that ask the network or change a page.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
]

// A browser for each of two workers: pages wait more than they compute.
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  build: { external: ['**/dist/**'] },
  workers: 2,
  // Each test has a service of its own: a long file does not keep one worker busy at the end.
  fullyParallel: true,
  // Alone each takes a few seconds; what else the machine does is not a fault of the page.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  use: { launchOptions: { executablePath: findChromium(), args: [`--disable-features=${WITHOUT}`, '--disable-gpu'] } },
})
