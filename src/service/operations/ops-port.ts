import type { IncomingMessage, ServerResponse } from 'node:http'
import { type OpenServer, openServer } from '../../server/open-server.ts'
import { isPrivateHost } from '../../server/private-host.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

interface OpsPortParts {
  readonly metrics: Metrics
  readonly readiness: Readiness
}

const LIMITS = {
  handshakeTimeoutMs: 5_000,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 5_000,
  connectionsCheckingIntervalMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  unreadTimeoutMs: 5_000,
  unreadBytes: 16 * 1024 * 1024,
  headerBytes: 8 * 1024,
  sockets: 100,
}

/** Opens the port for probes and Prometheus: `/healthz`, `/readyz`, `/metrics`. It needs no key, so it must not be public. */
export function openOpsPort(parts: OpsPortParts, at: { host: string; port: number }): Promise<OpenServer> {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(parts, request)
      .catch((error: Error) => ({ status: 500, type: 'text/plain', body: `${error.message}\n` }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { ...FOR_NO_PAGE, 'content-type': type })
        response.end(request.method === 'HEAD' ? undefined : body)
      })
  }
  return openServer({ ...at, tls: 'none', limits: LIMITS, onRequest })
}

/** Whether a browser page on this machine may be using its own host name (DNS rebinding). On other machines any name is allowed. */
function isRebound({ socket, headers: { host } }: IncomingMessage): boolean {
  const isHere = /^(?:127\.|::1$|::ffff:127\.)/.test(socket.localAddress ?? '')
  return isHere && host !== undefined && !isPrivateHost(host)
}

/** No page of another origin may load it, even as a script. */
const FOR_NO_PAGE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

interface OpsAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

async function answer({ metrics, readiness }: OpsPortParts, request: IncomingMessage): Promise<OpsAnswer> {
  const { method, url } = request
  if (isRebound(request)) return json(403, { status: 'ask by an address, or by a name of this machine' })
  if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'GET alone' })
  switch (url?.split('?')[0]) {
    case '/healthz':
      return json(200, { status: 'ok' })
    case '/readyz':
      return json(readiness.state === 'ready' ? 200 : 503, { status: readiness.state })
    case '/metrics':
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }
    default:
      return json(404, { status: 'not found', paths: ['/healthz', '/readyz', '/metrics'] })
  }
}

const json = (status: number, body: object): OpsAnswer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(body)}\n`,
})
