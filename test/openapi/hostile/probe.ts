import type { CreatedSimulation } from '../../../src/protocol/simulation.ts'
import { type Service, startService } from '../../../src/service.ts'
import { cpuMs } from '../../support/processor-time.ts'
import { Turns } from './turns.ts'

/** How much processor time a step took and what it gave. */
export interface ProbeStep {
  readonly step: string
  readonly ms: number
  /** The longest time for which nothing else had a turn. */
  readonly turnMs: number
  readonly status: number
  readonly bytes: number
}

/** What the probe found: its steps, and the warnings of the creation. */
export interface ProbeReport {
  readonly steps: readonly ProbeStep[]
  readonly warnings: readonly string[]
  /** What the process took more at its peak than with a plain description, garbage included. */
  readonly grownMb: number
}

const WARM =
  '{"openapi":"3.1.0","info":{"title":"Warm","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}'

const MOST_OPERATIONS = 60
const BODILESS = ['GET', 'HEAD', 'DELETE']
/** No client of Node sends these. */
const UNSENT = ['TRACE', 'CONNECT']

process.on('message', async (spec: string) => {
  process.send?.(await report(spec))
})

/** Creates a simulation of a description in a service of its own, and calls it. */
async function report(spec: string): Promise<ProbeReport> {
  await using service = await startService()
  const steps: ProbeStep[] = []
  const timed = async (step: string, act: () => Promise<Response>) => {
    process.send?.(step)
    const answer = await time(act)
    steps.push({ step, ...answer.figures })
    return answer
  }
  const warm = await service.fetch(creation(service, WARM))
  await fetch(`${((await warm.json()) as { url: string }).url}/a`)
  const plainMb = peakMb()
  const created = await timed('create simulation', () => service.fetch(creation(service, spec)))
  const toReport = (warnings: readonly string[]) => ({ steps, warnings, grownMb: peakMb() - plainMb })
  if (created.figures.status >= 300) return toReport([])
  const simulation = JSON.parse(created.text) as CreatedSimulation
  const { url, apiKey, warnings = [] } = simulation
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
  const manage = (path: string) =>
    timed(`manage ${path}`, () => service.fetch(managed(service, `/v1/simulations/${simulation.id}${path}`)))
  const operations = await manage('/operations')
  for (const path of ['', '/behaviour', '/records/things', '/logs?detail=true']) await manage(path)
  for (const { method, path } of drawn(JSON.parse(operations.text).data as { method: string; path: string }[])) {
    if (UNSENT.includes(method)) continue
    await call(method, path.replaceAll(/\{[^}]*\}/g, id), BODILESS.includes(method) ? undefined : { name: 'z' })
  }
  return toReport(warnings)
}

async function time(act: () => Promise<Response>): Promise<{ text: string; figures: Omit<ProbeStep, 'step'> }> {
  const turns = new Turns()
  const start = cpuMs()
  const response = await act()
  const text = await response.text()
  const ms = Math.round(cpuMs() - start)
  const turnMs = Math.round(turns.end())
  return { text, figures: { ms, turnMs, status: response.status, bytes: text.length } }
}

const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1_024)

function creation({ url, accountKey }: Service, text: string): Request {
  return new Request(`${url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: text }),
  })
}

function managed({ url, accountKey }: Service, path: string): Request {
  return new Request(`${url}${path}`, { headers: { authorization: `Bearer ${accountKey}` } })
}

/** All, or as many as {@link MOST_OPERATIONS} from all over the description. */
function drawn<T>(operations: readonly T[]): T[] {
  const every = Math.ceil(operations.length / MOST_OPERATIONS)
  return operations.filter((_, at) => at % every === 0)
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
