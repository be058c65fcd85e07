import { type Json, type JsonObject, readField } from '../../protocol/json.ts'
import { isSecret } from '../../protocol/same-secret.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import { keyOf } from '../world/field.ts'
import type { JournaledMap } from '../world/journaled-map.ts'
import type { World } from '../world/world.ts'
import { takesAnyType } from './body/read-body.ts'
import { type Answered, type ApiCall, NO_CHANGES, type Setting } from './calls/call.ts'
import { findIgnored } from './calls/ignored-parameters.ts'
import { readCall } from './calls/read-call.ts'
import { checkCursor } from './calls/strange-cursor.ts'
import { TokenSigner } from './calls/token-signer.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import type { CompiledOperation } from './compiled/compiled-operation.ts'
import { operateConducted } from './conduct/operate-conducted.ts'
import { checkQuery } from './conduct/strict-query.ts'
import { answerPreflight, isPreflight, withCors } from './cors.ts'
import { type ApiRequest, type ApiResponse, headOf, isProcedurePath } from './exchange.ts'
import { resolveValue, shownAs } from './expressions/evaluate.ts'
import type { ConductBook } from './facts/conduct-book.ts'
import { IdempotencyKeys, type RememberedAnswer } from './idempotency.ts'
import { PageWords } from './listing/page-words.ts'
import { withEntries } from './operations/audit-entries.ts'
import { operate } from './operations/operate.ts'
import { withToken } from './operations/token.ts'
import { ErrorBodies } from './presentation/error-bodies.ts'
import type { ErrorFacts } from './presentation/error-facts.ts'
import { Presenter } from './presentation/presenter.ts'
import { Projector } from './presentation/project.ts'
import { Draft } from './records/draft.ts'
import { tellMissingParents } from './records/scope.ts'
import { Refusal } from './refusal.ts'
import { type RequestContext, routeOf } from './request-context.ts'
import { RuleSubject } from './rules/rule-subject.ts'
import { challengeOf, describeSecurity, findKey, type Keys, showsKey, tellSpelling } from './security.ts'
import { explainUnknownPath } from './unknown-path.ts'
import { findExcess } from './validation/record-size.ts'

/** The parts of a simulated API. */
export interface SimulatedApiOptions {
  readonly api: CompiledApi
  readonly world: World
  readonly seed: string
  readonly validation: ValidationMode
  readonly strictParents: boolean
  /** Answers to requests with an idempotency key. @default none yet */
  readonly answers?: JournaledMap<RememberedAnswer> | undefined
  /** The effects of a library entry. */
  readonly conduct?: ConductBook | undefined
}

/** Most keys created by an API that are searched before the request's body has arrived. */
const MOST_KEYS_AT_ONCE = 5_000

/**
 * The API of a description, over the data of one world. Synchronous and without a clock: it reads the world and returns
 * changes. It only writes the answers to requests with an idempotency key.
 */
export class SimulatedApi {
  readonly #setting: Setting
  readonly #validation: ValidationMode
  readonly #errors: ErrorBodies
  readonly #idempotency: IdempotencyKeys

  constructor({ api, world, seed, validation, strictParents, answers, conduct }: SimulatedApiOptions) {
    const { dataset } = world
    const projector = new Projector(dataset, api.exactObjects)
    const presenter = new Presenter(api.model, projector)
    const pageWords = new PageWords()
    this.#setting = { api, world, seed, strictParents, presenter, pageWords, conduct, signer: new TokenSigner(seed) }
    this.#validation = validation
    this.#errors = new ErrorBodies(api.model, projector, conduct?.errors)
    this.#idempotency = new IdempotencyKeys(answers)
  }

  /** Finds the operation of a request. Answers a request without one. */
  route(context: RequestContext): ApiResponse | undefined {
    const { request } = context
    if (isPreflight(request)) return withCors(answerPreflight(request), request)
    const { router } = this.#setting.api
    const found = router.find(request.method, request.path)
    if ('compiled' in found) {
      context.route = { compiled: found.compiled, params: found.params, isHead: false }
      return undefined
    }
    const other = fallbackMethod(request, found.allowed)
    const instead = other === undefined ? undefined : router.find(other, request.path)
    const isRefused = other === 'POST' && instead && 'compiled' in instead && !takesAnyType(instead.compiled.operation)
    if (instead === undefined || isRefused || !('compiled' in instead))
      return this.#answerUnrouted(context, found.allowed)
    context.route = { ...instead, isHead: request.method === 'HEAD' }
    return undefined
  }

