import type { IncomingMessage, ServerResponse } from 'node:http'

/** What only a navigation asks for (Fetch, 2.2.5 "destination"). */
const PAGES = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/**
 * Puts a page of a simulation into an origin of its own, where it is opened in a browser: below `/s/` the pages of every
 * description stand on the origin of the dashboard. Scripts and forms go on working; what `fetch` and SDKs are answered is
 * left as the description has it.
 */
export function sandboxPage(request: IncomingMessage, response: ServerResponse): void {
  if (!isNavigation(request)) return
  const writeHead = response.writeHead.bind(response) as (status: number, lines: string[]) => ServerResponse
  // The listener writes all headers of an answer at once, as lines. A policy that the description has holds beside this one.
  response.writeHead = ((status: number, lines: string[] = []) =>
    writeHead(status, [...lines, ...SANDBOX])) as ServerResponse['writeHead']
}

const SANDBOX = ['content-security-policy', 'sandbox allow-scripts allow-forms', 'x-content-type-options', 'nosniff']

/** Whether a browser fetches the script of a service worker, which would stand between the browser and the dashboard. */
export function isWorkerScript({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'serviceworker' || headers['service-worker'] === 'script'
}

/** Browsers send `Sec-Fetch-Dest` over https and on loopback; elsewhere `Accept` tells a navigation. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined) return PAGES.has(String(destination))
  return headers.accept?.startsWith('text/html') ?? false
}
