import type { AccountStep } from '../../names/account-step.ts'
import { pairsOf } from '../../protocol/form.ts'
import { readField } from '../../protocol/json.ts'
import { isFormType } from '../../protocol/media-type.ts'
import type { WorldPart } from '../world/collection-states.ts'
import { type Answered, type ApiCall, NO_CHANGES } from './calls/call.ts'
import { checkQuery, warnOfIgnored, warnOfUnread } from './calls/check-query.ts'
import { readCall } from './calls/read-call.ts'
import type { CompiledOperation } from './compiled/compiled-operation.ts'
import { type ApiRequest, type ApiResponse, headOf, jsonOf, withHeaders } from './exchange.ts'
import type { EntryEffects } from './facts/entry-effects.ts'
import { laterChanges } from './facts/later-changes.ts'
import { findRoute } from './find-route.ts'
import { Expander, expansionsOf } from './handlers/expand.ts'
import { type HandledRequest, type InnerRequest, operateWith, runHandlers } from './handlers/run-handlers.ts'
import { withAccount, withCredentials } from './operations/accounts.ts'
import { answerJson } from './operations/answer.ts'
import { withEntries } from './operations/audit-entries.ts'
import { declaredHeaders, NO_HEADERS } from './operations/declared-headers.ts'
import { explainDoubts, explainUnclear } from './operations/explain-effect.ts'
import { isDeleted, operate } from './operations/operate.ts'
import { withToken } from './operations/token.ts'
import { Draft } from './records/draft.ts'
import { warnOfMissingParents } from './records/scope.ts'
import { Refusal } from './refusal.ts'
import { type RequestContext, routeOf, toContext } from './request-context.ts'
import type { SimulatedApi } from './simulated-api.ts'
import { findExcess } from './validation/record-size.ts'

/**
 * Performs the operation of a routed request: parses the call, runs its handler, presents the answer. Pure: the caller
 * applies the changes.
 *
 * @param isPreview the changes will not be applied, so that the answer is not kept for repetitions
 * @param draft that of a handler which calls the operation
 */
export function performOperation(
  api: SimulatedApi,
  context: RequestContext,
  isPreview = false,
  draft?: Draft,
): Answered {
  const { compiled, isHead } = routeOf(context)
  try {
    const part = api.entryEffects && partOf(api, context, draft)
    const how = { isPreview, draft }
    const answered =
      part === undefined
        ? answerCall(api, context, compiled, how)
        : api.world.inPart(part, () => answerCall(api, context, compiled, how))
    const { response } = answered
    let shown = isHead
      ? headOf(response)
      : context.request.headers.range === undefined
        ? response
        : withRange(context.request, response)
    if (api.entryEffects !== undefined) shown = api.withEntryHeaders(context, shown)
    const declared = declaredHeaders(api, context, { response: shown, changes: answered.changes })
    if (declared !== NO_HEADERS) shown = { ...shown, headers: { ...shown.headers, ...declared } }
    shown = withResponder(context, shown)
    const { delivery } = shown
    const later = delivery?.later?.catch((refusal: Refusal) => api.refuse(context, refusal))
    if (later !== undefined) shown = { ...shown, delivery: { delayMs: 0, fault: undefined, later } }
    return shown === response ? answered : { ...answered, response: shown }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.warnings.push(error.message)
    return { response: withResponder(context, api.refuse(context, error)), changes: error.changes }
  }
}

/** An answer with the test's function that gave it. */
function withResponder(context: RequestContext, response: ApiResponse): ApiResponse {
  const { responder } = context
  if (responder === undefined) return response
  context.ruleId ??= responder
  return { ...response, headers: { ...response.headers, 'Backlot-Rule': `${responder}; kind=respondWith` } }
}

