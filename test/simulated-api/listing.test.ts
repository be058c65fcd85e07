import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, integer, list, object, path, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'
import { todoDescription } from './todo-description.ts'

it('cuts lists into pages and says so truthfully', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 23 } })

  const first = send('GET', '/tasks?limit=10')
  const last = send('GET', '/tasks?limit=10&page=3')

  expect(first.body).toMatchObject({ has_more: true, meta: { total: 23, page: 1, total_pages: 3, next_page: 2 } })
  expect(first.body.data).toHaveLength(10)
  expect(first.headers['x-total-count']).toBe('23')
  expect(first.headers.link).toBe(
    '<http://127.0.0.1:4010/tasks?limit=10&page=2>; rel="next", <http://127.0.0.1:4010/tasks?limit=10&page=3>; rel="last"',
  )
  expect(last.body).toMatchObject({ has_more: false, meta: { total: 23, page: 3, next_page: null } })
  expect(last.body.data).toHaveLength(3)
})

it('counts the records of a page as `results`', () => {
  // `{ status, results: 2, data: { users: [] } }` of Centralia and of two more APIs of Express, by JSend.
  const user = object({ id: string(), name: string() })
  const page = object({ status: string(), results: integer(), data: object({ users: list(user) }) })
  const users = { get: { parameters: [query('page'), query('limit')], responses: answers(page) } }
  const { send } = simulate(describeApi({ '/users': users }), { volume: { users: 12 } })

  const last = send('GET', '/users?page=2&limit=10')

  expect(last.body.data.users).toHaveLength(2)
  expect(last.body.results).toBe(2)
})

it('reads the record in an envelope with a time, as ielts-platform, SpringBoot-SOA and NoRest answer', () => {
  const at = { type: 'string', format: 'date-time' }
  const event = object({ id: string(), title: string() })
  const around = (data: JsonObject) => object({ success: { type: 'boolean' }, data, message: string(), timestamp: at })
  const { send } = simulate(
    describeApi({
      '/events': { get: { responses: answers(around(list(event))) } },
      '/events/{id}': {
        parameters: [path('id')],
        get: { responses: answers(around(event)) },
        put: { requestBody: body(object({ title: string() })), responses: answers(around(event)) },
      },
    }),
  )
  const [first] = send('GET', '/events').body.data

  send('PUT', `/events/${first.id}`, { json: { title: 'New' } })

  expect(first.title).toEqual(expect.any(String))
  expect(send('GET', `/events/${first.id}`).body.data).toEqual({ id: first.id, title: 'New' })
})

it('filters by the fields of records; what is outside of an enum filters nothing', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 40 } })

  const open = send('GET', '/tasks?status=open&limit=50').body
  const all = send('GET', '/tasks?status=all&limit=50').body

  expect(new Set(open.data.map((task: { status: string }) => task.status))).toEqual(new Set(['open']))
  expect(open.meta.total).toBeLessThan(40)
  expect(all.meta.total).toBe(40)
})

it('filters by bounds of a field', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 40 } })
  const tasks = send('GET', '/tasks?limit=50&sort=created_at').body.data
  const middle = tasks[20].created_at

  const after = send('GET', `/tasks?limit=50&created_after=${encodeURIComponent(middle)}`).body.data

  expect(after.length).toBeGreaterThan(0)
  expect(after.length).toBeLessThan(40)
  expect(after.every((task: { created_at: string }) => task.created_at >= middle)).toBe(true)
})

it('filters by the date that the text of a bound names, as Gitea, Attachra and a shop describe theirs', () => {
  const at = { type: 'string', format: 'date-time' }
  const issue = object({ id: string(), closed_at: at, created_at: at, updated_at: at })
  const parameters = [
    { ...query('since'), description: 'Only show items updated after the given time.' },
    { ...query('from', at), description: 'Inclusive lower bound on `created_at`.' },
    { ...query('from_date'), description: 'Filter issues created from this date (YYYY-MM-DD)' },
  ]
  const issues = { get: { parameters, responses: answers(list(issue)) } }
  const { send } = simulate(describeApi({ '/issues': issues }), { volume: { issues: 15 } })
  const all: JsonObject[] = send('GET', '/issues').body
  const after = (field: string, bound: unknown) => all.filter((one) => `${one[field]}` >= `${bound}`)
  const { created_at, updated_at } = all[8] ?? {}

  const [since, from, day] = [`since=${updated_at}`, `from=${created_at}`, `from_date=${created_at}`].map(
    (sent) => send('GET', `/issues?${sent}`).body,
  )

  expect(since).toEqual(after('updated_at', updated_at))
  expect([from, day]).toEqual([after('created_at', created_at), after('created_at', created_at)])
  expect(from.length).toBeLessThan(all.length)
})

