import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openSimulation } from '../simulation/open-simulation.ts'
import { connectRaw } from './raw-client.ts'

const portOf = (url: string): number => Number(new URL(url).port)

it.each([
  ['no key', 'POST /v1/tasks', '', 401],
  ['an unknown path', 'POST /v1/nothing', '', 404],
])('refuses a request with %s before its body arrives', async (_, line, header, status) => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const client = await connectRaw(portOf(simulation.url))

  client.write(`${line} HTTP/1.1\r\nHost: a\r\n${header}Content-Length: 5000000\r\n\r\n{`)
  const answer = await client.until(/\r\n\r\n/)
  client.socket.destroy()

  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

it('waits for the body of a request that shows a key, however slowly it arrives', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const client = await connectRaw(portOf(simulation.url))
  const projects = (await (await simulation.call('/v1/projects')).json()) as { data: { id: string }[] }
  const body = JSON.stringify({ title: 'Slow', projectId: projects.data[0]?.id })

  client.write(
    `POST /v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${simulation.key}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  for (const character of body) {
    client.write(`1\r\n${character}\r\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  client.write('0\r\n\r\n')
  const answer = await client.until(/"Slow"/)
  client.socket.destroy()

  expect(answer).toMatch(/^HTTP\/1.1 201 /)
})

it('answers 503 with Retry-After past the bytes that bodies may take together, and frees them', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' }, { maxBufferedBytes: 100_000 })
  const port = portOf(simulation.url)
  const send = async (bytes: number) => {
    const client = await connectRaw(port)
    const head = `POST /v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${simulation.key}\r\n`
    client.write(`${head}Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n${' '.repeat(bytes)}`)
    return client
  }

  const both = await Promise.all([send(60_000), send(60_000)])
  const [refused, second, first] = await Promise.race(
    both.map(async (client, at) => [await client.until(/\r\n\r\n/), client, both[1 - at] ?? client] as const),
  )
  first.socket.destroy()
  await expect
    .poll(async () => {
      const client = await send(90_000)
      const answer = await client.until(/\r\n\r\n/)
      client.socket.destroy()
      return answer.slice(0, 12)
    })
    .toBe('HTTP/1.1 400')
  second.socket.destroy()

  expect(refused).toMatch(/^HTTP\/1.1 503 /)
  expect(refused.toLowerCase()).toContain('retry-after: 1\r\n')
})

it('refuses a management body by its depth while it arrives', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { service } = simulation
  const client = await connectRaw(portOf(service.url))
  const head = `POST /v1/simulations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.accountKey}\r\n`

  client.write(`${head}Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n{"a":"\\\\","b":"[[\\"[`)
  client.write(`[["${',[['.repeat(60)}`)
  const answer = await client.until(/levels deep/)
  client.socket.destroy()

  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toContain('Expected the body to be nested at most 100 levels deep, got more.')
})

it('refuses a management body by its names and values while it arrives', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { service } = simulation
  const ask = (body: string) =>
    fetch(`${service.url}/v1/simulations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
      body,
    })
  const names = Array.from({ length: 20_001 }, (_, at) => `"n${at}":1`)

  const wide = await ask(`{"volume":{${names.join(',')}}}`)
  const long = await ask(`{"seedRecords":{"a":[${'1,'.repeat(250_001)}`)

  expect([wide.status, long.status]).toEqual([400, 400])
  expect(await wide.text()).toContain('Expected each object of the body to have at most 20,000 names, got more.')
  expect(await long.text()).toContain('Expected the body to have at most 250,000 values, got more. Split it.')
})

it('reads brackets in strings, in several pieces, as text', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { service } = simulation
  const client = await connectRaw(portOf(service.url))
  const body = JSON.stringify({ name: `\\"${'[{'.repeat(90)}\\`, library: 'task-tracker' })
  const head = `POST /v1/simulations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.accountKey}\r\n`

  client.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`)
  for (const character of body) {
    client.write(character)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const answer = await client.until(/"id":/)
  client.socket.destroy()

  expect(answer).toMatch(/^HTTP\/1.1 201 /)
})

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('reads a body that a client compressed with %s', async (encoding, compress) => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const projects = (await (await simulation.call('/v1/projects')).json()) as { data: { id: string }[] }
  const sent = JSON.stringify({ title: 'Packed', projectId: projects.data[0]?.id })

  const answer = await simulation.call('/v1/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: compress(sent),
  })

  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ title: 'Packed' })
})

it.each([
  ['more than a body may have', 'gzip', gzipSync(Buffer.alloc(11_000_000)), 413, 'at most 10,485,760 bytes'],
  ['other bytes', 'gzip', Buffer.from('{}'), 400, 'Expected the body to be gzip'],
  ['an unknown encoding', 'zip', Buffer.from('{}'), 415, 'Expected `content-encoding` to be one of gzip'],
])('refuses a compressed body with %s', async (_, encoding, body, status, message) => {
  await using simulation = await openSimulation({ library: 'task-tracker' })

  const answer = await simulation.call('/v1/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body,
  })

  expect(answer.status).toBe(status)
  expect(await answer.text()).toContain(message)
})

it('counts what it decodes against the bytes that bodies may take together', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' }, { maxBufferedBytes: 1_000_000 })
  const body = gzipSync(' '.repeat(9_000_000))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const send = () => simulation.call('/v1/tasks', { method: 'POST', headers, body })
  const before = process.memoryUsage().arrayBuffers

  const sent = Promise.all(Array.from({ length: 20 }, send))
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }, 1)
  const answers = await sent
  clearInterval(watch)

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  expect(most).toBeLessThan(30_000_000)
})

it('decodes nothing for a request without a key', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })

  const answer = await fetch(`${simulation.url}/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: 'no gzip',
  })

  expect(answer.status).toBe(401)
})
