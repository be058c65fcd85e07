import { createCertificate } from '../../src/server/certificate.ts'
import { openTlsEndpoint, type SeenRequest } from '../support/tls-endpoint.ts'

/** An HTTPS server that knows nothing of this package's sink. */
export interface Receiver {
  readonly url: string
  readonly sink: { ip: string; port: number; ca: string }
  readonly delivered: readonly SeenRequest[]
  /** Statuses to answer with, in turn; the last one stays. */
  answers: (number | 'close')[]
  /** Resolves when so many deliveries have come. */
  count(deliveries: number): Promise<readonly SeenRequest[]>
  close(): Promise<void>
}

/** Listens on loopback with a certificate of its own. */
export async function startReceiver(): Promise<Receiver> {
  const endpoint = await openTlsEndpoint({
    certificate: await createCertificate(),
    answer: (response) => {
      const answer = receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0]
      if (answer === 'close') response.socket?.destroy()
      else response.writeHead(answer ?? 200, answer === 302 ? { location: receiver.url } : {}).end()
    },
  })
  const { url, port, ca, requests } = endpoint
  const receiver: Receiver = {
    url,
    sink: { ip: '127.0.0.1', port, ca },
    delivered: requests,
    answers: [200],
    count: async (deliveries) => {
      await endpoint.seen(deliveries)
      return requests
    },
    close: async () => endpoint[Symbol.asyncDispose](),
  }
  return receiver
}
