import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { Bodies } from '../../src/service/listener/bodies.ts'
import { serveManagement } from '../../src/service/listener/serve-management.ts'

// Directly: over a service, no client can leave at exactly that moment.
it('ends a stream whose reader left before it began', async () => {
  const cancelled = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.once('close', left.resolve)
    const api = async () => {
      arrived.resolve()
      await left.promise
      return { status: 200, headers: {}, body: new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() }) }
    }
    const visitor = { ip: '127.0.0.1', origin: 'http://127.0.0.1', isTrustedPage: false }
    serveManagement({ api: api as never, bodies: new Bodies(0) }, { request, response, visitor })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const asked = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).on('error', () => {})
  await arrived.promise

  asked.destroy()

  await expect(cancelled.promise).resolves.toBeUndefined()
  server.close()
})
