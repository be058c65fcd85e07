import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../openapi/describe-api.ts'
import { HOSTILE_SHAPES } from '../openapi/hostile/hostile-descriptions.ts'
import type { HeavySimulation, RunningService } from './running-service.ts'

/** How much there is of everything: `npm test` takes little, `npm run neighbours` as much as one simulation may have. */
export interface HeavySizes {
  readonly records: number
  readonly bodyBytes: number
  readonly bulk: number
  readonly hours: number
  readonly shapeShare: number
}

/** One heavy work: what makes it ready, and the work itself. */
export interface HeavyWork {
  /** What the simulation is made of; a new task tracker by itself. */
  readonly creation?: (sizes: HeavySizes) => JsonObject
  readonly prepare?: (simulation: HeavySimulation, sizes: HeavySizes, service: RunningService) => Promise<unknown>
  /** Prepared before anything is measured: the work sends it, and does not make it. */
  readonly body?: (sizes: HeavySizes) => string
  readonly work: (
    simulation: HeavySimulation,
    body: string,
    service: RunningService,
    sizes: HeavySizes,
  ) => Promise<unknown>
}

const JSON_TYPE = 'application/json'
const thing = object({ id: 'string', name: 'string', note: 'string', count: 'integer' })
/** A description with bulk operations, and with a body of any shape. */
const THINGS = JSON.stringify(
  describeApi({
    '/things': {
      get: answers({ type: 'array', items: thing }),
      post: { ...takes(thing), ...answers(thing) },
    },
    '/things/batch': {
      post: { ...takes({ type: 'array', items: thing }), ...answers({ type: 'array', items: thing }) },
    },
    '/things/{id}': {
      get: answers(thing),
      patch: { ...takes(thing), ...answers(thing) },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/compute': {
      post: {
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', additionalProperties: { type: 'array', items: thing } } },
            'application/x-www-form-urlencoded': { schema: { type: 'object' } },
            'multipart/form-data': { schema: { type: 'object' } },
          },
        },
        ...answers(object({ result: 'string' })),
      },
    },
  }),
)
const things = ({ records }: HeavySizes): JsonObject => ({ spec: THINGS, volume: { things: records } })
const tasks = ({ records }: HeavySizes): JsonObject => ({ library: 'task-tracker', volume: { tasks: records } })
const fewThings = (): JsonObject => ({ spec: THINGS, volume: { things: 100 } })

