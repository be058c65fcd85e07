import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXAMPLE_PROJECTS, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'
import { type Served, serve } from '../support/serve.ts'

let served: Served
const outputFolder = mkdtempSync(join(tmpdir(), 'backlot-examples-'))

beforeAll(async () => {
  served = await serve(['--allow-private-webhooks', '127.0.0.1/32'])
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  rmSync(outputFolder, { recursive: true, force: true })
})

/** One example for each runner: `npm run both-ways` has all, and CI every night. */
const FIRST = [...Map.groupBy(EXAMPLE_PROJECTS, ({ runner }) => runner).values()].map(([first]) => first)

it.each(FIRST.filter((project) => project !== undefined))(
  'examples/$folder, $runner: passes against backlot serve, and leaves no simulation there',
  async ({ folder, runner }) => {
    const [command, ...args] = RUNNERS[runner]
    // Playwright empties its folder of results, which the embedded run of the same example has at the same time.
    const inOneConfig = ['--config', join(import.meta.dirname, 'playwright.config.ts'), '--project', folder]
    const apart = runner === 'playwright' ? [...inOneConfig, '--output', outputFolder] : []

    const { exitCode, output } = await runCommand(bin(command), [...args, ...apart], {
      cwd: exampleFolder(folder),
      env: served.env,
    })

    expect(exitCode, output).toBe(0)
    expect(await served.client.listSimulations()).toEqual([])
  },
)
