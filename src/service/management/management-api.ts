import { ApiError, notFound } from '../../protocol/errors.ts'
import type { ManagementAnswer, ManagementRequest } from '../../protocol/management-exchange.ts'
import { ACCOUNT_ROUTES, SINK_ROUTES } from './account-routes.ts'
import type { Arrival } from './call.ts'
import { READ_ROUTES } from './read-routes.ts'
import { refuse } from './respond.ts'
import { type Route, scopeOf } from './route.ts'
import { Router } from './router.ts'
import type { ServiceParts } from './service-parts.ts'
import { SETTINGS_ROUTES } from './settings-routes.ts'
import { SIMULATION_ROUTES } from './simulation-routes.ts'
import { STATE_ROUTES } from './state-routes.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

/** The management API as a function: no socket, no state of its own. */
export type ManagementApi = (request: ManagementRequest, arrival: Arrival) => Promise<ManagementAnswer>

/** Every endpoint of a service without `workerSinks`. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...SIMULATION_ROUTES,
  ...STATE_ROUTES,
  ...SETTINGS_ROUTES,
  ...WEBHOOK_ROUTES,
  ...READ_ROUTES,
]

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after',
}
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, last-event-id',
  'access-control-max-age': '600',
}

/** The routes of one path by their methods. */
type Methods = ReadonlyMap<string, Route>

/** Puts the endpoints together. Every request is authenticated before anything else is looked at. */
export function createManagementApi(parts: ServiceParts): ManagementApi {
  const router = new Router(byPath(parts.workerSinks ? [...ROUTES, ...SINK_ROUTES] : ROUTES))
  return async (request, arrival) => {
    if (isPreflight(request)) return { status: 204, headers: PREFLIGHT, body: undefined }
    const answer = await answerTo(parts, router, request, arrival).catch(refuse)
    const headers = { ...answer.headers, ...CORS, 'x-request-id': parts.runtime.uuid() }
    if (request.method !== 'HEAD') return { status: answer.status, headers, body: answer.body }
    // Nobody will read it: what feeds a stream of events ends here.
    if (answer.body instanceof ReadableStream) await answer.body.cancel()
    return { status: answer.status, headers, body: undefined }
  }
}

async function answerTo(
  parts: ServiceParts,
  router: Router<Methods>,
  request: ManagementRequest,
  arrival: Arrival,
): Promise<ManagementAnswer> {
  const { pathname } = new URL(request.url)
  const found = router.find(pathname)
  const route = found?.entry.get(request.method === 'HEAD' ? 'GET' : request.method)
  if (found && route) {
    const account = authenticate(parts, request, arrival.ip, scopeOf(route.method))
    return route.answer(parts, { ...arrival, request, account, params: found.params })
  }
  if (pathname.startsWith('/v1')) authenticate(parts, request, arrival.ip, undefined)
  const method = request.method.slice(0, 20)
  if (!found) return refuse(notFound(`No endpoint ${method} ${pathname.slice(0, 200)}.`))
  const methods = [...found.entry.keys()]
  const message = `Expected the method to be ${methods.join(' or ')}, got ${method}.`
  return refuse(new ApiError(405, 'bad_request', message), { allow: methods.join(', ') })
}

function authenticate(
  parts: ServiceParts,
  { headers }: ManagementRequest,
  ip: string,
  scope: ReturnType<typeof scopeOf> | undefined,
) {
  return parts.accounts.authenticate({ authorization: headers.authorization, ip, scope })
}

function byPath(routes: readonly Route[]): Map<string, Methods> {
  const paths = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Route>()
    paths.set(route.path, methods.set(route.method, route))
  }
  return paths
}

function isPreflight({ method, headers }: ManagementRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
