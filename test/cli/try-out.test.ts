import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hasPseudoTerminal, spawnInTerminal } from '../support/pseudo-terminal.ts'
import { cleanEnvironment, runCommand } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

const PATHS = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
`
const pathOf = (name: string) => `  /${name}:\n    get: { responses: { 200: { description: ok } } }\n`

it.skipIf(!hasPseudoTerminal)(
  'starts in a terminal, copies a line by its number, and reloads a description with address and key',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backlot-try-out-'))
    const file = join(folder, 'shop.yaml')
    await writeFile(file, PATHS + pathOf('carts'))
    const env = cleanEnvironment({ XDG_CACHE_HOME: folder })
    const words = [process.execPath, CLI, file, 'stripe', '--watch', '--port', '0']
    const child = spawnInTerminal(words, { env, cwd: folder })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true })
    })
    let shown = ''
    child.stdout?.on('data', (text) => {
      shown += text
    })
    const run = (...args: string[]) => runCommand(process.execPath, [CLI, ...args], { cwd: folder, env })

    await expect.poll(() => shown).toContain('Stop it with Ctrl-C')
    const [, address = ''] = /shop +(http\S+)/.exec(shown) ?? []
    const get = (path: string) => fetch(`${address}/${path}`, { headers: { authorization: 'Bearer of-my-env-file' } })
    child.stdin?.write('2')
    await expect.poll(() => shown).toMatch(/\]52;c;[\w+/=]+/)
    const [, copied = ''] = /\]52;c;([\w+/=]+)/.exec(shown) ?? []
    const variables = await run('env', 'shop')
    const unknown = await run('env', 'shpo')
    const listed = await run('list', '--json')
    await writeFile(file, `${PATHS}  /carts: [`)
    await expect
      .poll(() => shown)
      .toContain('Not reloaded, shop.yaml: Failed to read the description as YAML at line 4')
    const before = await get('carts')
    await writeFile(file, PATHS + pathOf('orders'))
    await expect.poll(() => shown).toContain('Reloaded: shop.yaml changed.')
    const [gone, added] = [await get('carts'), await get('orders')]
    child.stdin?.write('\u0003')

    expect(Buffer.from(copied, 'base64').toString()).toMatch(/^new Stripe\('sk_test_backlot', /)
    expect(variables.stdout).toBe(`export SHOP_URL=${address}\nexport SHOP_KEY=backlot\n`)
    expect(unknown.stderr).toContain('the simulation "shpo": it does not run. Did you mean "shop"?')
    expect(JSON.parse(listed.stdout).data.map(({ slug }: { slug: string }) => slug)).toEqual(['shop', 'stripe'])
    expect([before.status, gone.status, added.status]).toEqual([200, 404, 200])
    expect(shown.replaceAll('\r', '')).toContain('  - GET /carts: example\n  + GET /orders: example\n')
    expect(await ended).toBe(0)
    expect((await run('env')).stderr).toContain('Start one: `npx backlot stripe`.')
  },
)

it.each([
  [['stripe', '--watch'], '--watch needs a file or a folder'],
  [['./package.json', '--watch', '--store', 'x.db'], '--watch and --store exclude each other'],
  [
    ['stripe', '--epoch', 'yesterday'],
    'Expected an ISO 8601 date and time with its offset, such as 2026-01-01T00:00:00Z.',
  ],
])('refuses %s', async (args, message) => {
  const { exitCode, stderr } = await runCommand(process.execPath, [CLI, ...args], { cwd: process.cwd() })

  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
})
