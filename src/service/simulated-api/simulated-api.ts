import type { Json, JsonObject } from '../../protocol/json.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import type { Operation } from '../openapi/model.ts'
import type { Change } from '../world/change.ts'
import { keyOf } from '../world/field.ts'
import type { JournaledMap } from '../world/journaled-map.ts'
import type { World } from '../world/world.ts'
import { type Body, formOf, NO_BODY, readBody } from './body/read-body.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import type { CompiledOperation } from './compiled/compiled-operation.ts'
import { answerPreflight, isPreflight, withCors } from './cors.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { IdempotencyKeys, type RememberedAnswer } from './idempotency.ts'
import type { Call, Done, Setting } from './operations/call.ts'
import { withToken } from './operations/login.ts'
import { operate } from './operations/operate.ts'
import { ErrorBodies } from './presentation/error-bodies.ts'
import { negotiate, type Representation } from './presentation/negotiate.ts'
import { Presenter } from './presentation/presenter.ts'
import { Projector } from './presentation/project.ts'
import { Refusal } from './refusal.ts'
import { nearestOperations } from './routing/nearest.ts'
import { challengeOf, describeSecurity, findKey, isLogin, isPublic, tokenRequestSecrets } from './security.ts'
import { readQuery } from './validation/parameters.ts'
import { joinRefusals, NO_MISFITS, validateRequest } from './validation/validate-request.ts'

/** An operation that a request is for, or the answer to a request that is for none. */
export type Route = MatchedRoute | { readonly response: ApiResponse }

/** An operation and what its path says. */
export interface MatchedRoute {
  readonly compiled: CompiledOperation
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Whether the request was a HEAD that a GET answers: without its body. */
  readonly head: boolean
}

/** The answer to a request and what it does to the data. */
export interface Outcome {
  readonly response: ApiResponse
  /** To be applied to the world, in order, before the answer leaves. */
  readonly changes: readonly Change[]
  /** What was wrong with the request, whether it was let pass or refused. */
  readonly warnings: readonly string[]
}

/** What a simulated API is made of. */
export interface SimulatedApiOptions {
  readonly api: CompiledApi
  readonly world: World
  readonly seed: string
  readonly validation: ValidationMode
  readonly strictParents: boolean
  /** Answers to requests with an idempotency key. @default none yet */
  readonly answers?: JournaledMap<RememberedAnswer> | undefined
}

/**
 * The API that a description describes, over the data of one world. Synchronous and without a clock; it reads the
 * world and returns changes. It writes only the answers to requests with an idempotency key.
 */
export class SimulatedApi {
  readonly #setting: Setting
  readonly #validation: ValidationMode
  readonly #errors: ErrorBodies
  readonly #idempotency: IdempotencyKeys

  constructor({ api, world, seed, validation, strictParents, answers }: SimulatedApiOptions) {
    const { dataset } = world
    const projector = new Projector(
      (schema, key, name) => dataset.example(schema, key, name === undefined ? undefined : { name }),
      api.exactObjects,
    )
    this.#setting = { api, world, seed, strictParents, presenter: new Presenter(api.model, projector) }
    this.#validation = validation
    this.#errors = new ErrorBodies(api.model, projector)
    this.#idempotency = new IdempotencyKeys(answers)
  }

  /** Finds the operation that a request is for. */
  route(request: ApiRequest): Route {
    if (isPreflight(request)) return { response: withCors(answerPreflight(request), request) }
    const { router } = this.#setting.api
    const found = router.find(request.method, request.path)
    if ('compiled' in found) return { ...found, head: false }
    const other = fallbackMethod(request, found.allowed)
    const instead = other === undefined ? undefined : router.find(other, request.path)
    if (instead && 'compiled' in instead) return { ...instead, head: request.method === 'HEAD' }
    return { response: withCors(this.#answerUnrouted(request, found.allowed), request) }
  }

  /** Holds a request against the security that its operation declares. `isKey` knows the keys of the simulation. */
  authenticate(
    { compiled: { operation } }: MatchedRoute,
    request: ApiRequest,
    isKey: (secret: string) => boolean,
  ): { key: string | null } | { response: ApiResponse } {
    const { model } = this.#setting.api
    if (operation.effect.kind === 'token' || isLogin(operation)) {
      for (const secret of tokenRequestSecrets(request)) if (isKey(secret)) return { key: secret }
      return { key: null }
    }
    const key = findKey(model, operation, request, isKey)
    if (key !== null || isPublic(operation)) return { key }
    const place = describeSecurity(model, operation)
    const message = `Expected a key of this simulation: send it as ${place}.`
    const response = this.#errors.write(operation, { status: 401, code: 'unauthorized', message })
    const headers = { ...response.headers, 'WWW-Authenticate': challengeOf(model, operation) }
    return { response: withCors({ ...response, headers }, request) }
  }

  /**
   * Answers a request. Pure: nothing is written; the changes are the caller's to apply.
   *
   * @param context `at`: world time in milliseconds; `key`: what `authenticate` gave; `isPreview`: the changes will not
   *   be applied, so that the answer must not be given again to a repetition
   */
  perform(
    route: MatchedRoute,
    request: ApiRequest,
    context: { at: number; key?: string | null; isPreview?: boolean },
  ): Outcome {
    const warnings: string[] = []
    try {
      const done = this.#performOnce(route, request, context, warnings)
      const response = route.head ? { ...done.response, body: null } : done.response
      return { response: withCors(response, request), changes: done.changes, warnings }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const response = this.#errors.write(route.compiled.operation, error)
      return { response: withCors(response, request), changes: [], warnings: [...warnings, error.message] }
    }
  }

  /** A record as its item read shows it: `data.object` of its events. */
  present(collection: string, record: JsonObject): Json {
    const { presenter, world } = this.#setting
    const key = keyOf(world.collection(collection).model, record) ?? ''
    return presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
  }

  /** An error in the shape that the description declares for it, else `{ error: { code, message } }`. */
  errorResponse(route: MatchedRoute | undefined, status: number, code: string, message: string): ApiResponse {
    return this.#errors.write(route?.compiled.operation, { status, code, message })
  }

  /** Lets pages of any origin read an answer. */
  withCors(response: ApiResponse, request: ApiRequest): ApiResponse {
    return withCors(response, request)
  }

  #performOnce(
    route: MatchedRoute,
    request: ApiRequest,
    { at, key = null, isPreview }: { at: number; key?: string | null; isPreview?: boolean },
    warnings: string[],
  ): Done {
    const { operation } = route.compiled
    // The answer of a token endpoint is the key, which is never kept.
    const name = operation.effect.kind === 'token' ? undefined : this.#idempotency.nameOf(request, key)
    const repeated = name && this.#idempotency.recall(name, request, operation)
    if (repeated) return showToken(operation, { response: repeated, changes: [] }, key)
    const call = this.#read(route, request, { at, key }, warnings)
    const done = this.#operate(call)
    this.#warnOfUnread(call, warnings)
    if (name && !isPreview && done.response.status < 400) this.#idempotency.remember(name, request, done.response)
    return showToken(operation, done, key)
  }

  /** A filter that does nothing would pass for one that works. */
  #warnOfUnread({ compiled, query }: Call, warnings: string[]): void {
    if (query.pairs.length === 0 || compiled.unreadParameters.length === 0) return
    const names = Object.keys(query.values)
    const unread = compiled.unreadParameters.filter((name) => names.includes(name))
    if (unread.length > 0) warnings.push(`Not filtered by ${unread.join(', ')}: the records have no field that fits.`)
  }

