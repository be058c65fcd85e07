import type { Agent, IncomingMessage } from 'node:http'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { http } from '../runtime/node-http.ts'
import type { HttpTransport } from './http-transport.ts'

/**
 * Reaches a service of this machine over plain http by `node:http`, which loads in 2 ms and works while timers are faked.
 * It cannot stream events.
 */
export function createLocalTransport(): HttpTransport {
  const agent = new http.Agent({ keepAlive: true })
  let isClosed = false
  return {
    // When a kept connection breaks, the service may or may not have acted: a POST gets a connection of its own.
    send: (request) =>
      exchange(request.method === 'POST' ? false : agent, request).catch((error) => {
        if (isClosed || !(error instanceof KeptConnectionBroke)) throw error
        return exchange(false, request)
      }),
    close: async () => {
      isClosed = true
      agent.destroy()
    },
  }
}

/** The service closed a connection while it was idle, as it may. */
class KeptConnectionBroke extends Error {}

function exchange(agent: Agent | false, request: ManagementRequest): Promise<ManagementAnswer> {
  const { method, url, headers, body = '', signal } = request
  const length = { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, headers: { ...headers, ...length }, agent, ...(signal && { signal }) })
    sent.once('response', (answer) => readAnswer(answer).then(resolve, reject))
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const hasBroken = sent.reusedSocket && error.code === 'ECONNRESET'
      reject(hasBroken ? new KeptConnectionBroke(error.message, { cause: error }) : error)
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
