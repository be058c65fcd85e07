import { expect, it, onTestFinished } from 'vitest'
import { startSinkApi } from '../../src/cli/sink-api.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { openSimulation } from '../simulation/open-simulation.ts'
import { connectRaw } from './raw-client.ts'

const portOf = (url: string): number => Number(new URL(url).port)
const BODY = JSON.stringify({ library: 'task-tracker' })

it.each([
  ['the management API', 'service', 'POST /v1/simulations', 401],
  ['a simulated API', 'simulation', 'POST /v1/tasks', 401],
  ['a path that no API has', 'simulation', 'POST /v1/nothing', 404],
])('asks for no body without a key: %s', async (_, target, line, status) => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const client = await connectRaw(portOf(target === 'service' ? simulation.service.url : simulation.url))

  client.write(`${line} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n`)
  const { text } = await client.ended

  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(text).toMatch(/\r\nconnection: close\r\n/i)
})

it.each([
  ['the management API', 'service', 'POST /v1/simulations', 33 * 1024 * 1024],
  ['a simulated API', 'simulation', 'POST /v1/tasks', 11 * 1024 * 1024],
])('asks for no body that is too long: %s', async (_, target, line, length) => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const isManaged = target === 'service'
  const client = await connectRaw(portOf(isManaged ? simulation.service.url : simulation.url))
  const key = isManaged ? simulation.service.accountKey : simulation.key

  client.write(
    `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
  )
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 413 /)
})

it('asks for the body once the key is right, and keeps the connection', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { service } = simulation
  const client = await connectRaw(portOf(service.url))
  const head = `Host: a\r\nAuthorization: Bearer ${service.accountKey}\r\n`

  client.write(
    `POST /v1/simulations HTTP/1.1\r\n${head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  )
  await client.until(/^HTTP\/1.1 100 Continue\r\n\r\n$/)
  client.write(BODY)
  await client.until(/HTTP\/1.1 201 /)
  client.write(`GET /v1/simulations HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
  const { text } = await client.ended

  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201', 'HTTP/1.1 200'])
})

it('takes a body that comes without being asked for', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const { service } = simulation
  const client = await connectRaw(portOf(service.url))

  client.write(
    `POST /v1/simulations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.accountKey}\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  )
  const { text } = await client.ended

  expect(text).toMatch(/HTTP\/1.1 201 /)
})

it('answers 417 to what it cannot meet, and takes nothing more from the connection', async () => {
  await using simulation = await openSimulation({ library: 'task-tracker' })
  const client = await connectRaw(portOf(simulation.url))

  client.write('POST /v1/tasks HTTP/1.1\r\nHost: a\r\nExpect: a-pony\r\nContent-Length: 38\r\n\r\n')
  client.write('GET /v1/projects HTTP/1.1\r\nHost: a\r\n\r\n')
  const { text } = await client.ended

  expect(text).toMatch(/^HTTP\/1.1 417 Expectation Failed\r\n/)
  expect(text).toContain('"code":"invalid_request"')
  expect(text.match(/HTTP\/1.1/g)).toHaveLength(1)
})

it('asks for the body of a call to the sink only with its token', async () => {
  const sink = await startSink()
  onTestFinished(() => sink.close())
  const path = sink.open()
  const api = await startSinkApi({ sink, path, scheme: 'svc', listen: '127.0.0.1:0', token: 'a-token-of-a-test' })
  onTestFinished(() => api.close())
  const body = JSON.stringify({ secret: 'whsec_1' })
  const call = async (token: string) => {
    const client = await connectRaw(portOf(api.url))
    client.write(
      `POST /${token}/secrets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n` +
        `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    client.until(/100 Continue/).then(
      () => client.write(body),
      () => {},
    )
    return (await client.ended).text.match(/HTTP\/1.1 \d+/g)
  }

  expect(await call('another-token-of-it')).toEqual(['HTTP/1.1 401'])
  expect(await call('a-token-of-a-test')).toEqual(['HTTP/1.1 100', 'HTTP/1.1 204'])
})
