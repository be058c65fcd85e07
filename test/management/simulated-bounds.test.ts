import { request } from 'node:https'
import { expect, it } from 'vitest'
import { DESCRIPTION } from '../conformance/description.ts'
import { connectRaw } from '../listener/raw-client.ts'
import { startForTest } from './start-for-test.ts'

const MIB = 1024 * 1024

it('answers 413 to a body of more than 10 MiB, announced or not, and keeps working', async () => {
  const { create } = await startForTest()
  const made = await create({ spec: DESCRIPTION })
  const client = await connectRaw(Number(new URL(made.url).port))
  const head = `POST /tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${made.apiKey}\r\ncontent-type: application/json\r\n`

  client.write(`${head}transfer-encoding: chunked\r\n\r\n`)
  for (let part = 0; part < 11; part++) client.write(`${MIB.toString(16)}\r\n${' '.repeat(MIB)}\r\n`)
  client.write('0\r\n\r\n')
  const chunked = await client.until(/got more/)
  client.socket.destroy()
  const announced = await fetch(`${made.url}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
    body: ' '.repeat(10 * MIB + 1),
  })
  const next = await fetch(`${made.url}/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } })

  expect(chunked).toMatch(/^HTTP\/1.1 413 /)
  expect([announced.status, ((await announced.json()) as { error: { code: string } }).error.code]).toEqual([
    413,
    'too_large',
  ])
  expect(next.status).toBe(200)
})

it.each([
  [11, 10],
  [40, 2],
])('lets a client that sends %i MiB over TLS hear 413, each of %i times', async (size, times) => {
  const { create } = await startForTest()
  const { url, ca, apiKey } = await create({ spec: DESCRIPTION, https: true })
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': size * MIB,
  }
  const send = () =>
    new Promise<unknown>((resolve) => {
      const outgoing = request(`${url}/tasks`, { method: 'POST', headers, ca, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      outgoing.on('error', resolve)
      outgoing.end(Buffer.alloc(size * MIB, ' '))
    })

  const heard: unknown[] = []
  for (let time = 0; time < times; time++) heard.push(await send())

  expect(new Set(heard)).toEqual(new Set([413]))
})

it('reads a body of 10 MiB', async () => {
  const { create } = await startForTest()
  const made = await create({ spec: DESCRIPTION, validation: 'off' })
  const task = JSON.stringify({ title: 'x', status: 'open' })

  const answer = await fetch(`${made.url}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
    body: task + ' '.repeat(10 * MIB - task.length),
  })

  expect(answer.status).toBe(201)
})

it('answers HEAD of the management API as GET, without a body', async () => {
  const { service } = await startForTest()
  const headers = { authorization: `Bearer ${service.accountKey}` }

  const head = await fetch(`${service.url}/v1/usage`, { method: 'HEAD', headers })

  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'application/json', ''])
})
