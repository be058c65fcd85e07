import type { OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { signBody } from '../../src/protocol/signature.ts'
import type { WebhookSink } from '../../src/sink/webhook-sink.ts'

/** What a sink answered. */
export interface SinkAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

/** Sends one request to a sink over a connection of its own. */
export async function callSink(
  sink: WebhookSink,
  call: { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: Uint8Array | string },
): Promise<SinkAnswer> {
  const ca = await sink.ca()
  const { method = 'POST', path, headers = {}, body = '' } = call
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: sink.ip,
      port: sink.port,
      ...(ca !== undefined && { ca }),
      agent: false,
      method,
      path,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
    })
    outgoing.end(body)
  })
}

/** A TLS connection to a sink, to write raw bytes to. Resolves once the handshake is done. */
export async function connectToSink(sink: WebhookSink, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const ca = await sink.ca()
  return new Promise((resolve, reject) => {
    const socket = connect({ host: sink.ip, port: sink.port, ...(ca !== undefined && { ca }), ...options })
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Everything that a socket sends until it ends. */
export async function readAll(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.once('error', resolve)
  })
  return text
}

export const SECRET = `whsec_${'5a'.repeat(32)}`

/** A well-formed delivery, to be changed in one respect. */
export function makeDelivery(
  change: {
    id?: string
    body?: string
    t?: number
    secret?: string
    headers?: OutgoingHttpHeaders
    type?: string
  } = {},
): { headers: OutgoingHttpHeaders; body: string } {
  const type = change.type ?? 'task.created'
  const body = change.body ?? makeBody({ type })
  const t = change.t ?? Math.floor(Date.now() / 1_000)
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'svc-event': type,
      'svc-delivery': change.id ?? '0f9c2f7a-3f0b-4f0e-8a55-1d1c1b7a9e02',
      'svc-signature': signBody({ rawBody: body, secret: change.secret ?? SECRET, t }),
      ...change.headers,
    },
    body,
  }
}

/** The body of an event. */
export function makeBody(change: { type?: string; recordId?: string; object?: unknown } = {}): string {
  const { type = 'task.created', recordId = 't_1', object = { title: 'é✓😀', status: 'todo' } } = change
  const data = { collection: 'tasks', id: recordId, object }
  return JSON.stringify({ id: '5b1f0f0e-6a86-4b63-9a8e-0d8f6b2f1c11', type, created: '2026-11-21T05:00:00.000Z', data })
}
