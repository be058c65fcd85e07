import type { ApiModel } from '../openapi/model.ts'
import { takesAnyType } from './body/read-body.ts'
import { nearestOperations } from './compiled/router.ts'
import { answerPreflight, isPreflight } from './cors.ts'
import { type ApiRequest, type ApiResponse, isProcedurePath } from './exchange.ts'
import type { EntryEffects } from './facts/entry-effects.ts'
import type { RequestContext } from './request-context.ts'
import type { SimulatedApi } from './simulated-api.ts'

/** Finds the operation of a request. Answers a preflight, and a request without an operation. */
export function findRoute(api: SimulatedApi, context: RequestContext): ApiResponse | undefined {
  const { request } = context
  if (request.method === 'OPTIONS' && isPreflight(request)) return answerPreflight(request)
  const { router } = api.api
  const found = router.find(request.method, request.path)
  if ('compiled' in found) {
    context.route = { compiled: found.compiled, params: found.params, isHead: false }
    return undefined
  }
  const other = fallbackMethod(request, found.allowed)
  const instead = other === undefined ? undefined : router.find(other, request.path)
  const isRefused = other === 'POST' && instead && 'compiled' in instead && !takesAnyType(instead.compiled.operation)
  if (instead === undefined || isRefused || !('compiled' in instead)) return answerUnrouted(api, context, found.allowed)
  context.route = { ...instead, isHead: request.method === 'HEAD' }
  return undefined
}

/** GET answers HEAD; on paths of remote procedures GET answers POST, and POST answers GET where its body may have any type. */
function fallbackMethod({ method, path }: ApiRequest, allowed: ReadonlySet<string>): string | undefined {
  if (method === 'GET' && allowed.size === 1 && allowed.has('POST') && isProcedurePath(path)) return 'POST'
  if (!allowed.has('GET')) return undefined
  const isProcedure = method === 'POST' && allowed.size === 1 && isProcedurePath(path)
  return method === 'HEAD' || isProcedure ? 'GET' : undefined
}

function answerUnrouted(api: SimulatedApi, context: RequestContext, allowed: ReadonlySet<string>): ApiResponse {
  const { request, warnings } = context
  const { method, path } = request
  if (allowed.size === 0) {
    const message = explainUnknownPath(api.api.model, api.entryEffects, request)
    warnings.push(message)
    return api.refuse(context, { status: 404, code: 'not_found', message, facts: { fault: 'path', method } })
  }
  const methods = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS']
  const Allow = [...new Set(methods)].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { Allow }, body: null }
  const message = `Failed to find ${method} ${path}: the path has ${Allow}.`
  warnings.push(message)
  return api.refuse(context, { status: 405, code: 'method_not_allowed', message }, { Allow })
}

/** Why a path has no operation, with the nearest ones. The real API may have a path that a library entry lacks. */
function explainUnknownPath(
  model: ApiModel,
  book: EntryEffects | undefined,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
): string {
  const near = nearestOperations(model, method, path)
  const slug = book === undefined || book.isJoined ? undefined : String(book.facts.slug)
  const api = slug === undefined ? model.title : `the library entry "${slug}"`
  const hint = near.length === 0 ? '' : ` The nearest operations are ${near.join(', ')}.`
  const remedy =
    slug === undefined
      ? ''
      : ` A path that the entry lacks comes from the provider's own description: { library: '${slug}', spec: '<its file>' }.`
  return `Failed to find ${method} ${path}: ${api} has no such path.${hint}${remedy}`
}
