import type { LogEntry } from '../../src/index.ts'
import { type Answering, answerJson, startAnswering } from './answering.ts'

const DETAIL = {
  id: '1',
  slug: 's',
  name: 'n',
  url: 'http://127.0.0.1:9',
  events: [],
  collections: [],
  rules: [],
  behaviour: { rules: [] },
}

/**
 * A service of the specification alone, without extensions: one empty simulation, and response rules of kind latency.
 *
 * @param options `readsQueued`: for how many reads the simulation is queued; `logs`: its log of requests
 */
export function startPlainService({
  readsQueued = 0,
  logs = [],
}: {
  readsQueued?: number
  logs?: readonly LogEntry[]
} = {}): Promise<Answering> {
  let reads = 0
  return startAnswering(({ method, path, body }, _, response) => {
    const answer = (status: number, value: unknown) => answerJson(response, status, value)
    const sent = body === '' ? {} : JSON.parse(body)
    const route = `${method} ${path.replace('/v1/simulations', '')}`
    if (method === 'DELETE') return response.writeHead(204).end()
    if (route === 'POST ') return answer(201, { ...DETAIL, status: 'queued', apiKey: 'svc_sim_1' })
    if (route === 'GET ' || route === 'GET /1/events') return answer(200, { data: [] })
    if (route === 'GET /1') return answer(200, { ...DETAIL, status: ++reads > readsQueued ? 'running' : 'queued' })
    if (route === 'GET /1/logs') return answer(200, { data: logs })
    if (route === 'POST /1/fast-forward') return answer(200, { hours: sent.hours, changes: 0 })
    if (route === 'PUT /1/behaviour') return answer(200, {})
    if (route === 'POST /1/rules' && sent.kind === 'latency') return answer(201, { ...sent, id: 'r1' })
    if (route === 'POST /1/rules')
      return answer(400, { error: { code: 'invalid_request', message: '`kind` must be latency' } })
    answer(404, { error: { code: 'not_found', message: 'No such thing.' } })
  })
}
