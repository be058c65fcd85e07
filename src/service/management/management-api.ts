import { Hono } from 'hono/tiny'
import { ApiError, notFound } from '../../protocol/errors.ts'
import { ACCOUNT_ROUTES, SINK_ROUTES } from './account-routes.ts'
import type { Arrival, Call } from './call.ts'
import { READ_ROUTES } from './read-routes.ts'
import { refuse } from './respond.ts'
import { type Route, scopeOf } from './route.ts'
import type { ServiceParts } from './service-parts.ts'
import { SETTINGS_ROUTES } from './settings-routes.ts'
import { SIMULATION_ROUTES } from './simulation-routes.ts'
import { STATE_ROUTES } from './state-routes.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

/** The management API as a function: no socket, no state of its own. */
export type ManagementApi = (request: Request, arrival: Arrival) => Promise<Response>

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

/** Puts the endpoints together. Every request is authenticated before anything else is looked at. */
export function createManagementApi(parts: ServiceParts): ManagementApi {
  const app = new Hono<{ Bindings: Arrival }>()
  const routes = parts.workerSinks ? [...ROUTES, ...SINK_ROUTES] : ROUTES
  app.use((context, next) => (context.req.path.endsWith('/') ? Promise.resolve(context.notFound()) : next()))
  for (const route of routes) {
    app.on(route.method, route.path, ({ req, env }) => {
      const account = authenticate(parts, req.raw, env.ip, scopeOf(route.method))
      return route.answer(parts, { ...env, request: req.raw, account, params: req.param() } satisfies Call)
    })
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, ({ req, env }) => {
      authenticate(parts, req.raw, env.ip, undefined)
      const message = `Expected the method to be ${methods.join(' or ')}, got ${req.method.slice(0, 20)}.`
      return refuse(new ApiError(405, 'bad_request', message), { allow: methods.join(', ') })
    })
  }
  app.notFound(({ req, env }) => {
    if (req.path.startsWith('/v1')) authenticate(parts, req.raw, env.ip, undefined)
    return refuse(notFound(`No endpoint ${req.method.slice(0, 20)} ${req.path.slice(0, 200)}.`))
  })
  app.onError((error) => refuse(error))
  return async (request, arrival) => {
    if (isPreflight(request)) return new Response(null, { status: 204, headers: PREFLIGHT })
    return withHeaders(await app.fetch(request, arrival), parts.runtime.uuid())
  }
}

function authenticate(
  parts: ServiceParts,
  request: Request,
  ip: string,
  scope: ReturnType<typeof scopeOf> | undefined,
) {
  return parts.accounts.authenticate({ authorization: request.headers.get('authorization') ?? undefined, ip, scope })
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

function withHeaders(response: Response, requestId: string): Response {
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
  response.headers.set('x-request-id', requestId)
  return response
}
