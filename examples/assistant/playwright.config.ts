import { defineConfig } from '@playwright/test'

// A Chromium of your own, such as Debian's; without it Playwright takes the one that `npx playwright install` brought.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testDir: 'test',
  testMatch: '**/*.spec.ts',
  reporter: 'list',
  forbidOnly: Boolean(process.env.CI),
  use: {
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath && { executablePath }) },
  },
})
