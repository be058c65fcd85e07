import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { expect, it, onTestFinished } from 'vitest'
import { COMMANDS, expandShortForm } from '../../src/cli/short-form.ts'
import { listEntries } from '../../src/library/built-in-entries.ts'
import { firstLine, startCli } from '../conformance/served-target.ts'
import { cleanEnvironment } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

const DIST = new URL('../../dist', import.meta.url).pathname

interface Ready {
  simulations: { slug: string; url: string; apiKey: string; connect: string; env: Record<string, string> }[]
  hostsEnv: Record<string, string>
}

async function start(...args: string[]): Promise<Ready> {
  const child = startCli([...args, '--json', '--port', '0'])
  onTestFinished(() => void child.kill())
  return JSON.parse(await firstLine(child)) as Ready
}

const run = (...args: string[]) =>
  spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env: cleanEnvironment() })

it('has no command with the name of a library entry, and knows all commands', async () => {
  const slugs = (await listEntries()).map(({ slug }) => slug)
  const help = run('--help').stdout

  const commands = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)

  expect(commands).toContain('serve')
  expect(slugs.filter((slug) => COMMANDS.includes(slug))).toEqual([])
  expect(COMMANDS).toEqual(expect.arrayContaining(commands))
})

it('takes an entry, a file or a folder for a source, and nothing else', () => {
  const first = (...words: string[]) => expandShortForm(words, DIST)[0]

  expect([first('stripe'), first('package.json'), first('./test')]).toEqual(['serve', 'serve', 'serve'])
  expect([first('--port', '4010', 'crm'), first('--port', '4010')]).toEqual(['serve', '--port'])
  expect([first('list'), first('--help'), first('no-such-entry'), first()]).toEqual([
    'list',
    '--help',
    'no-such-entry',
    undefined,
  ])
})

it('starts simulations on ports of their own, with any test key, and prints the line that connects each SDK', async () => {
  const { simulations } = await start('stripe', 'github')
  const [stripe, github] = simulations
  const { hostname, port } = new URL(stripe?.url ?? '')

  const customer = await new Stripe('sk_test_backlot', { host: hostname, port, protocol: 'http' }).customers.create()
  const [other, live] = await Promise.all(
    ['sk_test_51HabcDEF', 'sk_live_51HabcDEF'].map(async (key) => {
      const answer = await fetch(`${stripe?.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } })
      return answer.status
    }),
  )

  expect(customer.object).toBe('customer')
  expect([other, live]).toEqual([200, 401])
  expect(stripe).toMatchObject({
    apiKey: 'sk_test_backlot',
    connect: `new Stripe('sk_test_backlot', { host: '127.0.0.1', port: ${port}, protocol: 'http' })`,
    env: { STRIPE_SECRET_KEY: 'sk_test_backlot' },
  })
  expect(github?.connect).toBe(`new Octokit({ auth: 'ghp_backlot', baseUrl: '${github?.url}' })`)
})

it('finds other ports where another one starts at the same moment', async () => {
  const children = ['stripe', 'crm'].map((source) => startCli([source, '--json']))
  onTestFinished(() => children.forEach((child) => void child.kill()))

  const started = await Promise.all(children.map(async (child) => JSON.parse(await firstLine(child)) as Ready))

  expect(new Set(started.flatMap(({ simulations }) => simulations.map(({ url }) => url))).size).toBe(2)
})

it('prints the issuer of each sign-in, where its configuration is', async () => {
  const { simulations } = await start('oidc', 'google', 'okta', 'auth0', 'apple', 'microsoft')

  const issuers = simulations.flatMap(({ env }) => Object.values(env))
  const found = await Promise.all(
    issuers.map(async (issuer) => {
      const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return ((await answer.json()) as { issuer: string }).issuer
    }),
  )

  expect(found).toHaveLength(6)
  expect(found).toEqual(issuers)
  expect(simulations.map(({ connect }) => connect.includes('url'))).not.toContain(true)
})

it('prints the variables of real host names, with which an application needs no address', async () => {
  const { simulations, hostsEnv } = await start('serve', '--hosts', 'stripe,github')
  const script = `
    const headers = { authorization: 'Bearer ${simulations[0]?.apiKey}' }
    const answer = await fetch('https://api.stripe.com/v1/customers', { headers })
    const other = await fetch('https://api.elsewhere.test')
    process.stdout.write(answer.status + ' ' + other.status)`

  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, ...hostsEnv },
  })

  expect(stdout).toBe('200 502')
  expect(readFileSync(hostsEnv.SSL_CERT_FILE ?? '', 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/)
})

it.each([
  [['--any-key', '--host', '0.0.0.0'], '--any-key needs a --host on loopback, got 0.0.0.0'],
  [['--hosts', '--host', '0.0.0.0'], '--hosts needs a --host on loopback, got 0.0.0.0'],
  [['--ports', '--store', 'x.db'], '--ports and --store exclude each other'],
])('refuses serve %s', (args, message) => {
  const { status, stderr } = run('serve', 'stripe', ...args)

  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

it('ends when two simulations have the same host name, and names both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-hosts-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const paths = { '/pets': { get: { responses: { 200: { description: 'ok' } } } } }
  const info = { title: 'Pets', version: '1' }
  const description = { openapi: '3.1.0', info, servers: [{ url: 'https://api.stripe.com' }], paths }
  await writeFile(join(folder, 'pets.json'), JSON.stringify(description))

  const { status, stderr } = run('stripe', join(folder, 'pets.json'), '--hosts', '--port', '0')

  expect(status).toBe(1)
  expect(stderr).toContain('Failed to give api.stripe.com to simulation "pets": simulation "stripe" answers there.')
})

it.each([
  ['strype', 'unknown command \'strype\', and no entry, file or folder. Did you mean "stripe"?'],
  ['serv', 'Did you mean "serve"?'],
])('refuses the unknown word %s with the nearest one', (word, message) => {
  const { status, stderr } = run(word)

  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

it('shows what there is without a command', () => {
  const { stdout, status } = run()

  expect(status).toBe(0)
  expect(stdout).toMatch(/npx backlot stripe github .*\n(?:.*\n)*Library: .*clerk, crm, .*stripe/)
})
