import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type LivingService, startLivingService } from './living-service.ts'

export { expect } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Tests of the dashboard: a service of its own for each, and a page that is signed in and breaks no policy. */
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
    await page.goto(living.service.dashboardUrl())
    await expect(page.getByRole('heading', { name: 'Simulations' })).toBeVisible()
    await use(page)
    expect(refused).toEqual([])
  },
})

/** Holds a page to WCAG 2.2 AA in light and dark, and to the width of a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
    const found = violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join('\n')}`)
    expect(found).toEqual([])
  }
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 360, height: 740 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  expect(violations.map(({ id, nodes }) => `narrow ${id}: ${nodes[0]?.html}`)).toEqual([])
  await page.setViewportSize(size)
}

/** Adds a task to the simulation; returns its id. */
export async function addTask(living: LivingService, title: string): Promise<string> {
  const projects = await living.ask('GET', '/v1/projects?limit=1')
  const projectId = (projects.body.data as { id: string }[])[0]?.id
  const { status, body } = await living.ask('POST', '/v1/tasks', { title, projectId })
  expect(status).toBe(201)
  return String(body.id)
}
