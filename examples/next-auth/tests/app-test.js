import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { simulationTest } from 'backlot/playwright'
import { member } from './member.js'

const next = createRequire(import.meta.url).resolve('next/dist/bin/next')

/** Tests with a provider of their own, and with the application that trusts it. */
export const test = simulationTest('oidc', { as: 'provider' }).extend({
  app: [
    async ({ provider }, use) => {
      const env = {
        ...process.env,
        AUTH_OIDC_ISSUER: provider.auth.issuer,
        AUTH_OIDC_ID: 'reading-list',
        AUTH_OIDC_SECRET: 'secret',
        AUTH_SECRET: 'a secret of the application',
        NEXT_TELEMETRY_DISABLED: '1',
      }
      const child = spawn(process.execPath, [next, 'dev', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let url
      for await (const line of createInterface(child.stdout)) {
        url = /http:\/\/localhost:\d+/.exec(line)?.[0]
        if (url !== undefined) break
      }
      await use(url)
      child.kill()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ app }, use) => use(app),
  member,
})
export { expect } from 'backlot/playwright'
