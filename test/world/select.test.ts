import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { hashText, mixPair } from '../../src/runtime/random.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { Table } from '../../src/service/dataset/dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { keyIn } from '../../src/service/world/field.ts'
import type { ScopeMatch } from '../../src/service/world/scopes.ts'
import type { Selection } from '../../src/service/world/select.ts'
import { World } from '../../src/service/world/world.ts'
import {
  answers,
  body,
  boolean,
  describeApi,
  integer,
  list,
  object,
  path,
  string,
} from '../simulated-api/describe-api.ts'

const STATUSES = ['open', 'done', 'blocked']
const project = object({ id: integer(), name: string() }, ['id', 'name'])
const task = object(
  {
    id: integer(),
    title: string(),
    status: string({ enum: STATUSES }),
    urgent: boolean,
    tags: list(string({ enum: ['a', 'b'] })),
    project_id: integer(),
  },
  ['id', 'title', 'status', 'urgent', 'tags'],
)
const one = { get: { parameters: [path('id')], responses: answers(task) } }
const below = { get: { parameters: [path('project_id')], responses: answers(list(task)) } }
const paths = {
  '/projects': { get: { responses: answers(list(project)) } },
  '/projects/{project_id}': { get: { parameters: [path('project_id')], responses: answers(project) } },
  '/projects/{project_id}/tasks': below,
}
const all = {
  get: { responses: answers(list(task)) },
  post: { requestBody: body(task), responses: answers(task, 201) },
}
/** Tasks that live below projects, and tasks that projects only show. */
const nested = readDescription(describeApi({ ...paths, '/projects/{project_id}/tasks/{id}': one }))
const flat = readDescription(describeApi({ ...paths, '/tasks': all, '/tasks/{id}': one }))

const PARENTS = ['1', '2', '3', '4', '77', 'none']

/** A record as the plain scan sees it. */
interface Row {
  readonly key: string
  readonly record: JsonObject
}

/** The tasks in order of position, with what was deleted left out: what the world is held against. */
interface Oracle {
  rows: (Row | undefined)[]
  created: number
}

const fresh = (table: Table): Oracle => ({
  rows: Array.from({ length: table.size }, (_, at) => ({ key: table.keyAt(at), record: table.recordAt(at) })),
  created: 0,
})
const copy = ({ rows, created }: Oracle): Oracle => ({ rows: [...rows], created })

const value = fc.record(
  {
    status: fc.constantFrom<Json>(...STATUSES, 'strange', null),
    urgent: fc.boolean(),
    tags: fc.subarray(['a', 'b']),
    project_id: fc.constantFrom<Json>(1, 2, 3, 4, 77, null),
  },
  { requiredKeys: [] },
)
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), at: fc.nat(60), value }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), at: fc.nat(5), value }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat(60), value }) },
  fc.record({ do: fc.constantFrom('begin', 'undo', 'commit', 'load', 'dump', 'restore', 'look'), at: fc.nat(), value }),
)
const page = fc.record(
  {
    offset: fc.nat(12),
    limit: fc.nat(12),
    newestFirst: fc.boolean(),
    cursor: fc.tuple(fc.constantFrom('after', 'before'), fc.nat(60)),
    sorted: fc.boolean(),
  },
  { requiredKeys: [] },
)
const filter = fc.record(
  {
    status: fc.subarray<Json | undefined>([...STATUSES, 'strange', null, undefined]),
    urgent: fc.boolean(),
    tag: fc.constantFrom('a', 'b'),
    title: fc.nat(8),
    parent: fc.tuple(fc.constantFrom(...PARENTS), fc.boolean()),
    whole: fc.boolean(),
  },
  { requiredKeys: [] },
)

