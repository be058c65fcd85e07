import { once } from 'node:events'
import { startService } from '../../../src/service/start.ts'
import { cpuMs, Turns } from './turns.ts'

/** How much processor time a step took and what it gave. */
export interface ProbeStep {
  readonly step: string
  readonly ms: number
  /** The longest time for which nothing else had a turn. */
  readonly turnMs: number
  readonly status: number
  readonly bytes: number
  readonly heapMb: number
}

/** What the probe found: its steps, and the warnings of the creation. */
export interface ProbeReport {
  readonly steps: readonly ProbeStep[]
  readonly warnings: readonly string[]
}

const spec = String((await once(process, 'message'))[0])
const steps: ProbeStep[] = []
const service = await startService()
const first = await create(
  '{"openapi":"3.1.0","info":{"title":"Warm","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}',
)
await fetch(`${first.url}/a`)
const created = await timed('create simulation', () => service.fetch(creation(spec)))
let warnings: readonly string[] = []
if (created.status < 300) {
  const {
    url,
    apiKey,
    warnings: told,
  } = JSON.parse(created.text) as { url: string; apiKey: string; warnings?: string[] }
  warnings = told ?? []
  const call = (method: string, path: string, body?: unknown) =>
    timed(`${method} ${path}`, () =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
  const list = await call('GET', '/things')
  const id = idIn(list.text)
  await call('GET', `/things/${id}`)
  await call('POST', '/things', firstIn(list.text))
  await call('POST', '/things', { name: 'x', value: { a: { a: { a: { b: {} } } } } })
  await call('PATCH', `/things/${id}`, { name: 'y' })
  await call('GET', '/account')
  await call('POST', '/compute', { value: [[[[1]]]] })
  await call('DELETE', '/things/unknown')
  await call('GET', '/things?limit=100&name=y&q=a')
}
await service.close()
process.send?.({ steps, warnings } satisfies ProbeReport)

async function timed(step: string, act: () => Promise<Response>): Promise<{ status: number; text: string }> {
  process.send?.(step)
  const turns = new Turns()
  const start = cpuMs()
  const response = await act()
  const text = await response.text()
  const ms = Math.round(cpuMs() - start)
  steps.push({
    step,
    ms,
    turnMs: Math.round(turns.end()),
    status: response.status,
    bytes: text.length,
    heapMb: Math.round(process.memoryUsage().heapUsed / 1e6),
  })
  return { status: response.status, text }
}

function creation(text: string): Request {
  return new Request(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: text }),
  })
}

async function create(text: string): Promise<{ url: string }> {
  const response = await service.fetch(creation(text))
  return (await response.json()) as { url: string }
}

/** The first record of a list, without its id. */
function firstIn(text: string): unknown {
  const [first] = text.startsWith('[') ? (JSON.parse(text) as Record<string, unknown>[]) : []
  const { id: _, ...rest } = first ?? {}
  return rest
}

function idIn(text: string): string {
  const found = /"id":"?([^",}]+)/.exec(text)
  return encodeURIComponent(found?.[1] ?? '1')
}
