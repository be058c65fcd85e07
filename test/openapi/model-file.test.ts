import { expect, it } from 'vitest'
import { createSimulation, type Simulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { ModelFile } from '../../src/protocol/model-file.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { toModelDocument } from '../../src/service/openapi/write-model.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, takes } from './describe-api.ts'
import { parseModelDocument } from './parse-model-document.ts'

const hotels = describeApi(
  {
    '/hotels': { get: answers(list(by('Hotel'))), post: { ...takes(by('Hotel')), ...made('Hotel') } },
    '/hotels/{id}': { ...inPath('id'), get: answers(by('Hotel')), delete: answers({}) },
    '/bookings': {
      get: { parameters: [inQuery('hotel_id', { type: 'string' })], ...answers(list(by('Booking'))) },
      post: { ...takes(by('NewBooking')), ...made('Booking') },
    },
    '/bookings/{id}': { ...inPath('id'), get: answers(by('Booking')) },
    '/bookings/{id}/cancel': {
      ...inPath('id'),
      post: { ...takes(object({ reason: 'string' })), ...answers(by('Booking')) },
    },
    '/bookings/{id}/refund': {
      ...inPath('id'),
      post: { ...takes(object({ amount: 'number' })), ...answers(by('Booking')) },
    },
    '/reservations/update': {
      post: {
        ...takes(object({ bookingId: 'string', guest: 'string' }, { required: ['bookingId'] })),
        ...answers(by('Booking')),
      },
    },
    '/rooms/{hotel}': { ...inPath('hotel'), get: answers(object({ free: 'integer' })) },
    '/hotels/new': { get: answers(object({ form: 'string' })) },
    '/metrics': { get: answers({ type: 'string' }) },
  },
  {
    components: {
      schemas: {
        Hotel: object({ id: 'string', name: 'string' }, { required: ['id', 'name'] }),
        NewBooking: object({ hotel_id: 'string', guest: 'string', reason: 'string' }),
        Booking: object(
          {
            id: 'string',
            hotel_id: 'string',
            guest: 'string',
            status: { type: 'string', enum: ['pending', 'confirmed', 'cancelled'] },
            amount_paid: 'number',
            amount_refunded: 'number',
            reason: 'string',
            cancel_reason: { type: ['string', 'null'] },
            cancelled_at: { type: ['string', 'null'], format: 'date-time' },
          },
          { required: ['id', 'hotel_id', 'guest', 'status', 'amount_paid', 'amount_refunded'] },
        ),
      },
    },
  },
)

const model: ModelFile = {
  collections: {
    bookings: {
      key: 'id',
      status: 'status',
      parent: { of: 'hotels', by: 'hotel_id' },
      initial: { status: 'pending', amount_paid: 0, amount_refunded: 0, cancel_reason: null },
    },
  },
  operations: {
    'POST /bookings/{id}/cancel': {
      act: 'bookings',
      from: ['pending', 'confirmed'],
      to: 'cancelled',
      set: { cancelled_at: 'now', cancel_reason: 'body.reason' },
      otherwise: 422,
    },
    'POST /bookings/{id}/refund': { act: 'bookings', add: { amount_refunded: 'body.amount' } },
    'POST /reservations/update': 'as PATCH /bookings/{bookingId}',
    'GET /rooms/{hotel}': 'computed',
    'GET /hotels/new': 'example',
  },
  ignore: ['/metrics'],
}

function made(name: string): JsonObject {
  return { responses: { 201: { description: 'made', content: { 'application/json': { schema: by(name) } } } } }
}

interface Answer {
  readonly status: number
  readonly body: Record<string, string>
}

async function call(simulation: Simulation, method: string, path: string, body?: JsonObject): Promise<Answer> {
  const answer = await simulation.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

const withModel = (file: object): JsonObject => ({ ...hotels, 'x-backlot': file as JsonObject })

it('gives new records their initial values', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })

  const booking = await call(simulation, 'POST', '/bookings', { guest: 'Ada', hotel_id: 'h1' })

  expect(booking).toMatchObject({
    status: 201,
    body: { guest: 'Ada', status: 'pending', amount_paid: 0, amount_refunded: 0, cancel_reason: null },
  })
})