  /** Finds the key of a request. Refuses a request without the key that its operation requires. */
  authenticate(context: RequestContext, keys: Keys): ApiResponse | undefined {
    const { api } = this.#setting
    const { compiled } = routeOf(context)
    const { operation } = compiled
    context.key = findKey(api.model, compiled, context.request, this.#withOwnKeys(context, keys))
    if (compiled.isPublic) return undefined
    if (context.key !== null) {
      const told = tellSpelling(api.model, operation, context.request, context.key)
      if (told !== undefined) context.warnings.push(told)
      return undefined
    }
    const place = describeSecurity(api.model, operation)
    const message = `Expected a key of this simulation: send it as ${place}.`
    const headers = { 'WWW-Authenticate': challengeOf(api.model, operation) }
    const facts = { fault: showsKey(api.model, context.request) ? 'value' : 'missing' }
    context.warnings.push(message)
    return this.refuse(context, { status: 401, code: 'unauthorized', message, facts }, headers)
  }

  /** The keys, and those created by the API itself, where its entry defines such records. */
  #withOwnKeys(context: RequestContext, keys: Keys): Keys {
    const { conduct, world } = this.#setting
    if (conduct?.keys === undefined) return keys
    const { of, field } = conduct.keys
    const path = field.split('.')
    const isMade = (secret: string): boolean => {
      const made = world.collection(of)
      // Many keys are searched in slices, which is impossible before the body is read: the request is judged later.
      if (context.request.isUnread && made.count > MOST_KEYS_AT_ONCE) return true
      return made.select({ where: [{ field: path, test: isSecret(secret) }], limit: 1 }).total > 0
    }
    return { has: (secret) => keys.has(secret) || isMade(secret) }
  }

  /**
   * Answers a routed request. Pure: the caller applies the changes.
   *
   * @param isPreview the changes will not be applied, so that the answer is not kept for repetitions
   */
  perform(context: RequestContext, isPreview = false): Answered {
    const { compiled, isHead } = routeOf(context)
    try {
      const answered = this.#answer(context, compiled, isPreview)
      const { response } = answered
      const shown = withCors(isHead ? headOf(response) : response, context.request)
      const whole = this.#withEntryHeaders(context, shown)
      return whole === response ? answered : { ...answered, response: whole }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      context.warnings.push(error.message)
      return { response: this.refuse(context, error), changes: error.changes }
    }
  }

