import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { createApp, type Settings } from '../src/app.ts'

/** The application on a free port of this machine, with an empty database. */
export interface Shop extends AsyncDisposable {
  url: string
  database: DatabaseSync
  /** Sends a request and reads the JSON of the answer. */
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
}

export async function startShop(settings: Settings): Promise<Shop> {
  const database = new DatabaseSync(':memory:')
  const app = createApp(database, settings)
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const headers = new Headers(request.headers as Record<string, string>)
    const body = method === 'GET' ? null : await buffer(request)
    const answer = await app.request(url, { method, headers, body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    database,
    async call(method, path, body) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      database.close()
    },
  }
}
