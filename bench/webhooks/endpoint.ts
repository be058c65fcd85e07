import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCertificate } from '../../src/server/certificate.ts'

/** A bare HTTPS endpoint in a process of its own: reads the body and answers 200. Says its port and authority to the parent. */
const { ca, cert, key } = await createCertificate()
const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  request.once('end', () => response.end('{"received":true}'))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, ca }))
process.once('disconnect', () => process.exit())
