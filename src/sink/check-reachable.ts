import { http, https } from '../runtime/node-http.ts'
import type { Runtime } from '../runtime/runtime.ts'

const TIMEOUT_MS = 10_000

/** Throws unless `url` answers with exactly `nonce`; the message names the obstacle between the public address and the sink. */
export async function checkReachable(url: string, nonce: string, runtime: Runtime): Promise<void> {
  const origin = new URL(url).origin
  const fail = (fact: string, cause?: unknown) =>
    new Error(`Failed to reach the sink at its public address "${origin}": ${fact}.`, { cause })
  const abort = new AbortController()
  const cancelTimer = runtime.startTimer(TIMEOUT_MS, () => abort.abort())
  try {
    const { status, body } = await read(url, abort.signal)
    if (status === 200 && body === nonce) return
    throw fail(
      `something else answers there, with status ${status}. Point the proxy or tunnel at the sink's own address`,
    )
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('Failed to')) throw cause
    throw fail(explain(cause), cause)
  } finally {
    cancelTimer()
  }
}

function read(url: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  const get = url.startsWith('https:') ? https().get : http.get
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        body = (body + text).slice(0, 200)
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      answer.on('error', reject)
    })
    request.on('error', reject)
  })
}

function explain(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  if (cause.name === 'AbortError') return 'nothing answered within 10 s. Check the firewall and the tunnel'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name does not resolve. Check the DNS record'
  if (code === 'ECONNREFUSED') return 'the connection was refused. Check that the proxy or tunnel runs'
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)
  if (isCertificate) return `its certificate was refused (${code}): ${cause.message}. A service will refuse it too`
  return `${code} ${cause.message}`.trim()
}
