import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLE_PROJECTS, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'
import { type Served, serve } from '../support/serve.ts'

let served: Served

beforeAll(async () => {
  served = await serve(['--allow-private-webhooks', '127.0.0.1/32'])
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
})

describe.each(EXAMPLE_PROJECTS)('examples/$folder, $runner', ({ folder, runner }) => {
  const cwd = exampleFolder(folder)
  const [command, ...args] = RUNNERS[runner]

  it('passes embedded', async () => {
    const { exitCode, output } = await runCommand(bin(command), args, { cwd })

    expect(exitCode, output).toBe(0)
  }, 120_000)

  it('passes against backlot serve, and leaves no simulation there', async () => {
    const { exitCode, output } = await runCommand(bin(command), args, { cwd, env: served.env })

    expect(exitCode, output).toBe(0)
    expect(await served.client.listSimulations()).toEqual([])
  }, 120_000)

  it.runIf(existsSync(join(cwd, 'tsconfig.json')))(
    'is typed',
    async () => {
      const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.'], { cwd })

      expect(output).toBe('')
      expect(exitCode).toBe(0)
    },
    60_000,
  )
})
