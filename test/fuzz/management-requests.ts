import fc from 'fast-check'
import { DESCRIPTION, HALVING, LATENCY } from '../conformance/description.ts'

/** A request to the management API, of any quality. */
export interface FuzzedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Placeholders in generated paths and bodies: the runner puts living ones in. */
export const PLACES = { simulation: '~SIM~', rule: '~RULE~' }

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'QUERY']

const ENDPOINTS: readonly [string, string, object?][] = [
  ['GET', '/v1/library?q=task&vertical=crm&limit=10'],
  ['GET', '/v1/simulations'],
  ['POST', '/v1/simulations', { spec: DESCRIPTION, name: 'Fuzzed', volume: { tasks: 5 }, ipAllowlist: ['10.0.0.0/8'] }],
  ['POST', '/v1/simulations', { library: 'task-tracker', seed: 7, epoch: '2026-01-01T00:00:00Z', validation: 'warn' }],
  ['GET', `/v1/simulations/${PLACES.simulation}`],
  ['POST', `/v1/simulations/${PLACES.simulation}/pause`],
  ['POST', `/v1/simulations/${PLACES.simulation}/resume`],
  ['POST', `/v1/simulations/${PLACES.simulation}/reset`],
  ['POST', `/v1/simulations/${PLACES.simulation}/fast-forward`, { hours: 0.25 }],
  ['PUT', `/v1/simulations/${PLACES.simulation}/behaviour`, HALVING],
  ['GET', `/v1/simulations/${PLACES.simulation}/behaviour`],
  ['POST', `/v1/simulations/${PLACES.simulation}/rules`, LATENCY],
  ['DELETE', `/v1/simulations/${PLACES.simulation}/rules/${PLACES.rule}`],
  ['POST', `/v1/simulations/${PLACES.simulation}/webhooks`, { url: 'https://hooks.invalid/x', events: ['task.*'] }],
  ['PUT', `/v1/simulations/${PLACES.simulation}/access`, { ipRestrictionEnabled: false, ipAllowlist: ['::1'] }],
  ['POST', `/v1/simulations/${PLACES.simulation}/keys`, { name: 'CI' }],
  ['GET', `/v1/simulations/${PLACES.simulation}/records/tasks?limit=10&offset=0`],
  ['GET', `/v1/simulations/${PLACES.simulation}/events`],
  ['GET', `/v1/simulations/${PLACES.simulation}/logs`],
  ['GET', '/v1/usage'],
  ['GET', '/v1/meta'],
  ['GET', `/v1/simulations/${PLACES.simulation}/clock`],
  ['POST', `/v1/simulations/${PLACES.simulation}/snapshots`],
  ['POST', `/v1/simulations/${PLACES.simulation}/snapshots/snap_1/restore`],
  ['GET', `/v1/simulations/${PLACES.simulation}/webhooks`],
  ['POST', `/v1/simulations/${PLACES.simulation}/deliveries/advance`, { seconds: 1 }],
  ['POST', `/v1/simulations/${PLACES.simulation}/webhook-faults`, { kind: 'drop', times: 1 }],
]

const junk = fc.oneof(
  fc.anything({ maxDepth: 3, withNullPrototype: false }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    null,
    -1,
    0,
    1e308,
    0.1,
    '',
    '\u0000',
    '__proto__',
    [],
    {},
    true,
    'x'.repeat(3_000),
    2 ** 53,
  ),
)

/** Replaces a field, adds one, or leaves one out, here or deeper. */
function mutate(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return fc.oneof(fc.constant(value), junk)
  const keys = Object.keys(value)
  if (keys.length === 0) return fc.oneof(fc.constant(value), junk)
  const inner = fc
    .constantFrom(...keys)
    .chain((key) =>
      mutate((value as Record<string, unknown>)[key]).map((replaced) =>
        Array.isArray(value)
          ? value.map((item, at) => (String(at) === key ? replaced : item))
          : { ...value, [key]: replaced },
      ),
    )
  const removed = fc.constantFrom(...keys).map((key) => {
    const { [key]: _, ...rest } = value as Record<string, unknown>
    return rest
  })
  const added = fc.tuple(fc.string(), junk).map(([key, extra]) => ({ ...value, [key]: extra }))
  return fc.oneof(fc.constant(value), inner, inner, removed, added, junk)
}

const bodyText = (body: object | undefined): fc.Arbitrary<string | undefined> => {
  const json = (body === undefined ? junk : mutate(body)).map(toText)
  const cut = json.chain((text) => fc.nat((text ?? '').length).map((end) => text?.slice(0, end)))
  return fc.oneof({ weight: 8, arbitrary: json }, cut, fc.string(), fc.constant(undefined))
}

function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
  } catch {
    return undefined
  }
}

const segment = fc.oneof(fc.string(), fc.constantFrom('..', '%', '%00', '%ff', 'tasks', '*', 'a'.repeat(300)))

/** The path as it is, with a segment exchanged, or with another query. */
function mutatePath(path: string): fc.Arbitrary<string> {
  const [pathname = '', query = ''] = path.split('?')
  const parts = pathname.split('/').slice(1)
  const exchanged = fc.tuple(fc.nat(parts.length - 1), segment).map(([at, replaced]) => {
    const next = parts.map((part, index) => (index === at ? encode(replaced) : part))
    return `/${next.join('/')}`
  })
  const queried = fc
    .dictionary(fc.constantFrom('limit', 'offset', 'q', 'vertical', 'x'), fc.oneof(fc.string(), fc.constant('5')))
    .map((values) => `${pathname}?${new URLSearchParams(values)}`)
  return fc.oneof({ weight: 6, arbitrary: fc.constant(query === '' ? pathname : path) }, exchanged, queried)
}

const encode = (text: string): string => (/^[%.*]/.test(text) ? text : encodeURIComponent(text.toWellFormed()))

const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Record<string, string>>({ 'content-type': 'application/json' }) },
  fc.constantFrom<Record<string, string>>(
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': '' },
    { accept: '*/*' },
  ),
  fc.constantFrom<Record<string, string>>(
    { authorization: 'Bearer wrong' },
    { authorization: '' },
    { authorization: 'Basic x' },
  ),
)

/** Requests to the management API: sound ones, and ones with something wrong in path, method, headers or body. */
export const managementRequest: fc.Arbitrary<FuzzedRequest> = fc
  .constantFrom(...ENDPOINTS)
  .chain(([method, path, body]) =>
    fc.record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant(method) }, fc.constantFrom(...METHODS)),
      path: mutatePath(path),
      headers,
      body: bodyText(body),
    }),
  )
