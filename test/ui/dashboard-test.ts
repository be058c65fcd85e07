import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type LivingService, type LivingStore, startLivingService } from './living-service.ts'

export { expect } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What the service of a test stands on: nothing, a file, or a database with two nodes over it. */
export type Footing = 'memory' | 'sqlite' | 'nodes'

interface WorkerFixtures {
  readonly footing: Footing
  /** Gives each test a store of its own. */
  readonly openStore: () => Promise<LivingStore>
}

/** Tests of the dashboard: a service of its own for each, and a page that is signed in, has opened nothing yet, and breaks no policy. */
export const test = base.extend<{ living: LivingService; dashboard: Page }, WorkerFixtures>({
  footing: ['memory', { option: true, scope: 'worker' }],
  openStore: [
    async ({ footing }, use) => {
      if (footing === 'memory') return use(async () => ({}))
      const { openStores } = await import('./living-stores.ts')
      await using stores = await openStores(footing)
      await use(stores.open)
    },
    { scope: 'worker' },
  ],
  living: async ({ openStore }, use) => {
    const living = await startLivingService(await openStore())
    await use(living)
    await living.close()
  },
  dashboard: async ({ living, page }, use) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
    })
    page.on('pageerror', (error) => refused.push(String(error)))
    await signIn(page, living)
    await use(page)
    expect(refused).toEqual([])
  },
})

/** Signs in without opening a page. */
async function signIn(page: Page, { service }: LivingService): Promise<void> {
  const answer = await page.request.post(`${service.url}/ui/session`, {
    headers: { origin: service.url },
    data: { key: service.accountKey },
  })
  expect(answer.status()).toBe(200)
}

const ALL: axe.RunOnly = { type: 'tag', values: RULES }
/** What can differ between light and dark: `light-dark()` gives colours alone. */
const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Holds a page to WCAG 2.2 AA in light, and in the dark on a phone, whose width it fits. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, 'light', ALL)
  await onPhone(page, async () => {
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
    await expectNoViolations(page, 'dark', ALL)
  })
}

/** Holds the colours of a page to it where `expectAccessible` does not: what only a wide page has in the dark, and only a phone in light. */
export async function expectOtherColours(page: Page): Promise<void> {
  await expectNoViolations(page, 'dark', COLOURS)
  await onPhone(page, () => expectNoViolations(page, 'light', COLOURS))
}

async function onPhone(page: Page, check: () => Promise<void>): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 360, height: 740 })
  await check()
  await page.setViewportSize(size)
}

/** Half as long as what the package exports: each page that is loaded reads it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe in the page itself: the page has no frames, and axe is put into it once. */
async function expectNoViolations(page: Page, colorScheme: 'light' | 'dark', runOnly: axe.RunOnly): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (only) => {
    const { axe: ours } = window as unknown as { axe: typeof axe }
    // What is found is reported by its HTML: selectors take a quarter of the time.
    const options = { resultTypes: ['violations'], selectors: false, preload: false } satisfies axe.RunOptions
    const found = await ours.run(document, { runOnly: only, ...options })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
  }, runOnly)
  expect(violations.map((violation) => `${colorScheme} ${violation}`)).toEqual([])
}

/** Adds a task to the simulation; returns its id. */
export async function addTask(living: LivingService, title: string): Promise<string> {
  const projects = await living.ask('GET', '/v1/projects?limit=1')
  const projectId = (projects.body.data as { id: string }[])[0]?.id
  const { status, body } = await living.ask('POST', '/v1/tasks', { title, projectId })
  expect(status).toBe(201)
  return String(body.id)
}
