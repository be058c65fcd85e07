import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createLocalTransport } from '../../src/client/transports.ts'

/** Answers its first request, and breaks the connection of each after it. */
async function startBreaking(seen: string[]) {
  const server = createServer((request, response) => {
    seen.push(request.method ?? '')
    if (seen.length > 1) request.socket.resetAndDestroy()
    else response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

it('sends a POST once, whatever becomes of its connection', async () => {
  const seen: string[] = []
  const server = await startBreaking(seen)
  const transport = createLocalTransport()
  const post = () => transport.send({ method: 'POST', url: server.url, headers: {} })
  await post()

  const second = post()

  await expect(second).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(seen).toEqual(['POST', 'POST'])
  await transport.close()
  server.close()
})

it('asks once more for what it may ask twice, when the service closed an idle connection', async () => {
  const seen: string[] = []
  const server = await startBreaking(seen)
  const transport = createLocalTransport()
  const get = () => transport.send({ method: 'GET', url: server.url, headers: {} })
  await get()

  const second = get()

  await expect(second).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(seen).toEqual(['GET', 'GET', 'GET'])
  await transport.close()
  server.close()
})
