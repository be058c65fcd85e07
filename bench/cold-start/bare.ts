// A process of its own: a bare `node:http` server, and its first answer to `fetch`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"data":[]}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tasks`)
await answer.text()
const { user, system } = process.cpuUsage()
server.close()
server.closeAllConnections()
console.log(JSON.stringify({ processorMs: (user + system) / 1_000 }))
