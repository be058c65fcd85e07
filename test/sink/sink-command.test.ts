import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import { getPreset, type PresetName } from '../../src/protocol/webhook-scheme/presets.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { signWebhook } from '../../src/sink/verify.ts'
import { CLI } from '../support/serve.ts'
import { makeBody, makeDelivery, SECRET } from './sink-client.ts'

const running = new Set<ChildProcess>()

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

/** `backlot sink` with these arguments, its lines read one by one. */
function run(...args: string[]) {
  const child = spawn(process.execPath, [CLI, 'sink', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  return {
    child,
    errors: () => errors,
    async line(): Promise<string> {
      const { value, done } = await lines.next()
      if (done) throw new Error(`Expected another line, got the end. ${errors}`)
      return value
    },
    async stop(): Promise<number | null> {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}

/** Posts a delivery to a sink of another process, trusting its authority. */
async function deliver(
  url: string,
  ca: string | undefined,
  change: Parameters<typeof makeDelivery>[0] = {},
): Promise<number> {
  const { headers, body } = makeDelivery(change)
  if (ca === undefined) {
    const signal = AbortSignal.timeout(5_000)
    return (await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body, signal })).status
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, ca, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

it('receives, verifies and prints webhooks, and lets others read and wait for them', async () => {
  const sink = run('--json', '--secret', SECRET)
  const { url, api, ca } = JSON.parse(await sink.line())

  const waiting = fetch(`${api}/received?type=task.*&wait=10s`).then((answer) => answer.json())
  const status = await deliver(url, ca)

  expect(status).toBe(200)
  const { data, complete, mark } = (await waiting) as { data: { rawBody: string }[]; complete: boolean; mark: number }
  expect({ data, complete, mark }).toMatchObject({
    complete: true,
    mark: 1,
    data: [{ type: 'task.created', verified: true, attempts: 1, data: { collection: 'tasks', id: 't_1' } }],
  })
  expect(Buffer.from(data[0]?.rawBody ?? '', 'base64').toString()).toBe(makeDelivery().body)
  expect(JSON.parse(await sink.line())).toMatchObject({ kind: 'received', type: 'task.created' })
  expect(await deliver(url, ca, { secret: 'another' })).toBe(401)
  expect(JSON.parse(await sink.line())).toMatchObject({ kind: 'rejected', reason: 'signature_mismatch' })
  expect(await (await fetch(`${api}/rejected`)).json()).toMatchObject({ data: [{ reason: 'signature_mismatch' }] })
  expect(await sink.stop()).toBe(0)
})

it('gives each webhook to one caller who claims, as many as asked for, and makes the next one wait', async () => {
  const sink = run('--json', '--secret', SECRET, '--no-tls')
  const { url, api } = JSON.parse(await sink.line())
  const read = async (query: string) => {
    const answer = await fetch(`${api}/received?${query}`)
    return (await answer.json()) as { data: { id: string }[]; complete: boolean }
  }
  for (const id of [1, 2, 3]) await deliver(url, undefined, { id: `00000000-0000-8000-8000-00000000000${id}` })

  const first = await read('claim=true&wait=5s')
  const both = await read('claim=true&count=2&wait=5s')
  const waiting = read('claim=true&wait=10s')
  const tooMany = await read('claim=true&count=2&wait=10ms')
  await deliver(url, undefined, { id: '00000000-0000-8000-8000-000000000004' })

  expect([first, both].map(({ data, complete }) => [data.length, complete])).toEqual([
    [1, true],
    [2, true],
  ])
  expect(tooMany).toMatchObject({ data: [], complete: false })
  expect(await waiting).toMatchObject({ data: [{}], complete: true })
  expect((await read('claim=false')).data).toHaveLength(4)
  expect(await sink.stop()).toBe(0)
})

it('prints aligned lines for people, and why a request was refused', async () => {
  const sink = run('--secret', SECRET, '--no-tls', '--token', '0123456789abcdef0123456789abcdef')
  const [register, read] = [await sink.line(), await sink.line()]
  const url = register.replace('Register', '').trim()
  const titles = [await sink.line(), await sink.line()][1] ?? ''

  await deliver(url, undefined)
  const received = await sink.line()
  await deliver(url, undefined, { t: 1 })
  const refused = await sink.line()

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/h\/0123456789abcdef0123456789abcdef$/)
  expect(read).toMatch(/^Read {9}http:\/\/127\.0\.0\.1:\d+\/[\da-f]{32}\/received/)
  for (const [title, cell] of [
    ['KIND', 'task.created'],
    ['RECORD', 'tasks/t_1'],
    ['ANSWER', '200'],
    ['VERDICT', 'verified'],
  ] as const) {
    expect(received.indexOf(cell)).toBe(titles.indexOf(title))
  }
  expect(refused).toMatch(/401 +timestamp_out_of_tolerance Failed to verify webhook/)
  expect(await sink.stop()).toBe(0)
})

it('takes secrets, replies and forwards while it runs', async () => {
  const forwarded: string[] = []
  const app = createServer(async (incoming, response) => {
    for await (const chunk of incoming) forwarded.push(String(chunk))
    response.writeHead(202).end()
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const { port } = app.address() as AddressInfo
  const folder = await mkdtemp(join(tmpdir(), 'backlot-'))
  const sink = run('--json', '--forward-to', `http://127.0.0.1:${port}/hooks`, '--ca-file', join(folder, 'ca.pem'))
  const { url, api, ca } = JSON.parse(await sink.line())
  const send = (path: string, body: unknown) =>
    fetch(`${api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  expect((await send('/secrets', { secret: SECRET, webhookId: 'w1' })).status).toBe(204)
  expect(await deliver(url, ca)).toBe(202)
  expect((await send('/replies', { status: 503, times: 1, type: 'task.*' })).status).toBe(204)
  expect(await deliver(url, ca, { id: '0f9c2f7a-3f0b-4f0e-8a55-000000000002' })).toBe(503)

  expect(forwarded).toEqual([makeDelivery().body, makeDelivery().body])
  expect(await readFile(join(folder, 'ca.pem'), 'utf8')).toBe(ca)
  expect(await (await fetch(`${api}/received?count=2`)).json()).toMatchObject({ data: [{ webhookId: 'w1' }, {}] })
  expect((await fetch(`${api}/received`, { method: 'DELETE' })).status).toBe(204)
  expect(await (await fetch(`${api}/received?wait=0ms`)).json()).toMatchObject({ data: [], complete: false })
  expect(await sink.stop()).toBe(0)
  app.close()
  await rm(folder, { recursive: true })
})

it('verifies as a provider signs, by a secret or by the public key of a pair', async () => {
  const sink = run('--json', '--no-tls', '--scheme', 'stripe', '--secret', SECRET)
  const { url, api } = JSON.parse(await sink.line()) as { url: string; api: string }
  const pair = makeSecret(getPreset('discord').scheme, (bytes) => systemRuntime.secret(bytes))
  const send = async (scheme: PresetName, secret: string, event: object) => {
    const { headers, rawBody } = signWebhook({ scheme, secret, rawBody: JSON.stringify(event), url })
    const type = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: Buffer.from(rawBody) })).status
  }
  const paid = { id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_1' } } }
  const registered = await fetch(`${api}/secrets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: pair.publicKey, scheme: 'discord' }),
  })

  expect(registered.status).toBe(204)
  expect(await send('stripe', SECRET, paid)).toBe(200)
  expect(await send('stripe', 'whsec_another', paid)).toBe(401)
  expect(await send('discord', pair.secret, { type: 1, event: { type: 'ENTITLEMENT_CREATE', data: {} } })).toBe(200)
  expect(await (await fetch(`${api}/received?count=2&wait=5s`)).json()).toMatchObject({
    data: [{ type: 'invoice.paid', data: { id: 'in_1' } }, { type: 'ENTITLEMENT_CREATE' }],
  })
  expect(await (await fetch(`${api}/rejected`)).json()).toMatchObject({ data: [{ reason: 'signature_mismatch' }] })
  expect(await sink.stop()).toBe(0)
})

it('prints control characters, marks of direction and newlines of a webhook as escapes', async () => {
  const record = 't_\u001b[2J\u202e\n\u009b1'
  const asJson = run('--json', '--no-tls', '--secret', SECRET)
  const asLines = run('--no-tls', '--secret', SECRET)
  const { url } = JSON.parse(await asJson.line()) as { url: string }
  const register = await asLines.line()
  for (let at = 0; at < 3; at++) await asLines.line()

  await deliver(url, undefined, { body: makeBody({ recordId: record }) })
  await deliver(register.replace('Register', '').trim(), undefined, { body: makeBody({ recordId: record }) })

  const json = await asJson.line()
  expect(json).toContain('t_\\u001b[2J\\u202e\\n\\u009b1')
  expect(JSON.parse(json)).toMatchObject({ data: { id: record } })
  expect(await asLines.line()).toContain('t_\\u001b[2J\\u202e\\n\\u009b1')
})

it('answers targets that are no path with 404', async () => {
  const sink = run('--json', '--no-tls', '--secret', SECRET)
  const { api } = JSON.parse(await sink.line()) as { api: string }
  const { hostname, port, pathname } = new URL(api)
  const headers = { authorization: `Bearer ${pathname.slice(1)}` }

  const statuses: (number | undefined)[] = []
  for (const path of ['//', '//received', 'http://other.example/received']) {
    const outgoing = plainRequest({ hostname, port, path, headers }).end()
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    statuses.push(answer.resume().statusCode)
  }

  expect(statuses).toEqual([404, 404, 404])
})

it('answers what it cannot read with a reason', async () => {
  const sink = run('--json', '--secret', SECRET)
  const { api } = JSON.parse(await sink.line())
  const answers = []

  for (const path of [
    '/received?wait=soon',
    '/received?count=0',
    '/received?type=task*',
    '/received?typ=task.*',
    '/elsewhere',
  ]) {
    const answer = await fetch(`${api}${path}`)
    const { error } = (await answer.json()) as { error: { message: string } }
    answers.push(`${answer.status} ${error.message}`)
  }

  expect(answers).toEqual([
    '400 Expected `wait` to be a time of at most 10m, such as 5s or 500ms, got soon.',
    '400 Expected `count` to be a whole number of at least 1, got 0.',
    '400 Expected `type` to be an exact kind, `task.*` or `*`, got task*.',
    '400 Expected the query to be some of type, collection, id, count, since, claim, wait, got "typ". Did you mean "type"?',
    "404 Expected one of the sink's addresses, got GET /elsewhere.",
  ])
  expect(await sink.stop()).toBe(0)
})

it.each([
  [['--tls-cert', 'x'], 2, 'error: --tls-cert and --tls-key belong together.'],
  [['--listen', 'nonsense'], 1, 'Failed to start the sink: Expected `listen` to be host:port, got nonsense.'],
  [['--scheme', 'strype'], 2, 'Did you mean "stripe"?'],
  [['--token', 'short'], 1, 'Expected `token` to be 32 hexadecimal digits, got short.'],
])('says what is wrong with %j', async (args, code, message) => {
  const sink = run(...args)

  const [exitCode] = await once(sink.child, 'exit')

  expect(exitCode).toBe(code)
  expect(sink.errors()).toContain(message)
})

it('opens its API to programs that have the token alone', async () => {
  const token = 'a-token-of-this-test'
  const sink = run('--json', '--no-tls', '--secret', SECRET, '--api-token', token)
  const { api } = JSON.parse(await sink.line()) as { api: string }
  const { origin, host } = new URL(api)
  const get = (url: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      plainRequest(url, { headers, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
  const post = async (type: string) =>
    (await fetch(`${api}/secrets`, { method: 'POST', headers: { 'content-type': type }, body: '{"secret":"whsec_x"}' }))
      .status

  expect(api).toBe(`http://${host}/${token}`)
  expect(await get(`${api}/received`)).toBe(200)
  expect(await get(`${origin}/received`, { authorization: `Bearer ${token}` })).toBe(200)
  expect(await get(`${api}/received`, { host: 'localhost:80' })).toBe(200)
  expect(await get(`${origin}/received`)).toBe(401)
  expect(await get(`${origin}/a-token-of-this-tesT/received`)).toBe(401)
  expect(await get(`${api}/received`, { host: 'rebound.example' })).toBe(403)
  expect(await get(`${api}/received`, { origin: 'https://evil.example' })).toBe(403)
  expect(await get(`${api}/received`, { origin: 'null' })).toBe(403)
  expect(await get(`${api}/received`, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await post('text/plain')).toBe(415)
  expect(await post('application/json')).toBe(204)
})
