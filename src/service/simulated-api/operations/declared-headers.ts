import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { ApiModel, DeclaredHeader, Operation, ResponseModel } from '../../openapi/model.ts'
import type { Answered } from '../calls/call.ts'
import { toText } from '../exchange.ts'
import { isPageHeader } from '../listing/page-words.ts'
import type { Presenter } from '../presentation/presenter.ts'
import { hashesOf, toTag } from '../presentation/record-texts.ts'
import { type RequestContext, routeOf } from '../request-context.ts'

/** Headers of the listener, and of an encoding that no answer has. */
const NOT_SENT = /^(content-(type|length|encoding)|transfer-encoding|connection|keep-alive|trailer|upgrade|date)$/
/** Node's own clients refuse an answer with more than 16 kB of headers. */
const MOST_CHARACTERS = 8_000
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** The parts of a simulation that know an answer's headers. */
interface HeaderSource {
  readonly api: { readonly model: ApiModel }
  readonly presenter: Presenter
}

/**
 * The headers that a description declares for the answer's status, and that the answer lacks: those that are required or
 * have an example, a default or fixed values, the tag of a written record, the target of a redirect, and the session of
 * a login.
 */
export function declaredHeaders(
  { api, presenter }: HeaderSource,
  context: RequestContext,
  { response, changes }: Pick<Answered, 'response' | 'changes'>,
): Record<string, string> {
  const { operation, isLogin } = routeOf(context).compiled
  const { status } = response
  const declared = declaredFor(operation, status)
  const isRedirect = status > 300 && status < 400 && status !== 304
  if (declared.size === 0 && !isRedirect) return NO_HEADERS
  const sent = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()))
  const isPaged = operation.effect.kind === 'list' || operation.effect.kind === 'search'
  const headers: Record<string, string> = {}
  let left = MOST_CHARACTERS
  const target = `${context.request.origin}/`
  const { method, path, query } = context.request
  const generate = ({ name, schema }: Pick<DeclaredHeader, 'name' | 'schema'>): Json => {
    const key = [operation.id, status, name, method, path, query, context.at].join('/')
    return presenter.projector.project(undefined, schema, key, name)
  }
  for (const [lower, header] of declared) {
    if (sent.has(lower) || NOT_SENT.test(lower) || !NAME.test(header.name)) continue
    if (isPaged && status < 300 && isPageHeader(lower)) continue
    const fixed = fixedValue(header)
    const isTarget = lower === 'location' && isRedirect
    const value =
      lower === 'etag' && status < 400
        ? tagOf(presenter, operation, { response, changes })
        : (fixed ?? (isTarget ? target : header.required ? generate(header) : undefined))
    const isSession = lower === 'set-cookie' && isLogin && context.key !== null && status < 400
    const text = value === undefined ? '' : toHeaderText(value, header.explode)
    const sentText = isSession ? sessionCookie(api.model, context.key, text) : text
    const size = header.name.length + sentText.length
    if (sentText === '' || size > left) continue
    left -= size
    headers[header.name] = sentText
  }
  if (isRedirect && !sent.has('location') && !declared.has('location')) headers.Location = target
  return headers
}

export const NO_HEADERS: Record<string, string> = {}

function declaredFor(operation: Operation, status: number): ResponseModel['headers'] {
  const { success } = operation
  if (status === success.status) return success.headers
  // Read only here: a model reads its answers from the description at first use.
  const { responses } = operation
  const declared = responses.get(String(status)) ?? responses.get(`${String(status)[0]}XX`) ?? responses.get('default')
  return (declared === success ? undefined : declared?.headers) ?? NONE_DECLARED
}

const NONE_DECLARED: ResponseModel['headers'] = new Map()

/** The example, the default or the first fixed value. */
function fixedValue({ schema, example }: DeclaredHeader): Json | undefined {
  const values = [example, schema?.example, schema?.default, schema?.enum?.[0]] as (Json | undefined)[]
  return values.find(
    (value) => value !== undefined && (schema === undefined || fits(schema, value) || fits(schema, String(value))),
  )
}

/** Style `simple`, in characters that a header may have. */
function toHeaderText(value: Json, explode: boolean): string {
  const pairs = isJsonObject(value) ? Object.entries(value) : undefined
  const parts = pairs?.flatMap((pair) => (explode ? [pair.join('=')] : pair)) ?? [value].flat()
  return parts
    .map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
    .join(',')
    .replace(/[^\t\x20-\x7e]/g, encodeURIComponent)
}

/** The tag that a read of the written record has; that of the body where none is written. */
function tagOf(
  presenter: Presenter,
  { effect }: Operation,
  { response: { body }, changes }: Pick<Answered, 'response' | 'changes'>,
): string | undefined {
  for (const change of changes) {
    const isOwn = 'collection' in change && 'collection' in effect && change.collection === effect.collection
    if (isOwn && change.type !== 'deleted') return presenter.tagOf(change.record)
  }
  return body === null ? undefined : toTag(hashesOf(toText(body)))
}

/** Attributes with which a client would not send the cookie back to a service of this machine. */
const FOREIGN = /^\s*(secure|domain=.*|samesite=none)\s*$/i

/** A cookie with the key that the client signed in with, by the name of the security scheme. */
function sessionCookie({ securitySchemes }: ApiModel, key: string | null, declared: string): string {
  const [pair = '', ...attributes] = declared.includes('=') ? declared.split(';') : ['session=', ' Path=/', ' HttpOnly']
  const scheme = [...securitySchemes.values()].find((one) => one.kind === 'apiKey' && one.in === 'cookie')
  const name = scheme?.kind === 'apiKey' ? scheme.name : pair.split('=', 1)[0]
  return [`${name}=${key}`, ...attributes.filter((one) => !FOREIGN.test(one))].join(';')
}