it.each([
  ['below their parents', nested],
  ['that parents show', flat],
])(
  'gives the page, total and order of a plain scan of records %s, whatever changed, was undone or put back',
  (_, model) => {
    const dataset = createDataset(model, {
      seed: 'select',
      epoch: Date.UTC(2025, 5, 15, 12),
      volume: { projects: 4, tasks: 40 },
      seedRecords: {},
    })
    const table = dataset.tables.get('tasks') as Table

    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 40 }),
        fc.array(fc.tuple(filter, page), { minLength: 3 }),
        (actions, looks) => {
          const world = new World(model, dataset)
          const stack: Oracle[] = []
          const saved: { dump: ReturnType<World['dump']>; oracle: Oracle }[] = []
          let oracle = fresh(table)
          for (const [number, { do: what, at, value: fields }] of actions.entries()) {
            const live = oracle.rows.flatMap((row, position) => (row === undefined ? [] : [position]))
            const position = live[at % Math.max(1, live.length)]
            const row = position === undefined ? undefined : oracle.rows[position]
            if (what === 'create') {
              const key = `new-${number}`
              const record = { id: 1_000 + number, title: `Task ${number}`, ...fields }
              const scope = at === 0 ? {} : { projects: String(at) }
              world.apply({ type: 'created', collection: 'tasks', key, record, scope })
              oracle.rows[table.size + oracle.created++] = { key, record }
            } else if (what === 'begin') {
              world.begin()
              stack.push(copy(oracle))
            } else if (what === 'undo') {
              world.undo()
              oracle = stack.pop() ?? oracle
            } else if (what === 'commit' && stack.length > 0) {
              world.keep()
              stack.pop()
            } else if (what === 'load') {
              world.load()
              oracle = fresh(table)
            } else if (what === 'dump') {
              saved.push({ dump: world.dump(), oracle: copy(oracle) })
            } else if (what === 'restore' && saved.length > 0) {
              const { dump, oracle: then } = saved[at % saved.length] as (typeof saved)[number]
              world.restore(dump)
              oracle = copy(then)
            } else if (row !== undefined && position !== undefined && (what === 'update' || what === 'delete')) {
              const record = { ...row.record, ...fields }
              if (what === 'update') world.apply({ type: 'updated', collection: 'tasks', key: row.key, record })
              else world.apply({ type: 'deleted', collection: 'tasks', key: row.key })
              oracle.rows[position] = what === 'update' ? { key: row.key, record } : undefined
            }
            // Indexes are made early, so that the changes that follow have to keep them up.
            const look = looks[number % looks.length]
            if (look !== undefined) compare(world, oracle, look[0], look[1])
          }
          for (const [wanted, part] of looks) compare(world, oracle, wanted, part)
        },
      ),
      { numRuns: 150 },
    )
  },
  60_000,
)

it('gives each page of many sorted records as in the whole list, by offset and after a cursor', () => {
  const options = { seed: 'many', epoch: Date.UTC(2025, 5, 15, 12), seedRecords: {} }
  const world = new World(flat, createDataset(flat, { ...options, volume: { tasks: 9_000 } }))
  const view = world.collection('tasks')
  const sort = [
    { field: ['status'], descending: true },
    { field: ['title'], descending: false },
  ]
  const keysOf = (selection: Selection) => view.select({ sort, ...selection }).records.map(({ key }) => key)

  const whole = keysOf({})

  for (const start of [0, 1, 20, 2_500, 8_995]) {
    const wanted = whole.slice(start, start + 10)
    expect(keysOf({ offset: start, limit: 10 })).toEqual(wanted)
    if (start > 0) expect(keysOf({ after: whole[start - 1] as string, limit: 10 })).toEqual(wanted)
  }
  expect(view.select({ sort, after: whole[3] as string, limit: 1 }).total).toBe(9_000)
})

type Filter = Partial<typeof filter extends fc.Arbitrary<infer T> ? T : never>
type Page = Partial<typeof page extends fc.Arbitrary<infer T> ? T : never>

