import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type LivingService, startLivingService } from './living-service.ts'

export { expect } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Tests of the dashboard: a service of its own for each, and a page that is signed in, has opened nothing yet, and breaks no policy. */
export const test = base.extend<{ living: LivingService; dashboard: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  living: async ({}, use) => {
    const living = await startLivingService()
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

/** What can differ between light and dark: `light-dark()` gives colours alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Holds a page to WCAG 2.2 AA in light and dark, and to the width of a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(page, 'light', (axe) => axe.withTags(RULES))
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolations(page, 'dark', (axe) => axe.withRules(COLOUR_RULES))
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 360, height: 740 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  await expectNoViolations(page, 'narrow', (axe) => axe.withTags(RULES))
  await page.setViewportSize(size)
}

async function expectNoViolations(page: Page, look: string, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // Without frames, in which alone the other mode looks by a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], preload: false })
  const { violations } = await choose(axe).analyze()
  expect(violations.map(({ id, nodes }) => `${look} ${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
}

/** Adds a task to the simulation; returns its id. */
export async function addTask(living: LivingService, title: string): Promise<string> {
  const projects = await living.ask('GET', '/v1/projects?limit=1')
  const projectId = (projects.body.data as { id: string }[])[0]?.id
  const { status, body } = await living.ask('POST', '/v1/tasks', { title, projectId })
  expect(status).toBe(201)
  return String(body.id)
}
