import { getOwn, isJsonObject, readField } from '../../../protocol/json.ts'
import type { ValidationMode } from '../../../protocol/simulation.ts'
import type { Operation } from '../../openapi/model.ts'
import { type Body, formOf, NO_BODY, readBody, takesAnyType } from '../body/read-body.ts'
import { checkRecordCount } from '../body/sent-records.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import { type ApiRequest, isProcedurePath } from '../exchange.ts'
import { negotiate, Representation } from '../presentation/negotiate.ts'
import type { RequestContext } from '../request-context.ts'
import type { ApiCall } from './call.ts'
import { joinRefusals, NO_MISFITS, validateRequest } from './validate-request.ts'

/** Parses a request for its operation. With strict `validation`, refuses what the description forbids. */
export function readCall(context: RequestContext, compiled: CompiledOperation, validation: ValidationMode): ApiCall {
  const { request, at, realAt, key, warnings, route } = context
  const { operation } = compiled
  const isStrict = validation === 'strict'
  const accepted = validation === 'off' ? undefined : request.headers.accept
  const isInBody = operation.method === 'GET' && request.method === 'POST'
  const isInQuery = operation.method === 'POST' && request.body.length === 0 && request.query !== ''
  const query = compiled.queryReader.read(isInBody ? formOf(request) : request.query)
  const form = isInQuery ? withForm(operation, request) : request
  const body: Body = isInBody || form.body.length === 0 ? NO_BODY : readBody(operation, form, isStrict)
  const sent = paramsOf(operation, route?.params ?? {}, { query, body })
  const params = withResourceNames(compiled, sent)
  const representation = chooseRepresentation(compiled, { body, query: request.query }, accepted)
  if (body !== NO_BODY) checkRecordCount(operation, body.value)
  const misfits = validation === 'off' ? NO_MISFITS : validateRequest(compiled, { params: sent, query, body, request })
  if (misfits === NO_MISFITS)
    return { operation, compiled, params, query, body, request, at, realAt, key, representation, pathMisfit: undefined }
  const refusal = joinRefusals(misfits.sent)
  if (isStrict && refusal) throw refusal
  for (const { message } of misfits.sent) warnings.push(message)
  for (const { message } of misfits.path) warnings.push(message)
  const pathMisfit = isStrict ? misfits.path[0] : undefined
  return { operation, compiled, params, query, body, request, at, realAt, key, representation, pathMisfit }
}

/** The parameters of the effect: those of the path, and those that the request has elsewhere. */
function paramsOf(
  { moved }: Operation,
  inPath: ApiCall['params'],
  { query, body }: Pick<ApiCall, 'query' | 'body'>,
): ApiCall['params'] {
  if (moved === undefined) return inPath
  const found = Object.entries(moved).flatMap(([name, { in: place, name: own }]) => {
    const value =
      place === 'path' ? inPath[own] : place === 'query' ? getOwn(query.values, own) : readField(body.value, [own])
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return { ...inPath, ...Object.fromEntries(found) }
}

/** The parameters, with the whole resource name where one is its last part: `projects/acme/topics/news`. */
function withResourceNames({ resources }: CompiledOperation, params: ApiCall['params']): ApiCall['params'] {
  if (resources.length === 0) return params
  const named = resources.map(({ name, parts }) => {
    const texts = parts.map((part) => (part.kind === 'static' ? part.text : part.kind === 'param' && params[part.name]))
    return [name, texts.join('/')] as const
  })
  return { ...params, ...Object.fromEntries(named) }
}

const EVENTS = 'text/event-stream'

/** The representation that a request asks for, by its `Accept` or as a stream of events. */
function chooseRepresentation(
  { operation, representation: byDefault }: CompiledOperation,
  { body, query }: { body: Body; query: string },
  accepted: string | undefined,
): Representation {
  const hasEvents = operation.success.content.has(EVENTS)
  const isPlain = accepted === undefined || accepted === '*/*' || accepted === byDefault.mediaType
  if (isPlain && !hasEvents) return byDefault
  const wanted = hasEvents && wantsStream(operation, body, query) ? EVENTS : accepted
  return (
    (hasEvents ? undefined : streamOf(body, byDefault, accepted)) ??
    withEvents(negotiate(operation.success, byDefault, wanted), byDefault)
  )
}

/** `{ stream: true }`, `?alt=sse`, or a path that ends in `/stream` or `:streamAnswer`: SDKs request events this way, with JSON in `Accept`. */
const wantsStream = ({ path }: Operation, { value }: Body, query: string): boolean =>
  (isJsonObject(value) && value.stream === true) || /(^|&)alt=sse(&|$)/.test(query) || /[/:]stream[^/]*\/?$/i.test(path)

/** Events with the schema of the JSON answer, if they have none of their own. */
function withEvents(events: Representation, byDefault: Representation): Representation {
  const { schema } = byDefault
  const isBare = events.mediaType === EVENTS && events.schema === undefined && schema !== undefined
  return isBare ? new Representation(EVENTS, { schema, example: undefined }) : events
}

/** Events with the schema of the JSON answer, for an operation whose description does not declare that it streams. */
function streamOf(
  { value }: Body,
  byDefault: Representation,
  accepted: string | undefined,
): Representation | undefined {
  const isAsked = isJsonObject(value) && value.stream === true && accepted?.includes(EVENTS) === true
  const { schema } = byDefault
  if (!isAsked || !byDefault.isJson || schema === undefined) return undefined
  const event = schema.variants?.find(({ name }) => /stream|chunk|event/i.test(name ?? '')) ?? schema
  return new Representation(EVENTS, { schema: event, example: undefined })
}

/** A remote procedure call without a body, whose arguments are in the query. */
function withForm(operation: Operation, request: ApiRequest): ApiRequest {
  if (!isProcedurePath(request.path) || !takesAnyType(operation)) return request
  const headers = { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' }
  return { ...request, headers, body: Buffer.from(request.query) }
}
