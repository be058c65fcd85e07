import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, cleanEnvironment, runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '../..')

const jest = join(root, 'node_modules/jest/bin/jest.js')

const EXAMPLES = [
  { folder: 'vitest', command: 'vitest', args: ['run'] },
  { folder: 'own-description', command: 'vitest', args: ['run'] },
  { folder: 'node-test', command: 'node', args: ['--test'] },
  { folder: 'jest', command: 'node', args: ['--experimental-vm-modules', jest] },
  { folder: 'playwright', command: 'playwright', args: ['test'] },
]

let serve: ChildProcess
let hosted: Record<string, string>

beforeAll(async () => {
  serve = spawn(process.execPath, [join(root, 'dist/cli.js'), 'serve', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnvironment(),
  })
  const [line] = await once(createInterface(serve.stdout as NodeJS.ReadableStream), 'line')
  const { url, accountKey } = JSON.parse(String(line))
  hosted = { BACKLOT_URL: url, BACKLOT_ACCOUNT_KEY: accountKey }
})
afterAll(async () => {
  const ended = once(serve, 'exit')
  serve.kill('SIGTERM')
  await ended
})

describe.each(EXAMPLES)('examples/$folder', ({ folder, command, args }) => {
  const cwd = join(root, 'examples', folder)

  it('passes embedded', async () => {
    const { status, output } = await runCommand(bin(command), args, { cwd })

    expect(status, output).toBe(0)
  }, 120_000)

  it('passes against backlot serve, and leaves no simulation there', async () => {
    const { status, output } = await runCommand(bin(command), args, { cwd, env: hosted })
    const headers = { Authorization: `Bearer ${hosted.BACKLOT_ACCOUNT_KEY}` }
    const left = await (await fetch(`${hosted.BACKLOT_URL}/v1/simulations`, { headers })).json()

    expect(status, output).toBe(0)
    expect(left).toEqual({ data: [] })
  }, 120_000)

  it.runIf(existsSync(join(cwd, 'tsconfig.json')))(
    'is typed',
    async () => {
      const { status, output } = await runCommand(bin('tsc'), ['-p', '.'], { cwd })

      expect(output).toBe('')
      expect(status).toBe(0)
    },
    60_000,
  )
})
