import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onLoopback } from './on-loopback.ts'

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
  const listening = await onLoopback(server)
  return { ...listening, url: `${listening.url}/hooks`, requests }
}