/** Answers a call, or repeats the earlier answer for its idempotency key. */
function answerCall(
  api: SimulatedApi,
  context: RequestContext,
  compiled: CompiledOperation,
  { isPreview, draft }: { readonly isPreview: boolean; readonly draft: Draft | undefined },
): Answered {
  const { request, key, warnings } = context
  const { entryEffects, idempotency } = api
  const { operation } = compiled
  const links = api.linksOf(context)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isSignIn = operation.effect.kind === 'signIn'
  const inHeader = isRead || isSignIn ? undefined : idempotency.nameOf(request, callerOf(api, context, draft))
  const repeated = inHeader === undefined ? undefined : repeat(api, context, compiled, inHeader)
  if (repeated) return repeated
  const call = readCall(context, compiled, api.validation)
  const name = inHeader ?? (entryEffects && nameInBody(api, context, call, entryEffects))
  const repeatedByBody = name === inHeader ? undefined : repeat(api, context, compiled, name)
  if (repeatedByBody) return repeatedByBody
  const hasQuery = call.query.pairs.length > 0 && !isSignIn
  if (hasQuery) checkQuery(api, call, warnings)
  const row = entryEffects?.rowOf(operation)
  const step = row === undefined && links.length === 0 ? api.api.accountSteps.get(operation) : undefined
  let answered: Answered
  try {
    answered =
      step !== undefined
        ? operateOnAccount(api, call, step)
        : entryEffects !== undefined || links.length > 0
          ? performHandled(toHandled(api, context, { call, draft, links }), isSignIn ? undefined : entryEffects)
          : draft === undefined || draft.revision === 0
            ? operate(api, call)
            : operateAmid(api, call, draft)
  } catch (error) {
    // A refusal that changes records, as of a card, is not repeated either.
    if (name && !isPreview && error instanceof Refusal && error.changes.length > 0)
      idempotency.remember(name, context, api.refuse(context, error))
    throw error
  }
  if (step === undefined && api.api.accountSteps.size > 0) answered = withCredentials(api, call, answered)
  if (entryEffects === undefined && api.api.auditLogs.length > 0) answered = withEntries(api, call, answered)
  const excess = answered.changes.length === 0 ? undefined : findExcess(answered.changes)
  if (excess !== undefined) throw new Refusal(413, 'too_large', excess.message, excess.field)
  if (hasQuery) warnOfIgnored(api, call, { warnings, isHandled: links.length > 0 })
  if (entryEffects !== undefined && entryEffects.ignored.length > 0) warnOfUnread(entryEffects.ignored, call, warnings)
  // An operation on a record of its own warns of that one.
  const { effect } = operation
  const isBelow = 'scope' in effect && effect.scope.length > 0 && !('keys' in effect)
  if (isBelow && row === undefined) warnOfMissingParents(api, call, effect.scope, warnings)
  if (answered.warnings !== undefined) warnings.push(...answered.warnings)
  const { response } = answered
  if (row === undefined && links.length === 0 && !isPreview && response.status < 400)
    warnings.push(
      ...(step === undefined ? explainUnclear(compiled, answered.changes.length === 0, call.body.value) : []),
      ...(entryEffects?.isJoined === false ? [] : explainDoubts(api.api, call, answered)),
    )
  if (name && !isPreview && response.status < 400 && response.delivery?.later === undefined) {
    answered = { ...answered, response: api.withEntryHeaders(context, response) }
    idempotency.remember(name, context, answered.response)
  }
  const later = laterChanges(operation, answered.changes, { world: api.world, at: call.at })
  if (later.length > 0) return { ...answered, later }
  const isEntrys = row !== undefined || (links.length > 0 && entryEffects?.isJoined === false)
  const isOpen = compiled.isLogin && !isEntrys && step === undefined
  return key !== null && isOpen ? withToken(answered, key) : answered
}

/** {@link operate} over the changes of a draft. */
const operateAmid = (api: SimulatedApi, call: ApiCall, draft: Draft): Answered => draft.amid(() => operate(api, call))

const operateOnAccount = (api: SimulatedApi, call: ApiCall, step: AccountStep): Answered =>
  withAccount(api, call, step, () => operate(api, call))

/** A request for handlers, which may do other operations. */
function toHandled(
  api: SimulatedApi,
  context: RequestContext,
  { call, links, draft = new Draft(api.world, context.at, []) }: HandlerParts,
): HandledRequest {
  const perform = (asked: InnerRequest) =>
    performWithin(api, asked, { call, draft, account: partOf(api, context, draft)?.name })
  return { setting: api, call, draft, links, context, perform }
}

type HandlerParts = Pick<HandledRequest, 'call' | 'links'> & { readonly draft: Draft | undefined }

const performHandled = (handled: HandledRequest, effects: EntryEffects | undefined): Answered =>
  effects === undefined ? runHandlers(handled) : performInEntry(handled, effects)

/** Does another operation for a handler, whose draft gets its changes. Throws for a path without one. */
function performWithin(
  api: SimulatedApi,
  { method, path: target, body }: InnerRequest,
  {
    call: { request, at, realAt, key },
    draft,
    account,
  }: Pick<HandledRequest, 'call' | 'draft'> & { account: string | undefined },
): ApiResponse {
  const [path = '', query = ''] = target.split('?')
  const [header = ''] = api.entryEffects?.accounts?.headers ?? []
  const headers = {
    ...request.headers,
    ...(account && { [header]: account }),
    'content-type': 'application/json',
    accept: '*/*',
  }
  const asked = { ...request, method, path, query, headers, body: Buffer.from(JSON.stringify(body)) }
  const context = toContext({ request: asked, at, realAt })
  const unrouted = findRoute(api, context)
  if (unrouted !== undefined) throw new Error(context.warnings[0] ?? `Failed to find ${method} ${path}.`)
  context.key = key
  const types = [...(routeOf(context).compiled.operation.requestBody?.content.keys() ?? [])]
  if (types.length > 0 && types.every(isFormType)) {
    headers['content-type'] = types[0] ?? ''
    asked.body = Buffer.from(new URLSearchParams(pairsOf(body)).toString())
  }
  const undo = draft.mark()
  const { revision } = draft
  // The key of the handler's request is not that of its calls: their answers are not repeated.
  const { response, changes } = performOperation(api, context, true, draft)
  if (changes.length === 0 && response.status >= 400) undo()
  else if (draft.revision === revision) draft.take(changes)
  return response
}