it('filters by the plural of a field, another word for the status, and spans of the only date', () => {
  const visit = object({
    id: string(),
    status: string({ enum: ['PLANNED', 'OVER'] }),
    kind: string({ enum: ['tour', 'talk'] }),
    days: list(string({ format: 'date' })),
    createdAt: string({ format: 'date-time' }),
  })
  const names = ['states', 'kinds', 'ids', 'startDate', 'endDate', 'limit']
  const visits = { get: { parameters: names.map((name) => query(name)), responses: answers(list(visit)) } }
  const one = { get: { parameters: [path('id')], responses: answers(visit) } }
  const { send } = simulate(describeApi({ '/visits': visits, '/visits/{id}': one }), { volume: { visits: 60 } })
  type Visit = { id: string; status: string; kind: string; days: string[] }
  const read = (text: string): Visit[] => send('GET', `/visits?limit=60&${text}`).body
  const days = read('')
    .flatMap((item) => item.days)
    .toSorted()
  const middle = days[Math.floor(days.length / 2)] as string

  const [first, second] = read('').map(({ id }) => id)
  expect(read(`ids=${second},${first}`).map(({ id }) => id)).toEqual([first, second])
  expect(new Set(read('states=OVER').map(({ status }) => status))).toEqual(new Set(['OVER']))
  expect(new Set(read('kinds=talk').map(({ kind }) => kind))).toEqual(new Set(['talk']))
  const later = read(`startDate=${middle}`)
  expect(later.length).toBeGreaterThan(0)
  expect(later.every((item) => item.days.some((day) => day >= middle))).toBe(true)
  expect(read(`endDate=${middle}`).every((item) => item.days.some((day) => day <= middle))).toBe(true)
  expect(read(`startDate=${middle}`).length + read(`endDate=${middle}`).length).toBeLessThan(120)
})

it('notes a filter that does nothing', () => {
  const shelf = object({ id: string(), name: string() })
  const shelves = { get: { parameters: [query('name'), query('mood')], responses: answers(list(shelf)) } }
  const one = { get: { parameters: [path('id')], responses: answers(shelf) } }
  const { send } = simulate(describeApi({ '/shelves': shelves, '/shelves/{id}': one }), { volume: { shelves: 50 } })

  expect(send('GET', '/shelves?mood=calm').warnings).toEqual([
    'Not filtered by mood: the records have no field that fits. A handler of `GET /shelves` can choose them.',
  ])
  expect(send('GET', '/shelves?name=a').warnings).toEqual([])
  expect(send('GET', '/shelves').warnings).toEqual([])
})

// `visible` of Kimai (1, 2, 3), `exported` of Kimai and `is_running` of Harvest (0, 1).
it('reads 0 and 1 as a flag, and notes another value', () => {
  const shelf = object({ id: string(), visible: { type: 'boolean' } })
  const shelves = { get: { parameters: [query('visible')], responses: answers(list(shelf)) } }
  const { send } = simulate(describeApi({ '/shelves': shelves }), { volume: { shelves: 20 } })
  const shown = (value: string) => send('GET', `/shelves?visible=${value}`)
  const flags = (value: string) => new Set(shown(value).body.map((one: { visible: boolean }) => one.visible))

  expect([flags('1'), flags('0')]).toEqual([new Set([true]), new Set([false])])
  expect([shown('0').warnings, shown('all').warnings]).toEqual([[], []])
  expect(shown('2').warnings).toEqual(['Not filtered by visible=2: the field is true or false.'])
})

