import { defineConfig } from '@playwright/test'
import type { Footing } from './dashboard-test.ts'
import config from './playwright.config.ts'

/** Tests that wait for what the stream of activities tells: each node tells of what it has done itself (docs/hosting.md, Several nodes). */
const OF_ONE_NODE = [
  'shows requests with bodies, and why one was refused',
  'sends a request again, changed, and answers its like otherwise from now on',
  'adds a response rule, says what is wrong with one, and removes it',
  'changes a rule in its place, switches it off, and says what it meets and when it acted',
  'shows what happens as it happens, and what led to what',
]

/** `npm run test:ui:stores`: the main flows over a file, and over two nodes behind a proxy that takes them in turn. */
export default defineConfig<object, { footing: Footing }>(config, {
  testMatch: /(signing-in|simulations|timeline|data|webhooks|settings|requests|operations|debug)\.spec\.ts/,
  workers: 1,
  projects: [
    { name: 'sqlite', use: { footing: 'sqlite' } },
    { name: 'nodes', use: { footing: 'nodes' }, grepInvert: new RegExp(OF_ONE_NODE.join('|')) },
  ],
})
