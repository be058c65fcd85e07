import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { WebhookHandler } from './webhook-handler.ts'

/** Listens for webhooks on a free port of this machine. */
export async function startWebhookServer(handler: WebhookHandler): Promise<{ url: string; stop: () => void }> {
  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>)
    response.writeHead(handler.handle(headers, await buffer(request))).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/crm`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
