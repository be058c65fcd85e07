import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { CLI, serve } from '../support/serve.ts'

const root = join(import.meta.dirname, '../..')
const examples = join(root, 'examples')
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const hasPython = has('python3', '--version')
const hasPytest = hasPython && has('python3', '-m', 'pytest', '--version')

/** Runs the tests without pytest: its fixtures are generators. */
const WITHOUT_PYTEST = `
import contextlib, backlot, test_billing
with contextlib.contextmanager(backlot.running_service)() as service:
    for test in [test for name, test in vars(test_billing).items() if name.startswith("test_")]:
        with contextlib.contextmanager(backlot.made_simulations)(service) as simulate:
            test(simulate)
        assert service.list_simulations()["data"] == [], "Simulations are left."
`

it('has a client for Python with the methods of the management API', async () => {
  const { output } = await runCommand(process.execPath, ['scripts/python-client.ts', '--check'], { cwd: root })

  expect(output).toBe('')
})

it.runIf(hasPython)('has tests in Python that start a service, and leave none', async () => {
  const command = `${process.execPath} ${CLI} serve --json --port 0 --allow-private-webhooks 127.0.0.1/32`
  const env = { BACKLOT_COMMAND: command, PYTHONDONTWRITEBYTECODE: '1' }
  const args = hasPytest ? ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'] : ['-c', WITHOUT_PYTEST]

  const { exitCode, output } = await runCommand('python3', args, { cwd: join(examples, 'python'), env })

  expect(exitCode, output).toBe(0)
})

it.runIf(has('go', 'version'))('has a test in Go that passes', async () => {
  await using served = await serve()

  const { exitCode, output } = await runCommand('go', ['test', './...'], { cwd: join(examples, 'go'), env: served.env })

  expect(exitCode, output).toBe(0)
})

it.runIf(has('ruby', '--version'))('has a test in Ruby that passes', async () => {
  await using served = await serve()

  const { exitCode, output } = await runCommand('ruby', ['billing.rb'], {
    cwd: join(examples, 'ruby'),
    env: served.env,
  })

  expect(exitCode, output).toBe(0)
})
