import type { Endpoint } from '../../protocol/endpoint.ts'
import type { CallEndpoint } from '../../protocol/endpoint-call.ts'
import { ENDPOINTS, type EndpointId } from '../../protocol/endpoints.ts'
import { ApiError, notFound } from '../../protocol/errors.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { BODIES, QUERIES } from '../../protocol/requests.ts'
import type { NewWebhook } from '../../protocol/webhook.ts'
import type { Account } from '../account/account.ts'
import { ACCOUNT_HANDLERS } from './account-handlers.ts'
import { toApiError } from './error-body.ts'
import type { EndpointCall, Handlers, ServiceParts } from './handlers.ts'
import { type HostedSimulation, whenReady } from './hosted-simulation.ts'
import { loadSchemas, parseBodyText } from './read-endpoint-call.ts'
import { RECORD_HANDLERS, RECORD_LIST_HANDLERS } from './record-handlers.ts'
import { SIMULATION_HANDLERS, STATE_HANDLERS } from './simulation-handlers.ts'
import { DELIVERY_HANDLERS, WEBHOOK_HANDLERS } from './webhook-handlers.ts'

const AT_ONCE = { ...STATE_HANDLERS, ...RECORD_HANDLERS, ...WEBHOOK_HANDLERS }
const HANDLERS: Handlers = {
  ...ACCOUNT_HANDLERS,
  ...SIMULATION_HANDLERS,
  ...DELIVERY_HANDLERS,
  ...RECORD_LIST_HANDLERS,
  ...AT_ONCE,
}

interface ReceivedCall extends Pick<EndpointCall<EndpointId>, 'account' | 'ip' | 'origin' | 'left' | 'headers'> {
  readonly account: Account
  /** Of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly parseQuery: (schema: keyof typeof QUERIES) => Promise<unknown>
  readonly parseBody: (schema: keyof typeof BODIES) => Promise<unknown>
}

/** Calls an endpoint, over HTTP or in this process. Resolves with the value of a successful answer. */
export async function callEndpoint<Id extends EndpointId>(
  id: Id,
  { parameters, parseQuery, parseBody, ...caller }: ReceivedCall,
  parts: ServiceParts,
): Promise<unknown> {
  const endpoint: Endpoint = ENDPOINTS[id]
  const hosted = endpoint.path.includes('{id}') ? await findHosted(caller.account, parameters.id, parts) : undefined
  const simulation = hosted?.simulation
  const leave = hosted?.begin()
  hosted?.noteUse()
  try {
    const query = endpoint.query && (await parseQuery(endpoint.query))
    const body = endpoint.body && (await parseBody(endpoint.body))
    // It was parsed by the row of this id, whose type is `EndpointCall<Id>`.
    const call = { ...caller, parameters, query, body, hosted, simulation } as unknown as EndpointCall<Id>
    if (endpoint.interrupts !== undefined) simulation?.interrupt(`the simulation was ${endpoint.interrupts} meanwhile`)
    // No wait may come between this and the handler: a fast-forward could start and undo the handler's changes.
    if (endpoint.waits !== false) while (simulation?.isReady() === false) await whenReady(simulation, parts.runtime)
    const work = () => HANDLERS[id](call, parts)
    const isRead = endpoint.method === 'GET'
    const answered = await (simulation !== undefined && id in AT_ONCE ? simulation.run(work, isRead) : work())
    hosted?.activity.noteCall(id)
    return answered
  } finally {
    leave?.()
  }
}

/** The simulation of a path. Rejects with `not_found`. */
async function findHosted(account: Account, idOrSlug = '', { simulations }: ServiceParts): Promise<HostedSimulation> {
  // Another node may have given the slug to another simulation.
  await simulations.dropDeleted(idOrSlug)
  const hosted = simulations.find(account, idOrSlug) ?? (await simulations.load({ account, idOrSlug }))
  if (hosted === undefined) throw notFound(`No simulation "${idOrSlug.slice(0, 100)}" in this account.`)
  return hosted
}

/**
 * Calls of this process, as the first account: without URL, headers, router and JSON text, but with the validation,
 * results and errors of the same calls over HTTP. Input and answers are copied, so that neither side can change what the
 * other one has.
 */
export function createDirectCalls(parts: ServiceParts, { ip, origin }: { ip: string; origin: string }): CallEndpoint {
  const { accounts } = parts
  return async (id, { parameters, query = {}, body, headers = {}, signal: left }) => {
    const text = JSON.stringify(body)
    const call: ReceivedCall = {
      account: accounts.first,
      ip,
      origin,
      left,
      headers: { ...headers, authorization: `Bearer ${accounts.firstKey}` },
      parameters: parameters ?? {},
      parseQuery: async (schema) => parseRequest((await loadSchemas()).QUERIES[schema], toTexts(query), 'the query'),
      parseBody: async (schema) => {
        const given = parseBodyText(text)
        return isPlain(schema, body) ? given : parseRequest((await loadSchemas()).BODIES[schema], given)
      },
    }
    const answered = await callEndpoint(id, call, parts).catch((error: unknown) => {
      throw withoutCause(toApiError(error))
    })
    if ((ENDPOINTS[id] as Endpoint).answer === undefined) return undefined
    return answered instanceof ReadableStream ? answered : JSON.parse(JSON.stringify(answered))
  }
}

/**
 * Whether a body has nothing but what the fixture writes for a test without options: it needs no schema, and loading them takes an
 * eighth of a first creation.
 */
function isPlain(schema: keyof typeof BODIES, body: unknown): boolean {
  const fields = { ...(body as object) }
  if (schema === 'CreateSimulation') return Object.keys(fields).every((name) => name === 'library' || name === 'name')
  if (schema !== 'NewWebhook') return false
  const { events, scheme = 'entry' } = fields as Partial<NewWebhook>
  return events?.length === 1 && events[0] === '*' && scheme === 'entry'
}

const toTexts = (query: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** The error as a client has it. A failure of the service keeps its cause, for its report. */
function withoutCause(error: ApiError): ApiError {
  const { status, code, message, retryAfterSeconds, cause } = error
  return new ApiError(status, code, message, { retryAfterSeconds, ...(status >= 500 && { cause }) })
}
