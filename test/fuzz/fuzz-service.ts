import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import type { Service, startService } from '../../src/service.ts'
import { createAnswerCheck } from '../conformance/answer-check.ts'
import { DESCRIPTION } from '../conformance/description.ts'
import { type FuzzedRequest, managementRequest, PLACES } from './management-requests.ts'
import { simulatedRequest } from './simulated-requests.ts'

/** What a run of fuzzing saw. */
export interface FuzzReport {
  requests: number
  statuses: Record<number, number>
  /** The slowest answer, in milliseconds, fast-forwards aside. */
  slowestMs: number
  slowest: string
}

export interface FuzzOptions {
  runs: number
  seed: number
  /** Of the source, or of what the build made. */
  startService: typeof startService
}

/** Statuses that the simulated API may answer with. */
const SIMULATED = new Set([200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 429, 503])
const KEPT_SIMULATIONS = 4

/** Throws the counterexample, shrunk, when a request gets an answer that is not documented. */
export async function fuzzManagement({ runs, seed, startService }: FuzzOptions): Promise<FuzzReport> {
  const service = await startService({ runtime: { resolve: () => Promise.reject(new Error('no such name')) } })
  const report: FuzzReport = { requests: 0, statuses: {}, slowestMs: 0, slowest: '' }
  const check = createAnswerCheck(JSON.parse((await send(service, get('/v1/openapi.json'))).text))
  const living = await LiveRecord.start(service)
  const property = fc.asyncProperty(managementRequest, async (request) => {
    const filled = living.fill(request)
    const { status, text, ms } = await send(service, filled)
    note(report, filled, status, ms)
    const isBodiless = filled.method === 'HEAD' || text === ''
    const fault = isBodiless
      ? undefined
      : check(filled.method, new URL(filled.path, service.url).pathname, status, parse(text))
    if (status >= 500 && status !== 503) throw new Error(`${status}: ${text}`)
    if (fault !== undefined) throw new Error(fault)
    if (status >= 400 && !isBodiless) expectErrorShape(text)
    await living.keepUp(status, text)
  })
  try {
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: false })
  } finally {
    await service.close()
  }
  return report
}

/** The same for the simulated API, over sockets. */
export async function fuzzSimulated({ runs, seed, startService }: FuzzOptions): Promise<FuzzReport> {
  const service = await startService()
  const report: FuzzReport = { requests: 0, statuses: {}, slowestMs: 0, slowest: '' }
  const simulation = JSON.parse(
    (await send(service, post('/v1/simulations', { spec: DESCRIPTION }))).text,
  ) as CreatedSimulation
  const first = await sendSocket(simulation, get('/tasks'))
  const [{ id }] = JSON.parse(first.text) as [{ id: string }]
  const property = fc.asyncProperty(simulatedRequest, async (request) => {
    const filled = { ...request, path: request.path.replace('~ID~', id) }
    const { status, text, ms } = await sendSocket(simulation, filled)
    note(report, filled, status, ms)
    if (!SIMULATED.has(status)) throw new Error(`${status}: ${text.slice(0, 500)}`)
  })
  try {
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: false })
  } finally {
    await service.close()
  }
  return report
}

/** The simulations that requests are about: always a few, whatever is deleted or created. */
class LiveRecord {
  readonly #service: Service
  readonly #ids: string[] = []
  #turn = 0

  private constructor(service: Service) {
    this.#service = service
  }

  static async start(service: Service): Promise<LiveRecord> {
    const living = new LiveRecord(service)
    await living.#add()
    return living
  }

  fill(request: FuzzedRequest): FuzzedRequest {
    const id = this.#ids[this.#turn++ % this.#ids.length] ?? 'none'
    return { ...request, path: request.path.replace(PLACES.simulation, id).replace(PLACES.rule, 'rule_1') }
  }

  /** Takes in what was created, deletes what is too much, and makes one when all are gone. */
  async keepUp(status: number, text: string): Promise<void> {
    const created = status === 201 ? (parse(text) as { id: string; slug?: string }) : undefined
    if (created?.slug !== undefined) this.#ids.push(created.id)
    while (this.#ids.length > KEPT_SIMULATIONS)
      await send(this.#service, remove(`/v1/simulations/${this.#ids.shift()}`))
    if (this.#turn % 200 !== 0) return
    for (const id of this.#ids.splice(0)) await send(this.#service, remove(`/v1/simulations/${id}`))
    await this.#add()
  }

  async #add(): Promise<void> {
    const { text } = await send(this.#service, post('/v1/simulations', { spec: DESCRIPTION }))
    this.#ids.push((parse(text) as { id: string }).id)
  }
}

interface Answer {
  status: number
  text: string
  ms: number
}

async function send(service: Service, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  const url = new URL(service.url + path)
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const startedAt = performance.now()
  const answer = await service.fetch(
    new Request(url, {
      method,
      headers: { authorization: `Bearer ${service.accountKey}`, ...headers },
      body: hasBody ? body : null,
    }),
  )
  if (answer.headers.get('content-type') === 'text/event-stream') {
    await answer.body?.cancel()
    return { status: answer.status, text: '', ms: performance.now() - startedAt }
  }
  const text = await answer.text()
  return { status: answer.status, text, ms: performance.now() - startedAt }
}

function sendSocket(simulation: CreatedSimulation, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  const { hostname, port } = new URL(simulation.url)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const sent = method === 'GET' || method === 'HEAD' || body === undefined ? '' : body
    const length = sent === '' ? {} : { 'content-length': String(Buffer.byteLength(sent)) }
    const all = { authorization: `Bearer ${simulation.apiKey}`, ...headers, ...length }
    const call = httpRequest(
      { hostname, port, path: encodeURI(path).slice(0, 4_000), method, headers: all },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - startedAt,
          }),
        )
      },
    )
    call.once('error', reject)
    call.end(sent)
  })
}

function note(report: FuzzReport, { method, path }: FuzzedRequest, status: number, ms: number): void {
  report.requests++
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  if (ms <= report.slowestMs || path.includes('fast-forward')) return
  report.slowestMs = ms
  report.slowest = `${method} ${path.slice(0, 100)}`
}

function expectErrorShape(text: string): void {
  const { error } = parse(text) as { error?: { code?: unknown; message?: unknown } }
  if (typeof error?.code !== 'string' || typeof error.message !== 'string' || error.message === '') {
    throw new Error(`Expected an error body, got ${text.slice(0, 300)}`)
  }
}

const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))
const get = (path: string): FuzzedRequest => ({ method: 'GET', path, headers: {}, body: undefined })
const remove = (path: string): FuzzedRequest => ({ method: 'DELETE', path, headers: {}, body: undefined })
const post = (path: string, body: object): FuzzedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
