import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type http from 'node:http'
import https from 'node:https'
import { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { startService } from '../../src/service.ts'

const run = promisify(execFile)
const has = (command: string) => spawnSync(command, ['--version']).status === 0

const spec = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.pets.test/v1' }, { url: 'https://files.pets.test/v1' }],
  security: [],
  paths: {
    '/pets': {
      get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: list() } } } } },
      post: { responses: { 201: { description: 'made', content: { 'application/json': { schema: pet() } } } } },
    },
    '/pets/{id}': {
      get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: pet() } } } } },
    },
  },
}

function pet() {
  return { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
}

function list() {
  return { type: 'array', items: pet() }
}

/** The status and the body of an answer, by a client with an agent of its own. */
async function ask(url: string): Promise<[number | undefined, string]> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    https.get(url, { agent: new https.Agent({ keepAlive: false }) }, resolve).on('error', reject)
  })
  return [answer.statusCode, await text(answer)]
}

it('answers at the names of the servers of a description, which the log shows', async () => {
  await using pets = await createSimulation({ spec }, { hosts: true })
  const headers = { 'content-type': 'application/json' }

  const made = await fetch('https://api.pets.test/v1/pets', { method: 'POST', headers, body: '{"name":"Rex"}' })
  const read = await ask('https://files.pets.test/v1/pets')

  expect(made.status).toBe(201)
  expect(read[1]).toContain('Rex')
  expect((await pets.requests()).at(-1)?.headers.host).toBe('api.pets.test')
})

it('leads the links of answers to its names', async () => {
  await using github = await createSimulation('github', { hosts: true })
  const headers = { authorization: `Bearer ghp_${github.key}` }

  const page = await fetch('https://api.github.com/users?per_page=1', { headers })
  const [user] = (await page.json()) as [{ url: string }]
  const read = await fetch(user.url, { headers })

  expect(page.headers.get('link')).toMatch(/<https:\/\/api\.github\.com\/users\?.*>; rel="next"/)
  expect(read.status).toBe(200)
})

it('answers a sign-in at each of its names, with the issuer that clients expect', async () => {
  await using _google = await createSimulation('google', { hosts: true })

  const answer = await fetch('https://accounts.google.com/.well-known/openid-configuration')

  expect(await answer.json()).toMatchObject({
    issuer: 'https://accounts.google.com',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  })
})

it('answers at given names, below the path of each', async () => {
  const hosts = { 'api.acme.test': '', 'pets.acme.test': '/v1' }
  await using _pets = await createSimulation({ spec }, { hosts })

  const statuses = await Promise.all(
    ['https://pets.acme.test/pets', 'https://api.acme.test/v1/pets', 'http://api.acme.test/v1/pets'].map(
      async (url) => (await fetch(url)).status,
    ),
  )

  expect(statuses).toEqual([200, 200, 200])
})

it('refuses every other name with a sentence, and leaves this machine alone', async () => {
  await using pets = await createSimulation({ spec }, { hosts: true })

  const refused = await fetch('https://api.elsewhere.test/')
  const byAgent = await ask('https://api.elsewhere.test/')
  const local = await fetch(`${pets.url}/v1/pets`)

  expect(refused.status).toBe(502)
  expect(await refused.text()).toMatch(
    /Failed to reach api\.elsewhere\.test: only api\.pets\.test, files\.pets\.test leads to a simulation here/,
  )
  expect(byAgent[0]).toBe(502)
  expect(local.status).toBe(200)
})

it('undoes everything when the last simulation with host names is gone', async () => {
  const { connect } = Socket.prototype
  const before = getCACertificates('default')
  const pets = await createSimulation({ spec }, { hosts: true })
  const stripe = await createSimulation('stripe', { hosts: true })
  await pets.delete()
  const refused = await fetch('https://api.pets.test/v1/pets')
  const { NODE_EXTRA_CA_CERTS: file = '' } = stripe.hostsEnv
  await stripe.delete()

  expect(refused.status).toBe(502)
  expect(Socket.prototype.connect).toBe(connect)
  expect(getCACertificates('default')).toEqual(before)
  expect(() => readFileSync(file)).toThrow('ENOENT')
  expect(() => stripe.hostsEnv).not.toThrow()
})

it('refuses a name that another simulation has, and names both', async () => {
  await using _stripe = await createSimulation('stripe', { hosts: true })

  const second = createSimulation({ spec }, { hosts: ['api.stripe.com'] })

  await expect(second).rejects.toThrow(
    'Failed to give api.stripe.com to simulation "Pets": simulation "stripe" answers there.',
  )
})

it.each([
  ['a description without servers', { ...spec, servers: [] }, true, "Pass them: `hosts: ['api.acme.test']`"],
  ['an address', spec, ['https://api.acme.test'], 'Expected `hosts` to be true or host names'],
] as const)('refuses %s', async (_, given, hosts, message) => {
  await expect(createSimulation({ spec: given }, { hosts: hosts as true })).rejects.toThrow(message)
})

it('says where its variables come from without host names', async () => {
  await using pets = await createSimulation({ spec })

  expect(() => pets.hostsEnv).toThrow('Create it with `{ hosts: true }`')
})

it('answers an application that is started separately', async () => {
  await using stripe = await createSimulation('stripe', { hosts: true })
  const script = `
    import Stripe from 'stripe'
    const { email } = await new Stripe('sk_test_${stripe.key}').customers.create({ email: 'a@x.test' })
    const other = await fetch('https://api.elsewhere.test')
    process.stdout.write(email + " " + other.status)`
  const env = { ...process.env, ...stripe.hostsEnv }

  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })

  expect(stdout).toBe('a@x.test 502')
})

it.skipIf(!has('python3') || !has('curl'))('answers programs in other languages, by the proxy', async () => {
  await using pets = await createSimulation({ spec }, { hosts: true })
  const script = `
import urllib.request, urllib.error
print(urllib.request.urlopen('https://api.pets.test/v1/pets').status)
try: urllib.request.urlopen('https://api.elsewhere.test')
except urllib.error.URLError as error: print(error)`

  const env = { ...process.env, ...pets.hostsEnv }
  const { stdout } = await run('python3', ['-c', script], { env })
  const byCurl = await run('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', 'https://api.pets.test/v1/pets'], {
    env,
  })

  expect(stdout).toMatch(/^200\n.*502 Bad Gateway/)
  expect(byCurl.stdout).toBe('200')
})

it('answers for simulations of a hosted service', async () => {
  await using service = await startService({ addresses: 'path' })
  const { url: baseUrl, accountKey } = service
  await using stripe = await createSimulation('stripe', { hosts: true, service: { baseUrl, accountKey } })

  const { object } = await new Stripe(`sk_test_${stripe.key}`).customers.list()

  expect(object).toBe('list')
})

it('answers https simulations, and passes on connection faults', async () => {
  await using pets = await createSimulation({ spec }, { hosts: true, https: true })
  await pets.resetConnections({ pathPattern: '/v1/pets', times: 1 })

  await expect(fetch('https://api.pets.test/v1/pets')).rejects.toThrow('fetch failed')

  expect((await fetch('https://api.pets.test/v1/pets')).status).toBe(200)
})
