import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const EXAMPLES = [
  { folder: 'vitest', command: 'vitest', args: ['run'] },
  { folder: 'own-description', command: 'vitest', args: ['run'] },
  { folder: 'playwright', command: 'playwright', args: ['test'] },
]

let serve: ChildProcess
let hosted: Record<string, string>

beforeAll(async () => {
  serve = spawn(process.execPath, [join(root, 'dist/cli.js'), 'serve', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
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
    const { status, output } = await run(bin(command), args, cwd)

    expect(status, output).toBe(0)
  }, 120_000)

  it('passes against backlot serve, and leaves no simulation there', async () => {
    const { status, output } = await run(bin(command), args, cwd, hosted)
    const headers = { Authorization: `Bearer ${hosted.BACKLOT_ACCOUNT_KEY}` }
    const left = await (await fetch(`${hosted.BACKLOT_URL}/v1/simulations`, { headers })).json()

    expect(status, output).toBe(0)
    expect(left).toEqual({ data: [] })
  }, 120_000)

  it('is typed', async () => {
    const { status, output } = await run(bin('tsc'), ['-p', '.'], cwd)

    expect(output).toBe('')
    expect(status).toBe(0)
  }, 60_000)
})

/** The environment without what this very test run brought into it. */
function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const mine = /^(VITEST|BACKLOT_|NODE_OPTIONS|TEST$|NODE_ENV$)/
  const outside = Object.entries(process.env).filter(([name]) => !mine.test(name))
  return { ...Object.fromEntries(outside), NO_COLOR: '1', ...extra }
}

function run(command: string, args: string[], cwd: string, env = {}): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: environment(env) }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}
