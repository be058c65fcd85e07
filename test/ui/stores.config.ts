import { defineConfig } from '@playwright/test'
import type { Footing } from './dashboard-test.ts'
import config from './playwright.config.ts'

/** `npm run test:ui:stores`: the main flows over a file, and over two nodes behind a proxy that takes them in turn. */
export default defineConfig<object, { footing: Footing }>(config, {
  testMatch:
    /(finding|signing-in|simulations|timeline|data|webhooks|settings|requests|operations|debug|keys|states|open)\.spec\.ts/,
  workers: 1,
  projects: [
    { name: 'sqlite', use: { footing: 'sqlite' } },
    { name: 'nodes', use: { footing: 'nodes' } },
  ],
})
