import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, runCommand } from '../support/run-command.ts'
import { type Served, serve } from '../support/serve.ts'

const root = join(import.meta.dirname, '../..')

const jest = join(root, 'node_modules/jest/bin/jest.js')

/** `isEmbedded`: needs an address without a path, which a simulation of the service in the process has. */
const EXAMPLES = [
  { folder: 'consumer', command: 'vitest', args: ['run'], isEmbedded: true },
  { folder: 'vitest', command: 'vitest', args: ['run'] },
  { folder: 'own-description', command: 'vitest', args: ['run'] },
  { folder: 'node-test', command: 'node', args: ['--test'] },
  { folder: 'jest', command: 'node', args: ['--experimental-vm-modules', jest] },
  { folder: 'playwright', command: 'playwright', args: ['test'] },
]

let served: Served

beforeAll(async () => {
  served = await serve()
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
})

describe.each(EXAMPLES)('examples/$folder', ({ folder, command, args, isEmbedded }) => {
  const cwd = join(root, 'examples', folder)

  it('passes embedded', async () => {
    const { exitCode, output } = await runCommand(bin(command), args, { cwd })

    expect(exitCode, output).toBe(0)
  }, 120_000)

  it.skipIf(isEmbedded)(
    'passes against backlot serve, and leaves no simulation there',
    async () => {
      const { exitCode, output } = await runCommand(bin(command), args, { cwd, env: served.env })

      expect(exitCode, output).toBe(0)
      expect(await served.client.listSimulations()).toEqual([])
    },
    120_000,
  )

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
