import { defineConfig } from '@playwright/test'

// A Chromium of your own, such as Debian's; without it Playwright takes the one that `npx playwright install` brought.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  workers: 1,
  use: { launchOptions: { ...(executablePath && { executablePath }) } },
})