it('acts only in the declared statuses, and sets what is declared', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })
  const {
    body: { id },
  } = await call(simulation, 'POST', '/bookings', { guest: 'Ada', hotel_id: 'h1', reason: 'work' })

  const first = await call(simulation, 'POST', `/bookings/${id}/cancel`, { reason: 'ill' })
  const again = await call(simulation, 'POST', `/bookings/${id}/cancel`, { reason: 'rain' })
  const kept = await call(simulation, 'GET', `/bookings/${id}`)

  expect(first).toMatchObject({ status: 200, body: { status: 'cancelled', reason: 'work', cancel_reason: 'ill' } })
  expect(Date.parse(first.body.cancelled_at ?? '')).not.toBeNaN()
  expect(again.status).toBe(422)
  expect(JSON.stringify(again.body)).toContain('its `status` is cancelled. It must be pending or confirmed.')
  expect(kept.body).toEqual(first.body)
})

it('adds the numbers of the body', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })
  const {
    body: { id },
  } = await call(simulation, 'POST', '/bookings', { guest: 'Ada', hotel_id: 'h1' })

  await call(simulation, 'POST', `/bookings/${id}/refund`, { amount: 10 })
  const second = await call(simulation, 'POST', `/bookings/${id}/refund`, { amount: 5 })

  expect(second.body).toMatchObject({ amount_refunded: 15, amount_paid: 0, status: 'pending' })
})

it('reads an operation as the one that it stands for, with the key in the body', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })
  const {
    body: { id = '' },
  } = await call(simulation, 'POST', '/bookings', { guest: 'Ada', hotel_id: 'h1' })

  const changed = await call(simulation, 'POST', '/reservations/update', { bookingId: id, guest: 'Grace' })
  const unknown = await call(simulation, 'POST', '/reservations/update', { bookingId: 'nobody', guest: 'Grace' })
  const kept = await call(simulation, 'GET', `/bookings/${id}`)

  expect(changed).toMatchObject({ status: 200, body: { id, guest: 'Grace' } })
  expect(kept.body.guest).toBe('Grace')
  expect(unknown.status).toBe(404)
})

it('finds the parameters of an operation that is described elsewhere in path, query and body', async () => {
  const task = object(
    { id: 'string', title: 'string', projectId: 'string' },
    { required: ['id', 'title', 'projectId'] },
  )
  const spec = describeApi({
    '/add/{project}': { ...inPath('project'), post: { ...takes(object({ title: 'string' })), ...answers(task) } },
    '/find': { get: { parameters: [inQuery('projectId', { type: 'string' })], ...answers(list(task)) } },
    '/projects/{id}': { ...inPath('id'), get: answers(object({ id: 'string' })) },
    '/one': { post: { ...takes(object({ projectId: 'string', taskId: 'string' })), ...answers(task) } },
  })
  await using simulation = await createSimulation(
    {
      spec: {
        ...spec,
        'x-backlot': {
          operations: {
            'POST /add/{project}': 'as POST /projects/{projectId}/tasks',
            'GET /find': 'as GET /projects/{projectId}/tasks',
            'POST /one': 'as GET /projects/{projectId}/tasks/{taskId}',
          },
        },
      },
      // The records of the test alone.
    },
    { volume: { tasks: 0 } },
  )

  const {
    body: { id = '' },
  } = await call(simulation, 'POST', '/add/p1', { title: 'Paint' })
  await call(simulation, 'POST', '/add/p2', { title: 'Wash' })
  const found = await call(simulation, 'GET', '/find?projectId=p1')
  const one = await call(simulation, 'POST', '/one', { projectId: 'p1', taskId: id })
  const other = await call(simulation, 'POST', '/one', { projectId: 'p2', taskId: id })

  expect(found.body).toEqual([expect.objectContaining({ id, title: 'Paint', projectId: 'p1' })])
  expect(one.body).toMatchObject({ id, title: 'Paint' })
  expect(other.status).toBe(404)
})

