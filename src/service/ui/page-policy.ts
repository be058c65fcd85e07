import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Headers of everything below `/ui`. @param origin scheme and authority of the browser's request */
export function policyOf(origin: string): Record<string, string> {
  const assets = `${origin}/ui/assets/`
  const policy = [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src ${assets}`,
    `connect-src ${origin}/ui/`,
    `img-src ${assets} data:`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/**
 * Whether a host name is ours. A remote page can let its own name resolve to this machine (DNS rebinding), but not an
 * IP address or `localhost`.
 */
export function isOwnHost(origin: string, hosts: readonly (string | undefined)[]): boolean {
  const { hostname } = new URL(origin)
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || hosts.includes(name)
}

/** Whether a page of the dashboard's own origin sent a request. Pages on another port do not count. */
export function isOwnPage({ method, headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? headers.origin === origin : site === 'same-origin'
  return isSame && (method === 'GET' || headers.origin === origin)
}
