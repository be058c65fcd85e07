import { defineConfig } from '@playwright/test'
import type { Footing } from './dashboard-test.ts'
import config from './playwright.config.ts'

/** Tests that read the request log, which each node has of what it answered (docs/hosting.md, Several nodes). */
const OF_ONE_NODE = [
  'shows requests with bodies, and why one was refused',
  'sends a request again, changed, and answers its like otherwise from now on',
  'adds a response rule, says what is wrong with one, and removes it',
  'shows what happens as it happens, and what led to what',
  'filters by fields and kinds, in the address',
  'is used by keys alone',
  'goes anywhere by its name, without a mouse',
]

/** `npm run test:ui:stores`: the main flows over a file, and over two nodes behind a proxy that takes them in turn. */
export default defineConfig<object, { footing: Footing }>(config, {
  testMatch: /(signing-in|simulations|timeline|data|webhooks|settings|requests)\.spec\.ts/,
  workers: 1,
  projects: [
    { name: 'sqlite', use: { footing: 'sqlite' } },
    { name: 'nodes', use: { footing: 'nodes' }, grepInvert: new RegExp(OF_ONE_NODE.join('|')) },
  ],
})