it('takes the place of records in an answer from a line, and refuses one that answers do not have', async () => {
  const task = object({ title: 'string' })
  const bag = object({ ok: 'boolean', data: { type: 'object' } })
  const spec = describeApi({
    '/tasks': { get: answers(bag), post: { ...takes(task), ...answers(bag) } },
    '/tasks/{id}': { ...inPath('id'), get: answers(bag) },
  })
  const lines = (list: string) => ({
    operations: {
      'GET /tasks': { list: 'tasks', envelope: list },
      'GET /tasks/{id}': { read: 'tasks', envelope: 'data.task' },
    },
  })
  await using simulation = await createSimulation(
    { spec: { ...spec, 'x-backlot': lines('data.tasks') } },
    { volume: { tasks: 1 } },
  )
  const [task1] = await simulation.records<{ id: string }>('tasks')

  const listed = await call(simulation, 'GET', '/tasks')
  const read = await call(simulation, 'GET', `/tasks/${task1?.id}`)
  const misread = ['dta', 'data'].map((place) => () => readDescription({ ...spec, 'x-backlot': lines(place) }))

  expect(listed.body).toEqual({ ok: true, data: { tasks: [task1] } })
  expect(read.body).toEqual({ ok: true, data: { task: task1 } })
  expect(misread[0]).toThrow('envelope: answers have no field "dta". Did you mean "data"?')
  expect(misread[1]).toThrow('envelope: Expected `data` to be a list, got object.')
})

it('refuses to read below a path without records what another path keeps', async () => {
  const document = object({ id: 'integer', fileName: 'string' }, { required: ['id', 'fileName'] })
  const spec = describeApi({
    '/patients': { get: answers(list(object({ id: 'integer' }))) },
    '/patients/{patientId}/documents': { ...inPath('patientId'), get: answers(list(document)) },
    '/documents/{id}/download': { ...inPath('id'), get: answers({ type: 'string' }) },
  })
  const withLine = (line: unknown, more = {}) => ({
    ...spec,
    'x-backlot': { operations: { 'GET /documents/{id}/download': line }, ...more } as JsonObject,
  })
  const namesOf = (line: unknown, more?: object) =>
    readDescription(withLine(line, more)).collections.map(({ name }) => name)

  expect(() => namesOf('as GET /documents/{id}')).toThrow(
    'there are no records at "/documents": documents are at "/patients/{}/documents". Write `read: documents`, or name the new ones under `collections`: `{ paths: [/documents] }`.',
  )
  expect(namesOf({ read: 'documents' })).toEqual(['patients', 'documents'])
  expect(namesOf('as GET /documents/{id}', { collections: { all_documents: { paths: ['/documents'] } } })).toContain(
    'all_documents',
  )
})

it('refuses a computed operation until something computes it', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })

  const before = await call(simulation, 'GET', '/rooms/h1')
  await simulation.addRule({
    kind: 'override',
    pathPattern: '/rooms/{hotel}',
    config: { status: 200, body: { free: 3 } },
  })
  const after = await call(simulation, 'GET', '/rooms/h1')

  expect(before.status).toBe(501)
  expect(JSON.stringify(before.body)).toContain('GET /rooms/{hotel}')
  expect(after).toMatchObject({ status: 200, body: { free: 3 } })
})

it('answers examples, and does not simulate what is ignored', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })

  const example = await call(simulation, 'GET', '/hotels/new')
  const ignored = await call(simulation, 'GET', '/metrics')

  expect(example).toMatchObject({ status: 200, body: { form: expect.any(String) } })
  expect(ignored.status).toBe(404)
})

it('generates records below a declared parent', async () => {
  await using simulation = await createSimulation({ spec: withModel(model) })

  const hotels = await simulation.records<{ id: string }>('hotels')
  const bookings = await simulation.records<{ hotel_id: string }>('bookings')

  expect(simulation.collections.find(({ name }) => name === 'bookings')?.parent).toBe('hotels')
  expect(hotels.map(({ id }) => id)).toEqual(expect.arrayContaining(bookings.map((booking) => booking.hotel_id)))
})