  #read(
    { compiled, params }: MatchedRoute,
    request: ApiRequest,
    { at, key }: { at: number; key: string | null },
    warnings: string[],
  ): Call {
    const { operation } = compiled
    const isStrict = this.#validation === 'strict'
    const representation = this.#negotiate(compiled, request)
    const isInBody = operation.method === 'GET' && request.method === 'POST'
    const query = readQuery(compiled.queryParameters, isInBody ? formOf(request) : request.query)
    const body: Body = isInBody ? NO_BODY : readBody(operation, request, isStrict)
    const misfits =
      this.#validation === 'off' ? NO_MISFITS : validateRequest(compiled, { params, query, body, request })
    const refusal = joinRefusals(misfits.sent)
    if (isStrict && refusal) throw refusal
    for (const { message } of misfits.sent) warnings.push(message)
    for (const { message } of misfits.path) warnings.push(message)
    const pathMisfit = isStrict ? misfits.path[0] : undefined
    return { operation, compiled, params, query, body, request, at, key, representation, pathMisfit }
  }

  /** A path that does not fit is refused as such where it leads to nothing. */
  #operate(call: Call): Done {
    if (call.pathMisfit && call.operation.effect.kind === 'example') throw call.pathMisfit
    try {
      return operate(this.#setting, call)
    } catch (error) {
      const isMissing = error instanceof Refusal && error.status === 404
      throw isMissing && call.pathMisfit ? call.pathMisfit : error
    }
  }

  #negotiate({ operation, representation: byDefault }: CompiledOperation, request: ApiRequest): Representation {
    const accept = this.#validation === 'off' ? undefined : request.headers.accept
    const representation = negotiate(operation.success, byDefault, accept)
    if (!representation.mediaType.includes('xml')) return representation
    const message = `Failed to answer as ${representation.mediaType}: this simulation writes JSON and plain text, no XML.`
    throw new Refusal(406, 'not_acceptable', message)
  }

  #answerUnrouted(request: ApiRequest, allowed: ReadonlySet<string>): ApiResponse {
    const { method, path } = request
    const { model } = this.#setting.api
    if (allowed.size === 0) {
      const near = nearestOperations(model, method, path)
      const hint = near.length === 0 ? '' : ` The nearest operations are ${near.join(', ')}.`
      const message = `Failed to find ${method} ${path}: ${model.title} has no such path.${hint}`
      return this.#errors.write(undefined, { status: 404, code: 'not_found', message })
    }
    const methods = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    const Allow = [...new Set(methods)].join(', ')
    if (method === 'OPTIONS') return { status: 204, headers: { Allow }, body: null }
    const message = `Failed to find ${method} ${path}: the path has ${Allow}.`
    const response = this.#errors.write(undefined, { status: 405, code: 'method_not_allowed', message })
    return { ...response, headers: { ...response.headers, Allow } }
  }
}

/** The answer of a login holds the key that was shown. */
function showToken(operation: Operation, done: Done, key: string | null): Done {
  return key !== null && isLogin(operation) ? withToken(done, key) : done
}

/** HEAD is answered by GET; POST by GET on paths of remote procedures, which take either. */
function fallbackMethod({ method, path }: ApiRequest, allowed: ReadonlySet<string>): string | undefined {
  if (!allowed.has('GET')) return undefined
  const isProcedure = method === 'POST' && allowed.size === 1 && /\.[a-z]\w*\/?$/i.test(path)
  return method === 'HEAD' || isProcedure ? 'GET' : undefined
}
