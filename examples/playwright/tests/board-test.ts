import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { simulationTest } from 'backlot/playwright'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Playwright's `test` with two fixtures more: a task tracker, and the address of a board that shows it. */
export const test = simulationTest('task-tracker', { as: 'tracker' }).extend<{ boardUrl: string }>({
  boardUrl: async ({ tracker }, use) => {
    const server = createServer((request, response) => {
      const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html'
      response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream')
      createReadStream(join(import.meta.dirname, '../app', name))
        .on('error', () => response.writeHead(404).end())
        .pipe(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const query = new URLSearchParams({ api: tracker.url, token: tracker.key })
    await use(`http://127.0.0.1:${port}/?${query}`)

    server.close()
    server.closeAllConnections()
  },
})
