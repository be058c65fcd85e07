import type { ListNarrowing } from '../../../protocol/handler.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { checkerOf } from '../../../schema/checker.ts'
import { describeProblem } from '../../../schema/problem.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { Envelope } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import { LongRead } from '../../world/long-reads.ts'
import { type Answered, type ApiCall, type Found, NO_CHANGES, type Setting } from '../calls/call.ts'
import { type ApiResponse, jsonOf, type LateAnswer } from '../exchange.ts'
import { answerEmpty, answerJson, answerRecord, answerRecords, EMPTY_STATUSES } from '../operations/answer.ts'
import { locationOf } from '../operations/create.ts'
import { operate } from '../operations/operate.ts'
import { firstFields, sentFields } from '../records/client-fields.ts'
import { checkDeclared } from '../records/declared-checks.ts'
import type { Draft, RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'
import type { ReplySource } from '../replies/replies.ts'
import type { RequestContext } from '../request-context.ts'
import { withFacts } from './answer-facts.ts'
import { type DueRun, HandlerContext, placeNamed, WholeAnswer } from './handler-context.ts'
import type { Handler, UserFunctions } from './user-functions.ts'

/** A handler of an operation. `next` of one does the following one, of the last what the model says. */
export interface HandlerLink {
  /** `POST /bookings` */
  readonly name: string
  readonly handler: Handler
  /** Whether a user wrote it: its errors fail the test. */
  readonly isUsers: boolean
  /** Id of a test's function. */
  readonly responder?: string
}

/** What handlers need besides the setting. */
export interface HandlerSurroundings {
  readonly functions: UserFunctions | undefined
  readonly events: () => readonly string[]
  readonly replies: ReplySource
}

/** An answer, and the record that its handler is about. */
type Ran = Answered & { readonly place?: RecordPlace | undefined }

/** A request of a handler to another operation. */
export interface InnerRequest {
  readonly method: string
  readonly path: string
  readonly body: object
}

/** One request that handlers answer. */
export interface HandledRequest {
  readonly setting: Setting & HandlerSurroundings
  readonly call: ApiCall
  readonly draft: Draft
  readonly links: readonly HandlerLink[]
  readonly perform: (asked: InnerRequest) => ApiResponse
  /** Receives the function that has answered. */
  readonly context: Pick<RequestContext, 'prompts' | 'responder' | 'warnings'>
  /** Whether a handler has let the API do the operation, which checks the references of what is left of the body. */
  isOperated?: boolean
}

/** Calls the first handler of a request; its answer and all changes. Throws a `Refusal`. */
export function runHandlers(request: HandledRequest): Answered {
  const { setting, call, draft, links } = request
  const isUsers = links.some((link) => link.isUsers)
  const place = isUsers ? draft.amid(() => placeNamed(setting, call)) : undefined
  if (isUsers && place === undefined && call.pathMisfit !== undefined) throw call.pathMisfit
  if (isUsers) request.context.warnings.push(...draft.amid(() => checkSent(setting, call, place)))
  const { response } = runLink(request, place, 0)
  if (!request.isOperated) checkReferences(request, call)
  const { advanceTo } = draft
  return { response, changes: draft.changes(), ...(advanceTo !== undefined && { advanceTo }) }
}

/** Checks what a write sends before its handler reads it: what it refers to is there, and no other record has its values. */
function checkSent(setting: Setting, call: ApiCall, place: RecordPlace | undefined): string[] {
  const { effect } = call.operation
  if (effect.kind !== 'create' && effect.kind !== 'update' && effect.kind !== 'replace') return []
  const { collection } = place ?? effect
  const sent = { collection, key: place?.key ?? '', record: firstFields(sentFields(call, effect.body)) }
  return checkDeclared(setting, call, [place ? { type: 'updated', ...sent } : { type: 'created', ...sent, scope: {} }])
}

function runLink(request: HandledRequest, place: RecordPlace | undefined, at: number, narrowed?: ListNarrowing): Ran {
  const { setting, call, draft, context } = request
  const link = request.links[at]
  if (link === undefined) return operateWith(request, narrowed)
  const run = new HandlerContext(
    {
      setting,
      draft,
      events: setting.events,
      replies: setting.replies,
      prompts: context.prompts,
      warnings: context.warnings,
    },
    call,
    link.isUsers ? place : undefined,
    { next: (further) => runLink(request, place, at + 1, further ?? narrowed), perform: request.perform },
  )
  const before = draft.revision
  let isOwn = true
  try {
    return callHandler(setting.functions, link, run, (answer) => {
      isOwn = answer !== undefined || draft.revision > before
      const asIs = (response: ApiResponse): ApiResponse => {
        if (link.isUsers) warnOfMisfit(link, call, response, context.warnings)
        const { fromAnswer } = setting.entryEffects ?? {}
        return link.isUsers && fromAnswer?.lastModified ? withFacts(call, response, fromAnswer) : response
      }
      const response = toResponse(setting, call, answer, { run, asIs })
      const next = answer instanceof WholeAnswer ? undefined : run.default?.response
      return { response: next ? withHead(response, next) : response, changes: NO_CHANGES, place: run.place }
    })
  } finally {
    if (isOwn && link.responder !== undefined) context.responder ??= link.responder
  }
}

/** Does what the API does without handlers. */
export function operateWith(request: HandledRequest, narrowed?: ListNarrowing): Answered {
  const { setting, call, draft } = request
  request.isOperated = true
  const asked = { ...withoutFields(call, narrowed?.drop), narrowed }
  const isText = (name: string) => typeof readField(call.body.value, [name]) === 'string'
  checkReferences({ setting, draft }, withoutFields(call, narrowed?.drop?.filter(isText)))
  return draft.amid(() => operate(setting, asked))
}

/** Refuses a reference to a missing record; a text that the API does not get is its handler's to find. */
function checkReferences(
  { setting, draft }: Pick<HandledRequest, 'setting' | 'draft'>,
  { body, operation, query }: ApiCall,
): void {
  const { references } = setting.entryEffects ?? {}
  const isRead = operation.method === 'GET'
  if (!references?.size) return
  for (const { name, path, id } of referencesIn(isRead ? { ...query.values } : (body.value ?? null), [])) {
    const collection = references.get(name)
    if (collection === undefined || id === '') continue
    const view = setting.world.collection(collection)
    if (view.findIn(id, []) !== undefined || draft.get(collection, id) !== undefined) continue
    if (isRead && setting.world.wasDeleted(collection, id)) continue
    const { singular } = view.model
    throw new Refusal(400, 'missing_reference', `Failed to find ${singular} "${id}".`, path.join('.'), {
      facts: { singular, collection, id },
    })
  }
}

function* referencesIn(
  value: Json,
  path: readonly string[],
  name = '',
): Generator<{ name: string; path: readonly string[]; id: string }> {
  if (typeof value === 'string') yield { name, path, id: value }
  else if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield* referencesIn(item, [...path, String(at)], name)
  else if (isJsonObject(value))
    for (const [own, below] of Object.entries(value))
      if (own !== 'metadata') yield* referencesIn(below, [...path, own], own)
}

function withoutFields(call: ApiCall, drop: readonly string[] = []): ApiCall {
  const { value } = call.body
  if (drop.length === 0 || !isJsonObject(value)) return call
  const kept = Object.entries(value).filter(([name]) => !drop.includes(name))
  return { ...call, body: { ...call.body, value: Object.fromEntries(kept) } }
}

/** An answer with the status and the headers of what `next` answered: a row of the entry may set them. */
const withHead = (response: ApiResponse, { status, headers }: ApiResponse): ApiResponse =>
  EMPTY_STATUSES.has(status)
    ? { status, headers, body: null }
    : { ...response, status, headers: { ...headers, ...response.headers } }

/** Calls a handler. An error of a user's is noted, and answers 500. */
export function callHandler<Context extends DueRun, T>(
  functions: UserFunctions | undefined,
  {
    name,
    handler,
    isUsers,
    responder,
  }: Pick<HandlerLink, 'name' | 'isUsers' | 'responder'> & { readonly handler: (context: Context) => unknown },
  context: Context,
  use: (answer: unknown) => T,
): T {
  try {
    const answer = complete(handler, context)
    const isPromise = answer instanceof Promise
    if (!isPromise && !isResponse(answer)) return use(answer)
    if (responder === undefined) throw isPromise ? asynchronous(name, answer) : unreadable(name)
    if (isPromise)
      context.draft.seal('Failed to change records: the handler has answered. Change them before its first `await`.')
    const later = Promise.resolve(answer).then((response) => toLateAnswer(name, response))
    const delivered = later.catch((error: unknown) => {
      throw functions?.failed(name, error) ?? error
    })
    delivered.catch(() => {})
    const delivery = { delayMs: 0, fault: undefined, later: delivered }
    return use(new WholeAnswer({ status: 200, headers: {}, body: null, delivery }))
  } catch (error) {
    if (!isUsers || error instanceof Refusal || error instanceof LongRead) throw error
    throw functions?.failed(name, error) ?? error
  }
}

/** What a handler returns or throws, unless it has caught a {@link LongRead}. */
function complete<Context extends DueRun>(handler: (context: Context) => unknown, context: Context): unknown {
  try {
    return handler(context)
  } finally {
    context.draft.throwAgain()
  }
}

/** Not `instanceof`: a test's environment may have a `Response` of its own. */
const isResponse = (answer: unknown): answer is Response =>
  typeof (answer as Partial<Response> | undefined | null)?.arrayBuffer === 'function'

function toLateAnswer(name: string, response: unknown): LateAnswer {
  if (!isResponse(response) || response.status < 200 || response.bodyUsed) {
    const got = !isResponse(response) ? JSON.stringify(response) : response.bodyUsed ? 'one that was read' : 'an error'
    throw new Error(
      `Expected the handler ${name} to promise a Response with an unread body, got ${got}. Leave out \`async\` and \`await\` to return a record or other JSON.`,
    )
  }
  const { status, headers, body, url } = response
  // The body of a fetched answer is decoded already.
  const isLeftOut = (header: string) => header === 'set-cookie' || (header === 'content-encoding' && url !== '')
  const cookies = headers.getSetCookie()
  const shown = Object.fromEntries([...headers].filter(([header]) => !isLeftOut(header)))
  return { status, headers: { ...shown, ...(cookies.length > 0 && { 'set-cookie': cookies }) }, body }
}

function asynchronous(name: string, promise: Promise<unknown>): Error {
  promise.catch(() => {})
  return new Error(
    `Expected the handler ${name} to answer at once, got a promise: its changes and its answer belong to one moment. Leave out \`async\` and \`await\`.`,
  )
}

const unreadable = (name: string): Error =>
  new Error(
    `Expected the handler ${name} to return JSON or what \`respond({ status, headers, body })\` or \`stream(events)\` makes, got a Response, whose body cannot be read at once. \`respondWith\` takes one, in a test.`,
  )

/** @param asIs takes an answer that the engine does not fit to the description */
function toResponse(
  setting: Setting,
  call: ApiCall,
  answer: unknown,
  { run, asIs }: { readonly run: HandlerContext; readonly asIs: (response: ApiResponse) => ApiResponse },
): ApiResponse {
  if (answer instanceof WholeAnswer) return asIs(answer.response)
  const { effect } = call.operation
  const collection = 'collection' in effect ? effect.collection : undefined
  if (answer === undefined) {
    const { written } = run
    const record = written?.collection === collection && written && run.draft.get(written.collection, written.key)
    if (record) return toResponse(setting, call, record, { run, asIs })
    if (run.default === undefined) run.next()
    return run.default?.response ?? answerEmpty(call)
  }
  if (!('envelope' in effect)) return asIs(answerJson(call, answer as Json))
  const { envelope } = effect
  const toFound = (record: JsonObject): Found | undefined => {
    const place = run.placeOf(record, collection)
    return place && (collection ?? place.collection) === place.collection ? { ...place, record } : undefined
  }
  if (isJsonObject(answer)) {
    const found = toFound(answer)
    const around = found && collection === undefined ? placeBeside(setting, call, envelope.path, found) : undefined
    const shown = collection === undefined ? around : envelope
    if (found === undefined || shown === undefined) return asIs(answerJson(call, answer))
    const location = effect.kind === 'create' ? locationOf(setting, call, found) : undefined
    return answerRecord(setting, call, {
      envelope: shown,
      found,
      headers: location === undefined ? undefined : { Location: location },
    })
  }
  const isList = collection !== undefined && Array.isArray(answer) && answer.every(isJsonObject)
  const founds = isList ? answer.map(toFound) : undefined
  if (founds?.every((found) => found !== undefined)) return answerRecords(setting, call, { envelope, founds })
  return asIs(answerJson(call, answer as Json))
}

/** Where a document shows a record: `PUT /jobs/{id}/artwork` answers with the job, `GET /me` with the user. */
function placeBeside(setting: Setting, call: ApiCall, document: FieldPath, found: Found): Envelope | undefined {
  const { schema } = call.representation
  const [key] = setting.world.collection(found.collection).model.id?.field ?? []
  for (let length = 0; schema && key !== undefined && length <= document.length; length++) {
    const path = document.slice(0, length)
    const place = schemaAt(schema, path)
    if (place?.properties.has(key)) return { path, shape: 'record', schema: place }
  }
  return undefined
}

/** Warns of an answer that the description does not allow. */
function warnOfMisfit({ name }: HandlerLink, { operation }: ApiCall, response: ApiResponse, warnings: string[]): void {
  const declared = operation.responses.get(String(response.status))
  if (declared === undefined || response.status >= 400) return
  const [schema] = [...declared.content].flatMap(([type, media]) => (/json/.test(type) ? (media.schema ?? []) : []))
  const body = jsonOf(response)
  const problem =
    schema === undefined || body === undefined ? undefined : checkerOf(schema, { direction: 'response' })(body)
  if (problem !== undefined)
    warnings.push(`The handler ${name} answers what the description does not allow: ${describeProblem(problem)}`)
}
