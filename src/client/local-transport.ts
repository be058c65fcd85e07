import type { Agent, IncomingMessage } from 'node:http'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { http } from '../runtime/node-http.ts'
import type { HttpTransport } from './http-transport.ts'

/**
 * Reaches a service of this machine over plain http with what Node brings: loaded in 2 ms, and no fake timers hold it up.
 * Streams of events are beyond it.
 */
export function createLocalTransport(): HttpTransport {
  const agent = new http.Agent({ keepAlive: true })
  return {
    send: (request) => exchange(agent, request),
    close: async () => agent.destroy(),
  }
}

function exchange(agent: Agent, request: ManagementRequest): Promise<ManagementAnswer> {
  const { method, url, headers, body = '', signal } = request
  const length = { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, headers: { ...headers, ...length }, agent, ...(signal && { signal }) })
    sent.once('response', (answer) => readAnswer(answer).then(resolve, reject))
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const wasClosedUnawares = sent.reusedSocket && error.code === 'ECONNRESET'
      if (wasClosedUnawares) exchange(agent, request).then(resolve, reject)
      else reject(error)
    })
    sent.end(body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<ManagementAnswer> {
  let body = ''
  answer.setEncoding('utf8')
  for await (const text of answer) body += text
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]))
  return { status: answer.statusCode ?? 0, headers, body }
}