/** The account whose records a request reads and writes: else that of its path; for a page, that of the record in its path. Refuses an unknown one. */
function partOf(
  { entryEffects, world }: SimulatedApi,
  { request, key, route }: RequestContext,
  draft?: Draft,
): WorldPart | undefined {
  const { accounts } = entryEffects ?? {}
  if (accounts === undefined) return undefined
  const named = accounts.headers.map((name) => request.headers[name]).find(Boolean)
  const places = Object.values(route?.params ?? {})
  const isKnown = (id: string) => world.collection(accounts.of).has(id) || draft?.get(accounts.of, id) !== undefined
  const ownOf = (id: string) => accounts.hidden === true && isKnown(id)
  const id = named ?? (key === null ? world.partWith(places) : places.find(ownOf)) ?? ''
  if (id !== '' && !isKnown(id)) {
    const facts = { id, key }
    throw new Refusal(403, 'unknown_account', `Failed to find the account "${id}".`, undefined, { facts })
  }
  return { ...accounts, name: id }
}

/** Who sent an idempotency key: each account of a key has its own. */
function callerOf(api: SimulatedApi, context: RequestContext, draft?: Draft): string | null {
  const account = partOf(api, context, draft)?.name
  return account ? `${context.key}\u0000${account}` : context.key
}

/** The earlier answer for the request's idempotency key; undefined without one. */
function repeat(
  api: SimulatedApi,
  context: RequestContext,
  { operation, isLogin }: CompiledOperation,
  name: string | undefined,
): Answered | undefined {
  const response = name && api.idempotency.recall(name, context, operation)
  if (!response) return undefined
  context.repeated = response
  const answered = { response, changes: NO_CHANGES }
  const isPlain = context.key === null || !isLogin || api.entryEffects?.rowOf(operation) !== undefined
  return isPlain ? answered : withToken(answered, context.key ?? '')
}

/** The name of a request whose idempotency key is in the entry's body field. */
function nameInBody(
  api: SimulatedApi,
  context: RequestContext,
  { body, request }: ApiCall,
  { idempotencyField: field }: EntryEffects,
): string | undefined {
  const given = field && readField(body.value, field.split('.'))
  return typeof given === 'string' && given !== ''
    ? api.idempotency.nameWith(given, request, callerOf(api, context))
    : undefined
}

/** Calls the handlers of an operation, or does what the model says; with the entry's references and expansions. */
function performInEntry(request: HandledRequest, effects: EntryEffects): Answered {
  const { setting, call, draft, links } = request
  const { tombstone } = effects.rowOf(call.operation) ?? {}
  if (tombstone !== undefined && isDeleted(setting, call)) {
    const body = { id: Object.values(call.params).at(-1) ?? '', ...tombstone }
    return { response: answerJson(call, body), changes: NO_CHANGES }
  }
  const answered = links.length === 0 ? operateWith(request) : runHandlers(request)
  const paths = expansionsOf(call)
  const shown = paths.length === 0 ? undefined : jsonOf(answered.response)
  if (shown === undefined) return answered
  if (links.length === 0) draft.take(answered.changes)
  const expander = new Expander(setting, draft, effects)
  const body = paths.reduce((value, path) => expander.expand(value, path), shown)
  return { ...answered, response: { ...answered.response, body: JSON.stringify(body) } }
}

/** The part of a file that `Range` asks for (RFC 9110, 14): one range of bytes; of several, the whole file. */
function withRange({ method, headers }: ApiRequest, response: ApiResponse): ApiResponse {
  const { status, body, headers: own, delivery } = response
  const isFile =
    body !== null && delivery === undefined && status === 200 && !/json|xml/.test(String(own['Content-Type']))
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (method !== 'GET' || !isFile || headers['if-range'] !== undefined || from + to === '') return response
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (start > end) return { status: 416, headers: { 'Content-Range': `bytes */${bytes.length}` }, body: null }
  const range = { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${start}-${end}/${bytes.length}` }
  return withHeaders({ ...response, status: 206, body: bytes.slice(start, end + 1) }, range)
}
