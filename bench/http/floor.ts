import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FixedAnswer } from './start-floor.ts'

// Bare node:http: it writes fixed bytes, as long as those of the answer that they are compared with, and checks nothing.
let answers: readonly { status: number; body: string | Buffer; length: number }[] = []

const server = createServer((request, response) => {
  const { status, body, length } = answers[Number(request.url?.slice(1))] as (typeof answers)[number]
  const answer = () => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
    response.end(body)
  }
  if (request.method !== 'POST' && request.method !== 'PATCH') answer()
  else {
    request.on('data', () => {})
    request.on('end', answer)
  }
})

process.on('message', (fixed: readonly FixedAnswer[]) => {
  answers = fixed.map(({ status, body }) => {
    const length = Buffer.byteLength(body)
    // Each in the form that node:http writes fastest.
    return { status, length, body: length > 4_096 ? Buffer.from(body) : body }
  })
  process.send?.('set')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
