import type { IncomingMessage, ServerResponse } from 'node:http'

/** Destinations of a navigation (Fetch, 2.2.5 "destination"). */
const PAGES = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/**
 * Isolates a simulation's page in its own origin when a browser opens it: below `/s/` all descriptions share the origin
 * of the dashboard. Scripts and forms still work; answers to `fetch` and SDKs stay unchanged.
 */
export function sandboxPage(request: IncomingMessage, response: ServerResponse): void {
  if (!isNavigation(request)) return
  const writeHead = response.writeHead.bind(response) as (status: number, lines: string[]) => ServerResponse
  // The listener writes all headers of an answer at once, as lines. A policy of the description also applies.
  response.writeHead = ((status: number, lines: string[] = []) =>
    writeHead(status, [...lines, ...SANDBOX])) as ServerResponse['writeHead']
}

const SANDBOX = ['content-security-policy', 'sandbox allow-scripts allow-forms', 'x-content-type-options', 'nosniff']

/** Whether a browser requests a service worker's script, which could intercept the dashboard. */
export function isWorkerScript({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'serviceworker' || headers['service-worker'] === 'script'
}

/** Browsers send `Sec-Fetch-Dest` over https and on loopback; elsewhere `Accept` indicates a navigation. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined) return PAGES.has(String(destination))
  return headers.accept?.startsWith('text/html') ?? false
}
