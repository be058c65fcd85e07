import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import Stripe from 'stripe'
import { expect, it, onTestFinished } from 'vitest'
import { cleanEnvironment } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

interface Action {
  runs: { steps: { run: string; env: Record<string, string> }[] }
}

/** Runs the step of `action.yml` as GitHub does. */
async function runAction(inputs: Record<string, string>): Promise<{ code: number; env: string; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-action-'))
  const action = load(await readFile(new URL('../../action.yml', import.meta.url), 'utf8')) as Action
  const [step] = action.runs.steps
  const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output') }
  for (const file of Object.values(files)) await writeFile(file, '')
  const given = Object.entries(step?.env ?? {}).map(([name, text]) => {
    const [, input = ''] = /inputs\.(\w+)/.exec(text) ?? []
    return [name, inputs[input] ?? '']
  })
  const env = { ...cleanEnvironment(), ...Object.fromEntries(given), ...files, RUNNER_TEMP: folder }
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? '']
  const child = spawn('bash', shell, { env, detached: true, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number]
  onTestFinished(async () => {
    // The service that the step leaves behind is in its group.
    if (code === 0) process.kill(-(child.pid ?? 0))
    await rm(folder, { recursive: true })
  })
  return { code, env: await readFile(files.GITHUB_ENV, 'utf8'), output: await readFile(files.GITHUB_OUTPUT, 'utf8') }
}

const command = `${process.execPath} ${CLI}`

it('starts the simulations, and leaves addresses and keys to later steps', async () => {
  const { env, output } = await runAction({ command, simulations: 'stripe github', options: '--port 0 --seed 7' })

  const { simulations } = JSON.parse(output.replace('ready=', '')) as { simulations: { url: string }[] }
  const { hostname, port } = new URL(simulations[0]?.url ?? '')
  const { data } = await new Stripe('sk_test_backlot', { host: hostname, port, protocol: 'http' }).customers.list()

  expect(data).toEqual([])
  expect(env.replaceAll(/=.*/g, '').trim().split('\n')).toEqual([
    'BACKLOT_URL',
    'BACKLOT_ACCOUNT_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_URL',
    'GITHUB_URL',
  ])
})

it('fails where a simulation cannot be started', async () => {
  const { code, env } = await runAction({ command, simulations: 'serve no-such-entry' })

  expect(code).toBe(1)
  expect(env).toBe('')
})