function compare(world: World, oracle: Oracle, wanted: Filter, part: Page): void {
  const cursorRow = part.cursor && oracle.rows[part.cursor[1] % Math.max(1, oracle.rows.length)]
  const cursor = part.cursor && { [part.cursor[0]]: cursorRow?.key ?? 'gone' }
  const matches =
    wanted.whole === undefined ? undefined : (record: JsonObject) => (record.urgent === true) === wanted.whole
  const [parent, byField] = wanted.parent ?? []
  const scope: ScopeMatch[] =
    parent === undefined ? [] : [{ name: 'projects', value: parent, ...(byField && { field: ['project_id'] }) }]
  const where: NonNullable<Selection['where']> = [
    ...(wanted.status
      ? [{ field: ['status'], test: (held: Json | undefined) => wanted.status?.includes(held) === true }]
      : []),
    ...(wanted.urgent !== undefined
      ? [{ field: ['urgent'], test: (held: Json | undefined) => held === wanted.urgent }]
      : []),
    ...(wanted.tag
      ? [
          {
            field: ['tags'],
            test: (held: Json | undefined) => Array.isArray(held) && held.includes(wanted.tag as string),
          },
        ]
      : []),
    ...(wanted.title !== undefined
      ? [{ field: ['title'], test: (held: Json | undefined) => String(held).length % 9 === wanted.title }]
      : []),
  ]
  const { offset, limit, newestFirst = false } = part
  const sort = part.sorted ? [{ field: ['status'], descending: true }] : []

  const view = world.collection('tasks')
  const found = view.select({
    scope,
    where,
    matches,
    newestFirst,
    sort,
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...cursor,
  })

  const table = world.dataset.tables.get('tasks') as Table
  const rows = inOrder(table, oracle, newestFirst).filter(
    ({ key, record }) =>
      where.every(({ field, test }) => test(record[field[0] as string])) &&
      (matches === undefined || matches(record)) &&
      scope.every((match) => liesIn(world, key, record, match)),
  )
  if (part.sorted) rows.sort((left, right) => statusOrder(right) - statusOrder(left))
  const keys = rows.map(({ key }) => key)
  expect({ keys: found.records.map(({ key }) => key), total: found.total }).toEqual({
    keys: cutBy(keys, cursor, limit).slice(offset ?? 0, (offset ?? 0) + (limit ?? keys.length)),
    total: keys.length,
  })
  expect(view.count).toBe(oracle.rows.filter((row) => row !== undefined).length)
}

function inOrder(table: Table, { rows }: Oracle, newestFirst: boolean): Row[] {
  const order = newestFirst ? [...rows.slice(table.size).reverse(), ...rows.slice(0, table.size)] : rows
  return [...order].flatMap((row) => row ?? [])
}

/** The rule in words: the field says where a record lies; where it is empty or names nothing, its path does. */
function liesIn(world: World, key: string, record: JsonObject, { value: parent, field }: ScopeMatch): boolean {
  const byPath = ownerOf(world, key) === parent
  const held = field === undefined ? undefined : keyIn(record.project_id)
  if (held === undefined || !world.collection('projects').has(held)) return byPath || held === parent
  return held === parent
}

/** Key of the project that a task was made below, or was dealt to where nothing in it tells. */
function ownerOf(world: World, key: string): string | undefined {
  const view = world.collection('tasks')
  const index = world.dataset.tables.get('tasks')?.indexOf(key)
  if (view.model.parent !== undefined || index === undefined) return view.scopeOf(key).projects
  return world.dataset.tables.get('projects')?.keyAt(mixPair(hashText('projects'), index) % 4)
}

const ORDER: readonly unknown[] = [undefined, null, ...STATUSES.toSorted(), 'strange'].toSorted()
const statusOrder = ({ record }: Row): number => {
  const { status } = record
  return status === undefined || status === null ? -1 : ORDER.indexOf(status)
}

function cutBy(
  keys: readonly string[],
  cursor: Record<string, string> | undefined,
  limit: number | undefined,
): readonly string[] {
  if (cursor?.after !== undefined) {
    const at = keys.indexOf(cursor.after)
    return at === -1 ? [] : keys.slice(at + 1)
  }
  if (cursor?.before === undefined) return keys
  const end = Math.max(0, keys.indexOf(cursor.before))
  return keys.slice(limit === undefined ? 0 : Math.max(0, end - limit), end)
}