it('takes several paths for one collection', async () => {
  const project = object({ uid: 'string', title: 'string' }, { required: ['uid', 'title'] })
  const item = { ...inPath('key'), get: answers(project) }
  const spec = describeApi({
    '/v9/projects': {
      get: answers(list(project)),
      post: { ...takes(object({ title: 'string' })), ...answers(project) },
    },
    '/v9/projects/{key}': item,
    '/v10/work': { get: answers(list(project)), post: { ...takes(object({ title: 'string' })), ...answers(project) } },
    '/v10/work/{key}': item,
  })
  await using simulation = await createSimulation({
    spec: { ...spec, 'x-backlot': { collections: { projects: { paths: ['/v9/projects', '/v10/work'], key: 'uid' } } } },
  })

  const {
    body: { uid },
  } = await call(simulation, 'POST', '/v10/work', { title: 'Paint' })
  const shown = await call(simulation, 'GET', `/v9/projects/${uid}`)

  expect(simulation.collections.map(({ name }) => name)).toEqual(['projects'])
  expect(shown.body).toMatchObject({ uid, title: 'Paint' })
})

it('keeps a path apart that inference takes for another list of the same records', async () => {
  const dispute = object({ id: 'string', amount: 'integer', reason: 'string' })
  const paths = Object.fromEntries(
    ['/disputes', '/issuing/disputes'].flatMap((path) => [
      [path, { get: answers(list(dispute)), post: { ...takes(dispute), ...answers(dispute) } }],
      [`${path}/{dispute}`, { ...inPath('dispute'), get: answers(dispute) }],
    ]),
  )
  const namesOf = (lines: object) =>
    readDescription({ ...describeApi(paths), 'x-backlot': lines } as unknown as JsonObject).collections.map(
      ({ name }) => name,
    )

  const apart = namesOf({ collections: { card_disputes: { paths: ['/issuing/disputes'] } } })

  expect(namesOf({})).toHaveLength(1)
  expect(apart.toSorted()).toEqual(['card_disputes', 'disputes'])
})

it('means the same at an operation and at a schema of the description', () => {
  const { collections: { bookings } = {}, operations, ignore } = model as Required<ModelFile>
  const own = structuredClone(hotels) as {
    paths: Record<string, Record<string, object>>
    components: { schemas: Record<string, object> }
  }
  for (const [key, line] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ')
    Object.assign(own.paths[path]?.[method.toLowerCase()] ?? {}, { 'x-backlot': line })
  }
  Object.assign(own.components.schemas.Booking ?? {}, { 'x-backlot': bookings })

  const beside = readDescription(withModel(model))
  const within = readDescription({ ...own, 'x-backlot': { ignore } } as unknown as JsonObject)

  expect(toModelDocument(within)).toEqual({ ...toModelDocument(beside), values: within.values })
})

it('is part of the model document', () => {
  const description = withModel(model)
  const document = toModelDocument(readDescription(description))

  const read = parseModelDocument(JSON.parse(JSON.stringify(document)), description)

  expect(toModelDocument(read)).toEqual(document)
  expect(document.operations['POST /bookings/{id}/cancel']).toMatchObject({
    effect: {
      kind: 'action',
      collection: 'bookings',
      toStatus: 'cancelled',
      refusal: { status: 422, from: ['pending', 'confirmed'] },
    },
    reason: { rule: 'model.yaml', confidence: 'declared' },
  })
})

