import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { runCommand } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serve = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(['serve', ...args], env, folder)

it('takes every flag from the environment too', async () => {
  const { stdout } = await runCommand(process.execPath, [CLI, 'serve', '--help-all'], { cwd: folder })

  const flags = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help-all')
  const variables = [...stdout.matchAll(/env:\s+(BACKLOT_[A-Z_]+)/g)].map(([, name = '']) => name)
  expect(flags.length).toBeGreaterThan(20)
  expect(variables).toEqual(flags.map((name) => `BACKLOT_${name.replaceAll('-', '_').toUpperCase()}`))
})

it('finds nothing wrong and makes nothing', async () => {
  const env = {
    BACKLOT_PORT: '0',
    BACKLOT_OPS_PORT: '0',
    BACKLOT_CHECK: 'true',
    BACKLOT_HTTPS: '0',
    BACKLOT_DOMAIN: '',
    BACKLOT_STORE: 'new.db',
  }

  const [found, listed] = [await serve(['task-tracker', 'crm'], env), await runCommand('ls', ['-A'], { cwd: folder })]

  expect([found.exitCode, found.stderr]).toEqual([0, ''])
  expect(found.stdout).toMatch(/^ok +The service would be at http:\/\/127.0.0.1:\d+, for operators at http:/)
  expect(found.stdout).toContain('It would have the simulation "crm".')
  expect(found.stdout).toContain('The store "new.db" is not there yet: the start makes it.')
  expect(listed.stdout).not.toContain('new.db')
})

it('says everything that is wrong, and exits with 1', async () => {
  writeFileSync(join(folder, 'other.db'), 'no database, but a text that is as long as the head of one. '.repeat(20))
  writeFileSync(join(folder, 'accounts.json'), JSON.stringify({ accounts: [{ name: 'a' }, { name: 'a' }] }))

  const args = ['--port', '0', '--check', '--json']
  const [file, names, database] = await Promise.all([
    serve([...args, '--store', 'other.db', '--domain', 'http://sim.test']),
    serve([...args, '--store', 'new.db', '--config', 'accounts.json']),
    serve([...args, '--store', 'postgres://user:hidden@127.0.0.1:9/backlot']),
  ])

  expect([file.exitCode, names.exitCode, database.exitCode]).toEqual([1, 1, 1])
  expect(JSON.parse(file.stdout).problems).toEqual([
    expect.stringContaining('Expected `domain` to be a host name'),
    expect.stringContaining('Failed to open the store "other.db"'),
  ])
  expect(JSON.parse(names.stdout).problems).toEqual([expect.stringContaining('got "a" twice')])
  expect(JSON.parse(database.stdout).problems).toEqual([expect.stringContaining('ECONNREFUSED')])
  expect(database.output).not.toContain('hidden')
})

it('refuses a switch that is neither on nor off, and what it cannot do', async () => {
  const [odd, host, delay] = await Promise.all([
    serve([], { BACKLOT_HTTPS: 'maybe' }),
    serve(['--ops-host', '0.0.0.0']),
    serve(['--drain-delay', '301']),
  ])

  expect([odd, host, delay].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
  expect(odd.stderr).toContain('expected BACKLOT_HTTPS to be 1 or 0, got "maybe"')
  expect(host.stderr).toContain('--ops-host needs --ops-port')
  expect(delay.stderr).toContain('Expected seconds from 0 to 300.')
})
