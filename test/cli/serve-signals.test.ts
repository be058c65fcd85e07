import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { firstLine, startCli } from '../conformance/served-target.ts'
import { cleanEnvironment } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-signals-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A configuration whose module computes without end as soon as `start()` was called, which resolves when it does. */
async function configThatComputes(work: string): Promise<{ config: string; start: () => Promise<void> }> {
  const folder = await folderForTest()
  const [config, go, busy] = ['config.mjs', 'go', 'busy'].map((name) => join(folder, name)) as [string, string, string]
  await writeFile(
    config,
    `import { existsSync, writeFileSync } from 'node:fs'
    const wait = setInterval(() => {
      if (!existsSync(${JSON.stringify(go)})) return
      clearInterval(wait)
      writeFileSync(${JSON.stringify(busy)}, '')
      ${work}
    }, 5)
    export default {}`,
  )
  const start = async () => {
    await writeFile(go, '')
    await expect.poll(() => existsSync(busy)).toBe(true)
  }
  return { config, start }
}

/** The exit code of a child; null after a signal. */
const endOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))

const LOOP = 'for (;;) {}'
const PATTERN = "void /^(a+)+$/.test('a'.repeat(60) + 'b')"
/** V8 cannot interrupt it, unlike all that is written in JavaScript. */
const SYSTEM_CALL = "process.getBuiltinModule('node:crypto').pbkdf2Sync('a', 'b', 2 ** 31 - 1, 64, 'sha512')"

it('ends at SIGTERM whatever it computes', async () => {
  const ends = await Promise.all(
    [LOOP, PATTERN, SYSTEM_CALL].map(async (work) => {
      const { config, start } = await configThatComputes(work)
      const child = startCli(['serve', '--json', '--port', '0', '--config', config])
      onTestFinished(() => void child.kill('SIGKILL'))
      await firstLine(child)
      await start()
      child.kill('SIGTERM')
      return endOf(child)
    }),
  )

  // Without an answer in time the process is killed: the third one always, the others where the machine is very busy.
  for (const end of ends) expect([0, null]).toContain(end)
})

it('undoes a fast-forward at SIGTERM, and answers it', async () => {
  const child = startCli(['serve', '--json', '--port', '0', 'task-tracker'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const { url, accountKey, simulations } = JSON.parse(await firstLine(child))
  const call = (method: string, path: string, body: object) =>
    fetch(`${url}/v1/simulations/${simulations[0].id}${path}`, {
      method,
      headers: { authorization: `Bearer ${accountKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const rules = [{ everySeconds: 60, steps: [{ kind: 'touch', collection: 'tasks', count: 20 }] }]
  await call('PUT', '/behaviour', { rules })
  const turned = call('POST', '/fast-forward', { hours: 720 }).then(async (answer) => [
    answer.status,
    await answer.json(),
  ])
  await fetch(`${url}/healthz`)

  child.kill('SIGTERM')

  const message = 'Failed to fast-forward: the service was stopped meanwhile, so nothing was changed.'
  expect(await turned).toEqual([400, { error: expect.objectContaining({ code: 'bad_request', message }) }])
  expect(await endOf(child)).toBe(0)
})

it('ends with 0 on two signals at once, as npm and a terminal send them', async () => {
  const child = startCli(['serve', '--json', '--port', '0'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await firstLine(child)

  child.kill('SIGINT')
  child.kill('SIGINT')

  expect(await endOf(child)).toBe(0)
})

it('ends with 1 and says why where its own code fails', async () => {
  const { config, start } = await configThatComputes("throw new Error('a fault of the configuration')")
  const child = spawn(process.execPath, [CLI, 'serve', '--json', '--port', '0', '--config', config], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (bytes) => {
    errors += bytes
  })
  await firstLine(child)
  const end = endOf(child)

  await start()

  expect(await end).toBe(1)
  expect(errors).toContain('Error: a fault of the configuration')
})

it('prints help and wrong usage whole, as every command does', async () => {
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [CLI, 'serve', ...args], { env: cleanEnvironment() })
    let [output, errors] = ['', '']
    child.stdout.on('data', (bytes) => {
      output += bytes
    })
    child.stderr.on('data', (bytes) => {
      errors += bytes
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { code, output, errors }
  }
  const [help, wrong] = await Promise.all([run('--help'), run('--prot', '1')])

  expect(help).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringMatching(/^Usage: backlot serve(.|\n)*--json/),
  })
  expect(wrong.code).toBe(2)
  expect(wrong.errors).toMatch(
    /^error: unknown option '--prot'\n\(Did you mean --port\?\)\nRun `npx backlot serve --help`/,
  )
})

it('ends quietly when the reader of its lines has left', async () => {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (bytes) => {
    errors += bytes
  })
  child.stdout.destroy()

  const code = await endOf(child)

  expect([code, errors]).toEqual([0, ''])
})

it('names the variable that its key comes from', async () => {
  const env = { ...cleanEnvironment(), BACKLOT_ACCOUNT_KEY: 'key-of-an-earlier-service' }
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { env })
  let lines = ''

  for await (const bytes of child.stdout) {
    lines += bytes
    if (lines.includes('Ctrl-C')) child.kill()
  }

  expect(lines).toContain('account key  key-of-an-earlier-service, from BACKLOT_ACCOUNT_KEY\n')
})
