/**
 * Writes a picture of each page of the dashboard: light, dark and as narrow as a phone. With `--docs`, those of the documentation
 * alone, into `docs/images`.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startLivingService } from '../test/ui/living-service.ts'
import { findChromium } from './find-chromium.ts'

const isForDocs = process.argv.includes('--docs')
const FOLDER = isForDocs ? 'docs/images' : (process.argv[2] ?? 'screenshots')
/** The pages of the documentation, each in one look. */
const DOCUMENTED = { chain: 'light', request: 'light', plan: 'dark' } as const
/** Small for the documentation: a picture has at most 150 kB there. */
const WIDE = isForDocs ? { width: 1180, height: 560 } : { width: 1280, height: 800 }
const LOOKS = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const

const living = await startLivingService()
const browser = await chromium.launch({ executablePath: findChromium() })
await mkdir(FOLDER, { recursive: true })
try {
  const pages = await prepare()
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${living.service.url}/ui/`)
    await page.getByLabel('Account key').waitFor()
    if (!isForDocs) await page.screenshot({ path: join(FOLDER, `sign-in-${look}.png`) })
    await page.goto(living.service.dashboardUrl())
    await page.getByRole('heading', { name: 'Simulations' }).waitFor()
    for (const [name, path] of Object.entries(pages)) {
      if (isForDocs && (DOCUMENTED as Readonly<Record<string, string>>)[name] !== look) continue
      await page.goto(living.service.url + path)
      await page.locator('main').waitFor()
      await page.waitForTimeout(700)
      await page.screenshot({ path: join(FOLDER, isForDocs ? `dashboard-${name}.png` : `${name}-${look}.png`) })
    }
    await context.close()
  }
  process.stdout.write(`Pictures are in ${FOLDER}.\n`)
} finally {
  await browser.close()
  await living.close()
}

/** Makes sample activity; returns the addresses of the pages that show it. */
async function prepare(): Promise<Record<string, string>> {
  const { manage, ask, hook, slug } = living
  const webhook = await manage<{ id: string }>('POST', `/simulations/${slug}/webhooks`, {
    url: hook.url,
    events: ['*'],
  })
  await manage('POST', `/simulations/${slug}/webhooks`, {
    url: 'https://hooks.example.test/a/rather/long/path/for/an/endpoint',
    events: ['project.*'],
  })
  const projects = await ask('GET', '/v1/projects?limit=2')
  const projectId = (projects.body.data as { id: string }[])[0]?.id
  const task = await ask('POST', '/v1/tasks', { title: 'Write the release notes', projectId })
  await ask('PATCH', `/v1/tasks/${task.body.id}`, { title: 'Write and send the release notes' })
  hook.status = 500
  await ask('POST', '/v1/tasks', { title: 'Order lunch <img src=x onerror=alert(1)>', projectId })
  await ask('GET', '/v1/tasks/nothing-here')
  await ask('POST', '/v1/tasks', { title: 7 })
  await manage('GET', `/simulations/${slug}/deliveries/settled?timeoutMs=3000`)
  hook.status = 204
  await manage('POST', `/simulations/${slug}/fast-forward`, { hours: 24 })
  await manage('GET', `/simulations/${slug}/deliveries/settled?timeoutMs=3000`)
  await manage('POST', `/simulations/${slug}/rules`, {
    name: 'Creation of tasks fails now and then',
    kind: 'error',
    method: 'POST',
    pathPattern: '/v1/tasks',
    config: { status: 503, probability: 0.2 },
  })
  await manage('POST', `/simulations/${slug}/keys`, { name: 'second' })
  const tag = '[backlot run=ci-4711 w=1 exp=1795400000]'
  for (const name of ['checkout.test.ts', 'refunds.test.ts › with a paused clock'])
    await manage('POST', '/simulations', { library: 'payments', name: `payments · ${name} ${tag}` })
  await manage('POST', '/simulations', { library: 'stripe', slug: 'shop', name: 'Shop' })
  const logs = await manage<{ data: { id: string; method: string }[] }>('GET', `/simulations/${slug}/logs`)
  const post = logs.data.findLast(({ method }) => method === 'POST')?.id ?? ''
  const refused = logs.data.find(({ method }) => method === 'POST')?.id ?? ''
  return {
    simulations: '/ui/',
    timeline: `/ui/s/${slug}`,
    chain: `/ui/s/${slug}?${new URLSearchParams({ at: post, f: '-cause:fast-forward -status:204' })}`,
    data: `/ui/s/${slug}/data/tasks`,
    record: `/ui/s/${slug}/data/tasks/${task.body.id}`,
    requests: `/ui/s/${slug}/requests`,
    request: `/ui/s/${slug}/requests/${refused}`,
    webhooks: `/ui/s/${slug}/webhooks`,
    deliveries: `/ui/s/${slug}/webhooks/${webhook.id}`,
    delivery: `/ui/s/${slug}/webhooks/${webhook.id}/latest`,
    plan: `/ui/s/${slug}/plan`,
    operations: `/ui/s/${slug}/operations`,
    operation: `/ui/s/${slug}/operations/createTask`,
    rules: `/ui/s/${slug}/rules`,
    access: `/ui/s/${slug}/access`,
    new: '/ui/new',
    account: '/ui/account',
    stripe: '/ui/s/shop/data/balance_transactions',
    missing: '/ui/s/nothing',
  }
}