it.each([
  ['visible__exact=1', [true]],
  ['visible__ne=0', [true]],
  ['visible__in=0', [false]],
  ['visible__in=true,false', [true, false]],
  ['visible__isnull=False', [true, false]],
  ['visible__isnull=0', [true, false]],
])('reads a flag with an operator: %s', (filter, expected) => {
  const shelf = object({ id: string(), visible: { type: 'boolean' } }, ['visible'])
  const parameters = ['exact', 'ne', 'in', 'isnull'].map((word) => query(`visible__${word}`))
  const { send } = simulate(describeApi({ '/shelves': { get: { parameters, responses: answers(list(shelf)) } } }), {
    volume: { shelves: 20 },
  })

  const { body, warnings } = send('GET', `/shelves?${filter}`)

  expect(new Set(body.map((one: { visible: boolean }) => one.visible))).toEqual(new Set(expected))
  expect(warnings).toEqual([])
})

// The look-ups of Django, which Paperless-ngx, AWX and Pulp take in the query.
it('filters by the beginning and the end of a text, and by the whole in any case', () => {
  const names = ['istartswith', 'iendswith', 'iexact'].map((word) => `name__${word}`)
  const shelf = object({ id: string(), name: string() })
  const shelves = {
    get: { parameters: names.map((name) => query(name)), responses: answers(list(shelf)) },
    post: { requestBody: body(shelf), responses: answers(shelf, 201) },
  }
  const { send } = simulate(describeApi({ '/shelves': shelves }), { volume: { shelves: 0 } })
  for (const name of ['Alpha One', 'Beta']) send('POST', '/shelves', { json: { name } })
  const found = (filter: string) => send('GET', `/shelves?${filter}`).body.map((one: { name: string }) => one.name)

  expect(found('name__istartswith=alpha')).toEqual(['Alpha One'])
  expect(found('name__iendswith=ONE')).toEqual(['Alpha One'])
  expect(found('name__iexact=BETA')).toEqual(['Beta'])
})

it('notes a parameter that is misspelt', () => {
  const shelf = object({ id: string(), name: string(), tags: list(string()) })
  const shelves = { get: { parameters: [query('name'), query('tags[]')], responses: answers(list(shelf)) } }
  const { send } = simulate(describeApi({ '/shelves': shelves }), { volume: { shelves: 5 } })

  expect(send('GET', '/shelves?nmae=a').warnings).toEqual([
    'Ignored nmae: GET /shelves has no such parameter. Did you mean name?',
  ])
  for (const known of ['name=a', 'NAME=a', 'tags=a', 'tags[]=a', 'utm_source=a', 'nmae[x]=a']) {
    expect(send('GET', `/shelves?${known}`).warnings, known).toEqual([])
  }
})

it('shows records of one moment newest first where the order descends', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 3 } })
  const made = ['a', 'b', 'c'].map((title) => send('POST', '/tasks', { json: { title } }).body.id)
  const read = (order: string): string[] =>
    send('GET', `/tasks?limit=50&sort=${order}`).body.data.map(({ id }: { id: string }) => id)

  const [ascending, descending] = [read('created_at'), read('-created_at')]

  expect(ascending.slice(-3)).toEqual(made)
  expect(descending.slice(0, 3)).toEqual(made.toReversed())
})

it('sorts', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 30 } })

  const priorities = send('GET', '/tasks?limit=50&sort=-priority').body.data.map(
    (task: { priority: number }) => task.priority ?? 0,
  )

  expect(priorities).toEqual(priorities.toSorted((left: number, right: number) => right - left))
})

it('shows the requested fields and the required ones', () => {
  const { send } = simulate(todoDescription)

  const [task] = send('GET', '/tasks?fields=title').body.data

  expect(Object.keys(task).sort()).toEqual(['created_at', 'id', 'status', 'title', 'updated_at'])
})

it('answers 304 to who has the list as it is', () => {
  const { send } = simulate(todoDescription)
  const { etag } = send('GET', '/tasks').headers

  expect(send('GET', '/tasks', { headers: { 'if-none-match': etag } }).status).toBe(304)
  send('POST', '/tasks', { json: { title: 'new' } })
  expect(send('GET', '/tasks', { headers: { 'if-none-match': etag } }).status).toBe(200)
})

