import type { IncomingMessage, ServerResponse } from 'node:http'
import { PAGE_POLICIES } from '../pages/page.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'

/** Destinations of a navigation (Fetch, 2.2.5 "destination"). */
const PAGES = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/** Headers that reach beyond the paths of one simulation, with what they could do to its neighbours. */
const WITHHELD: ReadonlyMap<string, string> = new Map([
  ['clear-site-data', 'signs everybody out of the dashboard and of other simulations'],
  ['service-worker-allowed', 'lets a worker of one simulation answer for all others'],
  ['refresh', 'moves a page of this origin to any address'],
  ['strict-transport-security', 'makes every address of the host https'],
  ['alt-svc', 'sends all later requests of the origin to another server'],
  ['nel', 'reports the failed requests of all simulations'],
  ['reporting-endpoints', 'reports what pages of all simulations do'],
  ['report-to', 'reports what pages of all simulations do'],
  ['accept-ch', 'changes the requests to all simulations'],
  ['set-login', 'changes the sign-in state of the whole origin'],
])

/**
 * The answer that a simulation may send to an origin that it shares, below `root`: all simulations below `/s/` have the
 * origin of the dashboard. Cookies get a path below `root`, and headers that reach further are withheld. With a host of
 * its own (`root` is empty) a simulation only loses the `Domain` of its cookies, which names the dashboard's host. It
 * holds for answers of descriptions, library entries, handlers and response rules alike.
 *
 * @param root undefined for a simulation with an origin of its own
 */
export function confineAnswer(answer: ApiResponse, root: string | undefined): ApiResponse {
  if (root === undefined || !reachesFurther(answer.headers)) return answer
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie') headers[name] = [value].flat().map((cookie) => cookieBelow(root, cookie))
    else if (root === '' || !WITHHELD.has(lower)) headers[name] = value
  }
  return { ...answer, headers }
}

function reachesFurther(headers: ApiResponse['headers']): boolean {
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie' || WITHHELD.has(lower)) return true
  }
  return false
}

/** The cookie for this host and the paths of one simulation: `Path=/app` is `Path=/s/tasks/app` for the browser. */
function cookieBelow(root: string, cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
  const named = (name: string) => attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))
  const path = named('path')?.slice('path='.length) ?? '/'
  const isBelow = path === root || path.startsWith(`${root}/`)
  const own = path.startsWith('/') ? path : '/'
  const others = attributes.filter((attribute) => !/^(path|domain)\s*(=|$)/i.test(attribute))
  return [pair, ...others, `Path=${isBelow ? path : `${root}${own}`}`].join('; ')
}

/**
 * Isolates a simulation's page in an origin of its own when a browser opens it. Scripts and forms still work; answers to
 * `fetch` and SDKs stay unchanged. A page under the policy of our own pages runs no script: it keeps its origin, which
 * their forms have to name.
 */
export function sandboxPage(request: IncomingMessage, response: ServerResponse): void {
  if (!isNavigation(request)) return
  const writeHead = response.writeHead.bind(response) as (status: number, lines: string[]) => ServerResponse
  // The listener writes all headers of an answer at once, as lines. A policy of the description also applies.
  response.writeHead = ((status: number, lines: string[] = []) =>
    writeHead(status, isScriptless(lines) ? lines : [...lines, ...SANDBOX])) as ServerResponse['writeHead']
}

const isScriptless = (lines: readonly string[]): boolean =>
  lines.some((name, at) => /^content-security-policy$/i.test(name) && PAGE_POLICIES.has(lines[at + 1] ?? ''))

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