const touching = (everySeconds: number, count: number): Json => ({
  rules: [{ everySeconds, steps: [{ kind: 'touch', collection: 'tasks', count }] }],
})
const manyThings = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, at) => ({ name: `Thing ${at}`, note: 'x'.repeat(40), count: at })))
/** Changes as many records as there are. */
const changeMany = async (simulation: HeavySimulation, { records }: HeavySizes): Promise<void> => {
  await simulation.manage('PUT', '/behaviour', touching(3_600, records / 100))
  await simulation.manage('POST', '/fast-forward', { hours: 99 })
}
const STALE = { name: 'stale', kind: 'staleRead', method: 'GET', pathPattern: '/v1/tasks*', config: { lagMs: 1_000 } }
/** Parts of a text, as many as have `bytes` together. */
const repeat = (bytes: number, part: (at: number) => string): string[] => {
  const parts: string[] = []
  for (let size = 0; size < bytes; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(part(parts.length))
  return parts
}
const simulateShape = (name: string): HeavyWork => {
  const shape = HOSTILE_SHAPES[name]
  return {
    body: ({ shapeShare }) => shape?.write(Math.max(2, Math.round((shape.sizes[0] ?? 2) * shapeShare)), 1) ?? '',
    work: (_, spec, service) => service.manage('POST', '/simulations', { spec }),
  }
}

/** Works by name. Another simulation has to be answered meanwhile. */
export const HEAVY_WORKS: Readonly<Record<string, HeavyWork>> = {
  'a key that is not among those that an API has made': {
    creation: ({ records }) => ({ library: 'resend', volume: { api_keys: records } }),
    work: (simulation) => simulation.callWithKey('re_wrong', '/domains'),
  },
  'a fast-forward with many changes': {
    creation: tasks,
    work: (simulation, _, __, sizes) => changeMany(simulation, sizes),
  },
  'a fast-forward that changes nothing': {
    prepare: (simulation) =>
      simulation.manage('PUT', '/behaviour', {
        rules: Array.from({ length: 10 }, () => ({
          everySeconds: 1,
          steps: [{ kind: 'touch', collection: 'tasks', count: 1, where: { title: 'no task has this title' } }],
        })),
      }),
    work: (simulation, _, __, { hours }) =>
      simulation.manage('POST', '/fast-forward', { hours: Math.max(0.25, hours / 24) }),
  },
  'a catch-up': {
    prepare: async (simulation, { hours }, service) => {
      await simulation.manage('PUT', '/behaviour', touching(60, 20))
      service.order({ sleepMs: hours * 3_600_000 })
    },
    work: (simulation) => simulation.call('GET', '/v1/tasks?limit=1'),
  },
  'a search over many records': {
    creation: tasks,
    work: (simulation) => simulation.call('GET', '/v1/tasks?q=no%20task%20has%20this'),
  },
  'the first list of many records': {
    creation: things,
    work: (simulation) => simulation.call('GET', '/things?limit=10'),
  },
  'the first list of records that a fast-forward has created': {
    prepare: async (simulation, { records }) => {
      const steps = [{ kind: 'create', collection: 'tasks', count: Math.min(records / 100, 10_000) }]
      await simulation.manage('PUT', '/behaviour', { rules: [{ everySeconds: 3_600, steps }] })
      await simulation.manage('POST', '/fast-forward', { hours: 60 })
    },
    work: (simulation) => simulation.call('GET', '/v1/tasks?limit=10'),
  },
  'a filter over many records': {
    creation: things,
    work: (simulation) => simulation.call('GET', '/things?note=no%20thing%20has%20this'),
  },
  'a sorted list of many records': {
    creation: things,
    work: (simulation) => simulation.call('GET', '/things?sort=-note&limit=10'),
  },
  'a list that the rows of an entry make of many records': {
    creation: ({ records }) => ({ library: 'clerk', volume: { allowlist_identifiers: Math.min(records, 50_000) } }),
    work: (simulation) => simulation.call('GET', '/v1/allowlist_identifiers'),
  },
  'a list that a handler makes of many records': {
    creation: ({ records }) => ({ library: 'resend', volume: { emails: Math.min(records, 50_000) } }),
    work: (simulation) => simulation.call('GET', '/emails'),
  },
  'a list of more records than a handler may read': {
    creation: ({ records }) => ({ library: 'resend', volume: { emails: Math.max(records, 60_000) } }),
    work: (simulation) => simulation.call('GET', '/emails'),
  },
  'a page of the dashboard over many records': {
    creation: things,
    work: (simulation) => simulation.manage('GET', '/records/things?limit=500&q=none'),
  },
  'a snapshot and its restoration': {
    creation: tasks,
    prepare: changeMany,
    work: async (simulation) => {
      const { id } = (await simulation.manage('POST', '/snapshots')) as { id: string }
      await simulation.manage('POST', `/snapshots/${id}/restore`)
    },
  },
  'a rule run out of turn': {
    creation: tasks,
    prepare: (simulation, { records }) =>
      simulation.manage('PUT', '/behaviour', touching(3_600, Math.min(records, 10_000))),
    work: (simulation) => simulation.manage('POST', '/behaviour/rule_1/run'),
  },
  'a stale read after many changes': {
    creation: tasks,
    prepare: async (simulation, sizes) => {
      await changeMany(simulation, sizes)
      await simulation.manage('POST', '/rules', STALE)
    },
    work: (simulation) => simulation.call('GET', '/v1/tasks?limit=1'),
  },
  'a search of stale reads': {
    creation: tasks,
    prepare: (simulation) => simulation.manage('POST', '/rules', STALE),
    work: (simulation) => simulation.call('GET', '/v1/tasks?q=no%20task%20has%20this'),
  },
  'a reset after many changes': {
    creation: tasks,
    prepare: changeMany,
    work: async (simulation) => {
      await simulation.manage('POST', '/reset')
      await simulation.call('GET', '/v1/tasks?limit=1')
    },
  },
  'a deletion after many changes': {
    creation: tasks,
    prepare: changeMany,
    work: (simulation) => simulation.manage('DELETE', ''),
  },
  'a bulk creation': {
    creation: fewThings,
    body: ({ bulk }) => manyThings(bulk),
    work: (simulation, body) => simulation.call('POST', '/things/batch', body),
  },
  'the events and requests of a bulk creation': {
    creation: fewThings,
    prepare: (simulation, { bulk }) => simulation.call('POST', '/things/batch', manyThings(bulk)),
    work: async (simulation) => {
      await simulation.manage('GET', '/events')
      await simulation.manage('GET', '/logs?detail=true&limit=1000')
    },
  },
  'seed records': {
    body: ({ bulk }) => manyThings(bulk),
    work: (_, body, service) =>
      service.manageText('POST', '/simulations', `{"spec":${JSON.stringify(THINGS)},"seedRecords":{"things":${body}}}`),
  },
  'seed records of many names': {
    body: ({ bodyBytes }) => `[{${repeat(bodyBytes, (at) => `"name${at}":${at}`).join(',')}}]`,
    work: (_, body, service) =>
      service.manageText('POST', '/simulations', `{"spec":${JSON.stringify(THINGS)},"seedRecords":{"things":${body}}}`),
  },
  'a body of one long text': {
    creation: fewThings,
    body: ({ bodyBytes }) => JSON.stringify({ name: 'x'.repeat(bodyBytes) }),
    work: (simulation, body) => simulation.call('POST', '/things', body),
  },
  'a body of many names': {
    creation: fewThings,
    body: ({ bodyBytes }) => `{${repeat(bodyBytes, (at) => `"name${at}":${at}`).join(',')}}`,
    work: (simulation, body) => simulation.call('POST', '/things', body),
  },
  'a body of many objects of many names': {
    creation: fewThings,
    body: ({ bodyBytes }) => {
      const wide = (at: number) => `{${Array.from({ length: 4_000 }, (_, name) => `"n${at}_${name}":1`).join(',')}}`
      return `{${repeat(bodyBytes, (at) => `"l${at}":${wide(at)}`).join(',')}}`
    },
    work: (simulation, body) => simulation.call('POST', '/things', body),
  },
  'a body of many lists': {
    creation: fewThings,
    body: ({ bodyBytes }) =>
      `{${repeat(bodyBytes, (at) => `"l${at}":[{"id":"a","name":"b","count":${at}},{"id":5}]`).join(',')}}`,
    work: (simulation, body) => simulation.call('POST', '/compute', body),
  },
  'a body of brackets': {
    creation: fewThings,
    body: ({ bodyBytes }) => '['.repeat(bodyBytes),
    work: (simulation, body) => simulation.call('POST', '/compute', body),
  },
  'a body of lists in lists': {
    creation: fewThings,
    body: ({ bodyBytes }) => `${'['.repeat(bodyBytes / 2)}${']'.repeat(bodyBytes / 2)}`,
    work: (simulation, body) => simulation.call('POST', '/compute', body),
  },
  'a body of deep objects that is not valid': {
    creation: fewThings,
    body: ({ bodyBytes }) => {
      const deep = `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`
      return `{"name":{${repeat(bodyBytes, (at) => `"l${at}":${deep}`).join(',')}}}`
    },
    work: (simulation, body) => simulation.call('POST', '/things', body),
  },
  'a creation with a deep description': {
    body: ({ bodyBytes }) => `${'{"a":'.repeat(bodyBytes / 12)}1${'}'.repeat(bodyBytes / 12)}`,
    work: (_, body, service) => service.manageText('POST', '/simulations', `{"spec":${body}}`),
  },
  'a creation with many deep values': {
    body: ({ bodyBytes }) => {
      const deep = `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`
      return `{${repeat(bodyBytes, (at) => `"l${at}":${deep}`).join(',')}}`
    },
    work: (_, body, service) =>
      service.manageText(
        'POST',
        '/simulations',
        `{"spec":${JSON.stringify(THINGS)},"seedRecords":{"things":[${body}]}}`,
      ),
  },
  'a form of many fields': {
    creation: fewThings,
    body: ({ bodyBytes }) => repeat(bodyBytes, (at) => `a${at}=1`).join('&'),
    work: (simulation, body) => simulation.call('POST', '/compute', body, 'application/x-www-form-urlencoded'),
  },
  'a form of many brackets': {
    creation: fewThings,
    body: ({ bodyBytes }) => repeat(bodyBytes, (at) => `a[${at}][b][c][]=1`).join('&'),
    work: (simulation, body) => simulation.call('POST', '/compute', body, 'application/x-www-form-urlencoded'),
  },
  'a form of one long bracket': {
    creation: fewThings,
    body: ({ bodyBytes }) => `a${'[b]'.repeat(bodyBytes / 3)}=1`,
    work: (simulation, body) => simulation.call('POST', '/compute', body, 'application/x-www-form-urlencoded'),
  },
  'a form of many parts': {
    creation: fewThings,
    body: ({ bodyBytes }) =>
      `${repeat(bodyBytes, (at) => `--b\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\n1\r\n`).join('')}--b--\r\n`,
    work: (simulation, body) => simulation.call('POST', '/compute', body, 'multipart/form-data; boundary=b'),
  },
  'a query of many parameters': {
    creation: fewThings,
    work: (simulation) => simulation.call('GET', `/things?${repeat(15_000, (at) => `a${at}=`).join('&')}`),
  },
  'a query of many brackets': {
    creation: fewThings,
    work: (simulation) => simulation.call('GET', `/things?a${'[]'.repeat(7_000)}=1`),
  },
  'a description of YAML': {
    body: ({ bodyBytes }) => yamlOf(Math.min(bodyBytes / 2, 4_900_000)),
    work: (_, spec, service) => service.manage('POST', '/simulations', { spec }),
  },
  'a description of YAML that is refused': {
    body: ({ bodyBytes }) => `${yamlOf(Math.min(bodyBytes / 2, 4_900_000))}\n  }: [`,
    work: (_, spec, service) => service.manage('POST', '/simulations', { spec }),
  },
  'a plan of many rules': {
    body: () =>
      JSON.stringify({
        rules: Array.from({ length: 50 }, () => ({
          everySeconds: 1,
          steps: Array.from({ length: 20 }, () => ({
            kind: 'touch',
            collection: 'tasks',
            count: 1,
            where: { title: 'x' },
          })),
        })),
      }),
    work: (simulation, body) => simulation.manage('PUT', '/behaviour', JSON.parse(body)),
  },
  ...Object.fromEntries(
    [
      'collections over a shared schema',
      'long texts',
      'a huge enum',
      'patterns that go back',
      'enums of objects',
      'references that lead nowhere',
    ].map((name) => [name, simulateShape(name)]),
  ),
}

/** A description in YAML of so many bytes, with prose as descriptions have it. */
function yamlOf(bytes: number): string {
  const paths = repeat(
    bytes,
    (at) => `  /v1/things${at}:
    get:
      operationId: list${at}
      description: "Lists all of them, page by page, the newest first."
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses:
        '200':
          description: A page
          content:
            ${JSON_TYPE}:
              schema: { type: array, items: { $ref: '#/components/schemas/Thing' } }
`,
  )
  return `openapi: 3.1.0
info: { title: Things, version: '1' }
components:
  schemas:
    Thing: { type: object, properties: { id: { type: string }, name: { type: string } } }
paths:
${paths.join('')}`
}