it('refuses names that the description does not have, all at once, with the nearest', () => {
  const wrong = {
    collections: {
      bookings: { key: 'idd', initial: { status: 'pendin', amont_paid: 0 }, parent: { of: 'hotel', by: 'hotel_id' } },
      guests: {},
    },
    operations: {
      'POST /bookings/{id}/cancle': { act: 'bookings' },
      'POST /bookings/{id}/cancel': { act: 'booking', to: 'cancelled' },
      'POST /bookings/{id}/refund': {
        act: 'bookings',
        to: 'refunded',
        from: ['payed'],
        set: { guest: 'body.gest', colour: 'red' },
        add: { amount_refnded: 'body.amount' },
      },
      'POST /reservations/update': 'as PATCH /bookings/{reservation}',
      'GET /bookings/{id}': { read: 'bookings', to: 'pending' },
    },
    ignore: ['/metric'],
  }

  const read = () => readDescription(withModel(wrong))

  expect(read).toThrow(`Failed to read model.yaml: 15 faults were found.
model > ignore > 0: no path fits "/metric". Did you mean "/metrics"?
model > operations > POST /bookings/{id}/cancle: there is no operation "POST /bookings/{id}/cancle". Did you mean "POST /bookings/{id}/cancel"?
model > operations > POST /reservations/update: there is no parameter and no field "reservation" in POST /reservations/update. Name one of its own in "PATCH /bookings/{reservation}".
model > collections > guests: there is no collection "guests". There are hotels, bookings, rooms; another one begins with its \`paths\` under \`collections\`.
model > collections > bookings > key: bookings have no field "idd". Did you mean "id"?
model > operations > GET /bookings/{id} > to: \`read\` has no \`to\`. It may have envelope.
model > operations > POST /bookings/{id}/cancel > act: there is no collection "booking". Did you mean "bookings"? There are hotels, bookings, rooms; another one begins with its \`paths\` under \`collections\`.
model > operations > POST /bookings/{id}/refund > set > guest: the body has no field "gest". It has amount.
model > operations > POST /bookings/{id}/refund > set > colour: bookings have no field "colour". Add it to their schema in the description.
model > operations > POST /bookings/{id}/refund > add > amount_refnded: bookings have no field "amount_refnded". Did you mean "amount_refunded"?
model > operations > POST /bookings/{id}/refund > from > 0: Expected \`status\` to be one of pending, confirmed, cancelled, got "payed".
model > operations > POST /bookings/{id}/refund > to: Expected \`status\` to be one of pending, confirmed, cancelled, got "refunded".
model > collections > bookings > parent > of: there is no collection "hotel". Did you mean "hotels"? There are hotels, bookings, rooms; another one begins with its \`paths\` under \`collections\`.
model > collections > bookings > initial > status: Expected \`status\` to be one of pending, confirmed, cancelled, got "pendin". Did you mean "pending"?
model > collections > bookings > initial > amont_paid: bookings have no field "amont_paid". Did you mean "amount_paid"?`)
})

it('refuses lines that are none, with the field and its bound', () => {
  const read = (file: object) => () => readDescription(withModel(file))

  expect(read({ operation: {} })).toThrow(
    'Expected `x-backlot` to have no field "operation", got one. Did you mean "operations"?',
  )
  expect(read({ operations: { 'POST /bookings': { act: 'bookings', create: 'bookings' } } })).toThrow(
    'to be a line with one of act, create, read, list, update, replace, delete, got an object.',
  )
  expect(read({ operations: { 'POST /bookings': 'ass PATCH /bookings' } })).toThrow(
    'to be `example`, `computed`, or `as` with a method and a path, got "ass PATCH /bookings".',
  )
})

it('takes any field but a misspelt one of records that no answer describes', async () => {
  const fetched = { responses: { 200: { description: 'fetched' } } }
  const spec = describeApi({
    '/expenses': { get: fetched, post: { ...takes(object({ amount: 'number' })), ...fetched } },
    '/expenses/{id}': { ...inPath('id'), get: fetched },
    '/expenses/{id}/reimburse': { ...inPath('id'), post: fetched },
  })
  const operations = { 'POST /expenses/{id}/reimburse': { act: 'expenses', set: { status: 'reimbursed' } } }
  const start = (initial: JsonObject) =>
    createSimulation({ spec }, { model: { collections: { expenses: { initial } }, operations } })
  await using api = await start({ status: 'pending' })
  const made = await api.fetch('/expenses', { method: 'POST', body: JSON.stringify({ amount: 3 }) })
  const expense = (await made.json()) as { id: string }

  await api.fetch(`/expenses/${expense.id}/reimburse`, { method: 'POST' })

  expect(expense).toMatchObject({ amount: 3, status: 'pending' })
  expect(await (await api.fetch(`/expenses/${expense.id}`)).json()).toMatchObject({ status: 'reimbursed' })
  await expect(start({ amuont: 1 })).rejects.toThrow('expenses have no field "amuont". Did you mean "amount"?')
})
