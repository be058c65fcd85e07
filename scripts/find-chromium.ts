/**
 * Prints the path of a Chromium that starts; installs one where there is none. The order: `CHROMIUM_PATH`, the system's,
 * Playwright's own; as root with apt the distribution's, else Playwright's download.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** First the one without windows, which is what Playwright downloads too: it takes a third less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const ADVICE =
  'No Chromium found and none could be installed: install one and set CHROMIUM_PATH to its path (Debian: `apt-get install chromium`; else `npx playwright install chromium`).'

/** Path of a Chromium that starts. Installs one if it must; throws, with what to do, if it cannot. */
export function findChromium(): string {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (starts(given)) return given
    throw new Error(`Expected \`CHROMIUM_PATH\` to be a Chromium that starts, got "${given}".`)
  }
  const found = systemChromium() ?? playwrightChromium() ?? installWithApt() ?? installWithPlaywright()
  if (!found) throw new Error(ADVICE)
  return found
}

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...APPLICATIONS].find(starts)
}

function playwrightChromium(): string | undefined {
  return [chromium.executablePath()].find(starts)
}

function installWithApt(): string | undefined {
  if (process.getuid?.() !== 0 || !succeeds('apt-get', ['--version'])) return undefined
  process.stderr.write('No Chromium found: installing the distribution’s with apt-get.\n')
  succeeds('apt-get', ['update', '-q'])
  const isInstalled = ['chromium-headless-shell', 'chromium'].some((name) =>
    succeeds('apt-get', ['install', '-yq', '--no-install-recommends', name]),
  )
  return isInstalled ? systemChromium() : undefined
}

function installWithPlaywright(): string | undefined {
  process.stderr.write('No Chromium found: downloading Playwright’s.\n')
  return succeeds('npx', ['playwright', 'install', 'chromium']) ? playwrightChromium() : undefined
}

/**
 * Whether it is there and says its version: Ubuntu's `chromium-browser` is a stub that does not. On Windows Chromium opens a
 * window instead of saying it.
 */
function starts(path: string): boolean {
  return existsSync(path) && (process.platform === 'win32' || succeeds(path, ['--version']))
}

function succeeds(command: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', timeout: 600_000, env }).status === 0
}

if (import.meta.main) {
  try {
    process.stdout.write(`${findChromium()}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
