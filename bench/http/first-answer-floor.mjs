import { createServer } from 'node:http'

// Bare node:http up to its first answer. JavaScript, so that no types have to be stripped before it starts.
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"data":[]}')
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