  /** An error in the description's form, else `{ error: { code, message } }`. */
  refuse(context: RequestContext, facts: ErrorFacts, headers?: Record<string, string>): ApiResponse {
    const { request, route } = context
    const operation = route?.compiled.operation
    const own = operation && this.#setting.conduct?.effectOf(operation)?.facts
    // A spread does not copy the message of an Error.
    const { message } = facts
    const told = { ...facts, message, facts: { path: this.#pathBelow(request), ...own, ...facts.facts } }
    const response = this.#errors.write(operation, told)
    const whole = headers ? { ...response, headers: { ...response.headers, ...headers } } : response
    return this.#withEntryHeaders(context, withCors(whole, request))
  }

  /** The request's path below the base path of the servers. */
  #pathBelow({ path }: ApiRequest): string {
    const base = this.#setting.api.model.basePaths.find((one) => one !== '' && path.startsWith(`${one}/`)) ?? ''
    return path.slice(base.length)
  }

  /** A request for response rules. */
  toSubject({ request, route }: RequestContext): RuleSubject {
    return new RuleSubject(request, route?.compiled, this.#setting.api.model.basePaths)
  }

  /** A record as in its item read: `data.object` of its events. */
  present(collection: string, record: JsonObject): Json {
    const { presenter, world, conduct, seed } = this.#setting
    if (conduct?.views.has(collection) === true) {
      const draft = new Draft(world, 0, [])
      const names = { entry: conduct.facts }
      return shownAs(collection, record, { draft, names, views: conduct.views, at: 0, seed })
    }
    const key = keyOf(world.collection(collection).model, record) ?? ''
    return presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
  }

  /** Answers a request, or repeats the earlier answer for its idempotency key. */
  #answer(context: RequestContext, compiled: CompiledOperation, isPreview: boolean): Answered {
    const { request, key } = context
    const { operation } = compiled
    // The answer of a token endpoint has the key, which is never kept.
    const inHeader = operation.effect.kind === 'token' ? undefined : this.#idempotency.nameOf(request, key)
    const repeated = inHeader === undefined ? undefined : this.#repeated(context, compiled, inHeader)
    if (repeated) return repeated
    const { conduct } = this.#setting
    const call = readCall(context, this.#validation)
    const name = inHeader ?? (conduct && this.#nameInBody(call, conduct))
    const repeatedByBody = name === inHeader ? undefined : this.#repeated(context, compiled, name)
    if (repeatedByBody) return repeatedByBody
    if (conduct && this.#validation === 'strict') checkQuery(this.#setting, call, conduct)
    if (conduct?.effectOf(operation) === undefined)
      checkCursor(this.#setting.world, call, { warnings: context.warnings, mode: this.#validation })
    const answered = conduct
      ? this.#conduct(call, conduct)
      : withEntries(this.#setting, call, operate(this.#setting, call))
    const excess = findExcess(answered.changes)
    if (excess !== undefined) throw new Refusal(413, 'invalid_request', excess.message, excess.field)
    context.warnings.push(...findIgnored(call))
    if (conduct?.effectOf(operation) === undefined) context.warnings.push(...tellMissingParents(this.#setting, call))
    if (answered.warnings !== undefined) context.warnings.push(...answered.warnings)
    const { response } = answered
    if (name && !isPreview && response.status < 400) this.#idempotency.remember(name, request, response)
    return this.#showToken(context, compiled, answered)
  }

  /** The earlier answer for the request's idempotency key; undefined without one. */
  #repeated(context: RequestContext, compiled: CompiledOperation, name: string | undefined): Answered | undefined {
    const response = name && this.#idempotency.recall(name, context.request, compiled.operation)
    context.isRepeated = Boolean(response)
    return response ? this.#showToken(context, compiled, { response, changes: NO_CHANGES }) : undefined
  }

  /** The name of a request whose idempotency key is in the entry's body field. */
  #nameInBody({ body, request, key }: ApiCall, { idempotencyField: field }: ConductBook): string | undefined {
    const given = field && readField(body.value, field.split('.'))
    return typeof given === 'string' && given !== '' ? this.#idempotency.nameWith(given, request, key) : undefined
  }

  /** An answer with the entry's headers. */
  #withEntryHeaders({ request, at, isRepeated }: RequestContext, response: ApiResponse): ApiResponse {
    const { conduct, world, seed } = this.#setting
    if (conduct === undefined || Object.keys(conduct.headers).length === 0) return response
    const { method, path, query } = request
    const scope = {
      draft: new Draft(world, at, []),
      names: { entry: conduct.facts, request: { header: { ...request.headers }, isRepeated } },
      views: conduct.views,
      at,
      seed: [seed, at, method, path, query].join(' '),
    }
    const own = Object.entries(conduct.headers).flatMap(([name, value]) => {
      const text = resolveValue(value, scope, name)
      return text === undefined || text === null ? [] : [[name, String(text)]]
    })
    return { ...response, headers: { ...Object.fromEntries(own), ...response.headers } }
  }

  /** The answer of a login shows the sent key, unless an entry defines the answer. */
  #showToken({ key }: RequestContext, { operation, isLogin }: CompiledOperation, answered: Answered): Answered {
    if (key === null || !isLogin) return answered
    const isWritten = this.#setting.conduct?.effectOf(operation) !== undefined
    return isWritten ? answered : withToken(answered, key)
  }

  /** Applies the operation and its entry's effects. A read of a deleted record may give the answer of its deletion. */
  #conduct(call: ApiCall, book: ConductBook): Answered {
    try {
      const answered = operateConducted(this.#setting, call, book)
      if (book.effectOf(call.operation)?.tombstone !== true) return answered
      for (const change of answered.changes) {
        if (change.type === 'deleted' && 'key' in change)
          this.#idempotency.remember(tombstoneOf(change.collection, change.key), call.request, answered.response)
      }
      return answered
    } catch (error) {
      const isMissing = error instanceof Refusal && error.code === 'not_found' && call.operation.method === 'GET'
      if (!isMissing) throw error
      const response = this.#idempotency.reread(tombstoneOf(String(error.facts.collection), String(error.facts.id)))
      if (response === undefined) throw error
      return { response, changes: NO_CHANGES }
    }
  }

  #answerUnrouted(context: RequestContext, allowed: ReadonlySet<string>): ApiResponse {
    const { method, path } = context.request
    const { model } = this.#setting.api
    if (allowed.size === 0) {
      const message = explainUnknownPath(model, this.#setting.conduct, context.request)
      context.warnings.push(message)
      const facts = { fault: 'path', method }
      return this.refuse(context, { status: 404, code: 'not_found', message, facts })
    }
    const methods = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    const Allow = [...new Set(methods)].join(', ')
    if (method === 'OPTIONS') return withCors({ status: 204, headers: { Allow }, body: null }, context.request)
    const message = `Failed to find ${method} ${path}: the path has ${Allow}.`
    context.warnings.push(message)
    return this.refuse(context, { status: 405, code: 'method_not_allowed', message }, { Allow })
  }
}

const tombstoneOf = (collection: string, key: string): string => ['gone', collection, key].join('\u0000')

/** GET answers HEAD; on paths of remote procedures GET answers POST, and POST answers GET where its body may have any type. */
function fallbackMethod({ method, path }: ApiRequest, allowed: ReadonlySet<string>): string | undefined {
  if (method === 'GET' && allowed.size === 1 && allowed.has('POST') && isProcedurePath(path)) return 'POST'
  if (!allowed.has('GET')) return undefined
  const isProcedure = method === 'POST' && allowed.size === 1 && isProcedurePath(path)
  return method === 'HEAD' || isProcedure ? 'GET' : undefined
}
