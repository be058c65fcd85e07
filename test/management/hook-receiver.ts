import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the receiver got. */
interface ReceivedHook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An endpoint on loopback that answers as it is told; it is closed when the test is over. */
export async function listenForHooks() {
  const received: ReceivedHook[] = []
  const hook = { url: '', answer: { status: 204, body: '' }, received }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(hook.answer.status).end(hook.answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return hook
}