it.each([
  ["title:'Ship it'", ['Ship it']],
  ['title:"Ship it" AND priority>2', ['Ship it']],
  ['priority<2', ['Wait']],
  ['title eq "Wait" or title eq "Ship it"', ['Wait', 'Ship it']],
  ['title sw "Shi"', ['Ship it']],
  ['-title:Wait priority:4', ['Ship it']],
  ['wait', ['Wait']],
])('understands the query %s', (text, titles) => {
  const description = describeApi(
    {
      '/tasks': {
        get: { parameters: [query('q')], responses: answers(list('$Task')) },
        post: { requestBody: body(object({ title: string(), priority: integer() })), responses: answers('$Task', 201) },
      },
      '/tasks/{id}': { get: { parameters: [path('id')], responses: answers('$Task') } },
    },
    { Task: object({ id: string(), title: string(), priority: integer() }) },
  )
  const { send } = simulate(description, { volume: { tasks: 0 } })
  send('POST', '/tasks', { json: { title: 'Ship it', priority: 4 } })
  send('POST', '/tasks', { json: { title: 'Wait', priority: 1 } })

  const found = send('GET', `/tasks?q=${encodeURIComponent(text)}`).body

  expect(found.map((task: { title: string }) => task.title)).toEqual(titles)
})

it('gives a field the values that its list is filtered by, where its schema names none', () => {
  const Issue = object({ id: integer(), title: string(), state: string() })
  const { send } = simulate(
    describeApi(
      {
        '/issues': {
          get: {
            parameters: [query('state', string({ enum: ['closed', 'open', 'all'] }))],
            responses: answers(list('$Issue')),
          },
          post: { requestBody: body(object({ title: string() })), responses: answers('$Issue', 201) },
        },
        '/issues/{id}': { parameters: [path('id', integer())], get: { responses: answers('$Issue') } },
      },
      { Issue },
    ),
    { volume: { issues: 20 } },
  )
  const statesOf = (target: string) => new Set(send('GET', target).body.map(({ state }: { state: string }) => state))

  const made = send('POST', '/issues', { json: { title: 'It leaks' } }).body

  expect(made.state).toBe('open')
  expect(send('GET', '/issues?state=open').body).toContainEqual(made)
  expect(statesOf('/issues?state=closed')).toEqual(new Set(['closed']))
  expect(statesOf('/issues')).toEqual(new Set(['closed', 'open']))
  expect(send('GET', '/issues?state=all').body).toHaveLength(21)
})

it('shows fewer records on a page where they are large, and tells in the log how many it left out', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `field${at}`)
  const wide = object(Object.fromEntries(['id', ...names].map((name) => [name, string()])), ['id', ...names])
  const one = { get: { parameters: [path('id')], responses: answers(wide) } }
  const shelves = { get: { parameters: [query('limit'), query('offset')], responses: answers(list(wide)) } }
  const { send } = simulate(describeApi({ '/shelves': shelves, '/shelves/{id}': one }), { volume: { shelves: 50 } })

  const { body, warnings } = send('GET', '/shelves?limit=50')

  const shown = (body as unknown[]).length
  expect(shown).toBeGreaterThan(5)
  expect(shown).toBeLessThan(50)
  expect(warnings).toEqual([
    expect.stringMatching(/^The page is without its last \d+ records: .* more than 4,000,000 characters\.$/),
  ])
})

const day = { type: 'string', format: 'date' }
const moment = { type: 'string', format: 'date-time' }

/** Lists of records with these fields, with the records that were sent, the latest first. */
function listed(fields: Record<string, JsonObject>, parameters: JsonObject[], records: JsonObject[], words = '') {
  const record = object({ id: string(), ...fields })
  const { send } = simulate(
    describeApi({
      '/things': {
        get: { description: words, parameters, responses: answers(list(record)) },
        post: { ...body(object(fields)), responses: answers(record, 201) },
      },
    }),
    { volume: { things: 0 } },
  )
  for (const json of records) send('POST', '/things', { json })
  return (search = '') => send('GET', `/things${search}`)
}

const namesOf = ({ body: things }: { body: JsonObject[] }) => things.map(({ name }) => name)
const named = (...records: JsonObject[]) => records.map((record, at) => ({ name: 'abc'.charAt(at), ...record }))

it.each([
  ['amenities', 'amenity', 'spa'],
  ['categories', 'category', 'tea'],
  ['skills', 'skill', 'dutch'],
])('filters %s by %s', (field, parameter, value) => {
  const fields = { name: string(), [field]: list(string()) }
  const read = listed(
    fields,
    [query(parameter)],
    named({ [field]: [value] }, { [field]: ['other', value] }, { [field]: [] }),
  )

  expect(namesOf(read(`?${parameter}=${value}`))).toEqual(['b', 'a'])
})

