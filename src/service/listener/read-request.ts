import type { IncomingMessage } from 'node:http'

/** Path and query of a request. A proxy's client sends whole URLs, and `*` with OPTIONS. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed === undefined ? '/' : parsed.pathname + parsed.search
}
