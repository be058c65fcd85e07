import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createCertificate } from '../../src/server/certificate.ts'

/** A delivery, as it came over the wire. */
export interface Delivered {
  method: string
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** An HTTPS server that knows nothing of this package's sink. */
export interface Receiver {
  readonly url: string
  readonly sink: { ip: string; port: number; ca: string }
  readonly delivered: Delivered[]
  /** Statuses to answer with, in turn; the last one stays. */
  answers: (number | 'close')[]
  /** Resolves when so many deliveries have come. */
  count(deliveries: number): Promise<Delivered[]>
  close(): Promise<void>
}

/** Listens on loopback with a certificate of its own. */
export async function startReceiver(): Promise<Receiver> {
  const { ca, cert, key } = await createCertificate()
  const delivered: Delivered[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Duplex>()
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    delivered.push({ method: request.method ?? '', headers: request.headers, bytes, text: bytes.toString() })
    const answer = receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0]
    if (answer === 'close') request.socket.destroy()
    else response.writeHead(answer ?? 200, answer === 302 ? { location: receiver.url } : {}).end()
    for (const check of waiting) check()
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `https://127.0.0.1:${port}/hook`,
    sink: { ip: '127.0.0.1', port, ca },
    delivered,
    answers: [200],
    count: (deliveries) =>
      new Promise((resolve) => {
        const check = () => {
          if (delivered.length < deliveries) return
          waiting.delete(check)
          resolve(delivered)
        }
        waiting.add(check)
        check()
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