it.each([
  ['arrival', day, 'arriving_from', ['c', 'b']],
  ['dueOn', day, 'dueBefore', ['a']],
  ['dueOn', day, 'dueUntil', ['b', 'a']],
  ['shippedAt', moment, 'shipped_before', ['a']],
  ['expectedOn', day, 'expectingTo', ['b', 'a']],
])('bounds %s by %4$s', (field, schema, parameter, names) => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03']
  const values = schema === day ? days : days.map((one) => `${one}T00:00:00Z`)
  const read = listed(
    { name: string(), [field]: schema },
    [query(parameter)],
    named(...values.map((value) => ({ [field]: value }))),
  )

  const answer = read(`?${parameter}=2026-01-02`)

  expect(namesOf(answer)).toEqual(names)
  expect(answer.warnings).toEqual([])
})

it('takes a day for all of its times: from and until one day are the times of that day', () => {
  const times = ['2026-01-03T23:30:00Z', '2026-01-04T00:00:00Z', '2026-01-04T17:30:00Z', '2026-01-05T00:00:00Z']
  const fields = { name: string(), startsAt: moment }
  const read = listed(
    fields,
    [query('date_from', day), query('date_to', day)],
    times.map((startsAt, at) => ({ name: 'abcd'.charAt(at), startsAt })),
  )

  expect(namesOf(read('?date_from=2026-01-04&date_to=2026-01-04'))).toEqual(['c', 'b'])
})

it('applies the declared defaults of order and status', () => {
  const status = string({ enum: ['open', 'closed'] })
  const parameters = [
    query('sort', string({ enum: ['name', 'rank'], default: 'rank' })),
    query('order', string({ enum: ['asc', 'desc'], default: 'desc' })),
    query('status', string({ enum: ['open', 'closed', 'all'], default: 'open' })),
  ]
  const records = named({ rank: 2, status: 'open' }, { rank: 3, status: 'open' }, { rank: 1, status: 'closed' })
  const read = listed({ name: string(), rank: integer(), status }, parameters, records)

  expect(namesOf(read())).toEqual(['b', 'a'])
  expect(namesOf(read('?status=all'))).toEqual(['b', 'a', 'c'])
  expect(namesOf(read('?sort=name&status=all'))).toEqual(['c', 'b', 'a'])
  expect(namesOf(read('?order=asc'))).toEqual(['a', 'b'])
})

it('lists all records where a filter has the schema of the status, whose default is for new records', () => {
  const status = string({ enum: ['draft', 'sent'], default: 'draft' })
  const read = listed({ name: string(), status }, [query('status', status)], named({}, { status: 'sent' }))

  expect(namesOf(read())).toEqual(['b', 'a'])
  expect(namesOf(read('?status=draft'))).toEqual(['a'])
})

it.each([
  ['Comments of the ticket, oldest first.', [], ['a', 'b', 'c']],
  ['Movements.', [{ ...query('sort'), description: 'Oldest first unless `-created`.' }], ['a', 'b', 'c']],
  ['Invoices: newest first by default, `asc` for oldest first.', [], ['c', 'b', 'a']],
])('begins with the oldest record where the words say so: %s', (words, parameters, names) => {
  const read = listed({ name: string() }, parameters, named({}, {}, {}), words)

  expect(namesOf(read())).toEqual(names)
})

it.each(['page', 'pageNumber'])('reads a %s that is a text as a number', (name) => {
  const read = listed({ name: string() }, [query(name), query('limit')], named({}, {}, {}))

  expect(namesOf(read(`?${name}=1&limit=2`))).toEqual(['c', 'b'])
  expect(namesOf(read(`?${name}=2&limit=2`))).toEqual(['a'])
})

it.each(['offset', 'skip'])('reads an %s that is a text as a number', (name) => {
  const read = listed({ name: string() }, [query(name), query('limit')], named({}, {}, {}))

  expect(namesOf(read(`?${name}=0`))).toEqual(['c', 'b', 'a'])
  expect(namesOf(read(`?${name}=2&limit=2`))).toEqual(['a'])
})

it('notes a parameter that is not declared, though it filters', () => {
  const read = listed({ name: string() }, [query('limit')], named({}, {}))

  const answer = read('?name=a')

  expect(namesOf(answer)).toEqual(['a'])
  expect(answer.warnings).toEqual(['Undeclared name: GET /things has no such parameter. The API itself may ignore it.'])
})
