import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as an application under test got it. */
export interface AppRequest {
  headers: IncomingHttpHeaders
  url: string
  body: Buffer
}

/** An application under test: plain HTTP on loopback, which answers 200 and keeps what came. */
export async function openApp(): Promise<{ url: string; requests: AppRequest[] } & AsyncDisposable> {
  const requests: AppRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(chunks) })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
