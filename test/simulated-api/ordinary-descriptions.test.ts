import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const project = object({ id: 'string', name: 'string' })
const named = object({ name: 'string' })
const words = (...values: string[]) => ({ type: 'string', enum: values })

it('leaves a status of something else as it is when an action sets the status of the record', () => {
  const order = object(
    { id: 'string', status: words('open', 'cancelled'), payment_status: words('unpaid', 'paid', 'cancelled') },
    { required: ['id', 'status', 'payment_status'] },
  )
  const { send } = simulate(
    describeApi({
      '/orders': { get: answers(list(order)), post: { ...takes(order), ...answers(order) } },
      '/orders/{id}': { ...inPath('id'), get: answers(order) },
      '/orders/{id}/cancel': { ...inPath('id'), post: answers(order) },
    }),
  )
  const made = { id: 'o-1', status: 'open', payment_status: 'paid' }
  send('POST', '/orders', { json: made })

  expect(send('POST', '/orders/o-1/cancel').body).toEqual({ ...made, status: 'cancelled' })
})

it('invents no other record beside a new one, but shows where to upload', () => {
  const upload = object({ url: 'string', token: 'string' }, { required: ['url', 'token'] })
  const order = object({ id: 'string', customerId: 'string' })
  const made = object({ id: 'string', customerId: 'string', customer: project, upload })
  const { send } = simulate(
    describeApi({
      '/customers': { get: answers(list(project)) },
      '/customers/{id}': { ...inPath('id'), get: answers(project) },
      '/orders': { get: answers(list(order)), post: { ...takes(object({ customerId: 'string' })), ...answers(made) } },
      '/orders/{id}': { ...inPath('id'), get: answers(order) },
    }),
  )
  const [{ id }] = send('GET', '/customers').body

  const { body } = send('POST', '/orders', { json: { customerId: id } })

  expect(body.upload).toEqual({ url: expect.any(String), token: expect.any(String) })
  expect(body.customer?.id ?? id).toBe(id)
})

it('does not call the state of a country ok', () => {
  const { send } = simulate(
    describeApi({
      '/cities': { get: answers(object({ state: 'string', cities: list(project) })) },
      '/cities/{id}': { ...inPath('id'), get: answers(project) },
    }),
  )

  expect(send('GET', '/cities').body.state).not.toBe('ok')
})

it.each([
  ['image/*', 'image/*', 'image/png'],
  ['image/*', 'image/avif', 'image/png'],
  ['image/*', 'image/webp', 'image/webp'],
  ['*/*', 'text/html, */*; q=.2', 'application/json'],
])('answers what is described as %s, to a client that accepts %s, as %s', (described, accept, type) => {
  const content = {
    [described]: { schema: described === '*/*' ? list(project) : { type: 'string', format: 'binary' } },
  }
  const { send } = simulate(describeApi({ '/things': { get: { responses: { 200: { description: 'ok', content } } } } }))

  expect(send('GET', '/things', { headers: { accept } }).headers['content-type']).toMatch(type)
})

it('takes the value that a child of a schema has by its own words', () => {
  const animal = object({ id: 'string', kind: 'string' }, { required: ['kind'], discriminator: 'kind' })
  const schemas = {
    Animal: animal,
    CatAnimal: { 'x-ms-discriminator-value': 'cat', allOf: [{ $ref: '#/components/schemas/Animal' }] },
    DogAnimal: {
      allOf: [{ $ref: '#/components/schemas/Animal' }, object({ kind: { type: 'string', default: 'dog' } })],
    },
  }
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const kept = (name: string, path: string) => ({
    [path]: { get: answers(list(of(name))), post: { ...takes(of(name)), ...answers(of(name)) } },
    [`${path}/{id}`]: { ...inPath('id'), get: answers(of(name)) },
  })
  const paths = { ...kept('CatAnimal', '/cats'), ...kept('DogAnimal', '/dogs') }
  const { send } = simulate(describeApi(paths, { components: { schemas } }))

  expect(send('POST', '/cats', { json: { kind: 'cat' } }).body).toMatchObject({ kind: 'cat' })
  expect(send('GET', '/cats').body[0].kind).toBe('cat')
  expect(send('POST', '/dogs', { json: { kind: 'dog' } }).body).toMatchObject({ kind: 'dog' })
})

it('has words of a technical meaning only for what is technical', () => {
  const names = ['position', 'condition', 'target_audience', 'card_issuer']
  const fields = Object.fromEntries(['id', 'name', ...names].map((name) => [name, 'string' as const]))
  const employee = object(fields, { required: names })
  const { send } = simulate(
    describeApi({
      '/employees': { get: answers(list(employee)) },
      '/employees/{id}': { ...inPath('id'), get: answers(employee) },
    }),
  )

  const [one] = send('GET', '/employees').body

  expect(one.position).toMatch(/[a-z]/i)
  expect(one.condition).not.toMatch(/[<>=]/)
  expect([one.target_audience, one.card_issuer].join()).not.toContain('://')
})

it.each([
  ['a text', object({ id: 'string', url: 'string', name: 'string' })],
  [
    'one of two kinds',
    {
      oneOf: [
        object({ id: 'string', url: 'string', kind: { const: 'a' } }, { required: ['id', 'url', 'kind'] }),
        object({ id: 'string', url: 'string', kind: { const: 'b' } }, { required: ['id', 'url', 'kind'] }),
      ],
    },
  ],
])('finds records by their own address, where they are %s', (_, page) => {
  const { send } = simulate(
    describeApi({
      '/pages': { get: answers(list(page)), post: { ...takes(page), ...answers(page) } },
      '/pages/{id}': { ...inPath('id'), delete: answers(object({})) },
      '/pages/by-url/{url}': { ...inPath('url'), get: answers(page) },
    }),
  )

  const [first] = send('GET', '/pages').body

  expect(send('GET', `/pages/by-url/${encodeURIComponent(first.url)}`).body).toEqual(first)
})

it('answers a list to a list where one or several records may be made, and bounds it', () => {
  const either = { oneOf: [project, list(project)] }
  const { send } = simulate(
    describeApi({
      '/projects': {
        get: answers(list(project)),
        post: { ...takes(either), ...answers(object({ created: either, failed: list(object({ error: 'string' })) })) },
      },
      '/projects/{id}': { ...inPath('id'), get: answers(project) },
    }),
  )
  const sent = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `p${at}` }))

  expect(send('POST', '/projects', { json: sent(2) }).body.created).toMatchObject(sent(2))
  expect(send('POST', '/projects', { json: { name: 'one' } }).body.created).toMatchObject({ name: 'one' })
  expect(send('POST', '/projects', { json: sent(10_001) }).text).toContain('at most 10,000 records, got 10,001')
})

it('keeps in a record nothing that a creation says of the call, and takes bids for no ids', () => {
  const key = { ...project, additionalProperties: true }
  const made = object({ id: 'string', name: 'string', secret: 'string', object: 'string', request_id: 'string' })
  const ids = list({ type: 'string' })
  const { send } = simulate(
    describeApi({
      '/keys': { get: answers(list(key)), post: { ...takes(named), ...answers(made) } },
      '/keys/{id}': { ...inPath('id'), get: answers(key) },
      '/keys/close': {
        post: { ...takes(object({ keyIds: ids })), ...answers(object({ bids: ids, closedIds: ids })) },
      },
    }),
  )
  const { id, secret } = send('POST', '/keys', { json: { name: 'CI' } }).body

  const { body } = send('POST', '/keys/close', { json: { keyIds: [id] } })

  expect(send('GET', `/keys/${id}`).body).toEqual({ id, name: 'CI', secret })
  expect(body.closedIds).toEqual([id])
  expect(body.bids).not.toEqual([id])
})

const text = { type: ['string', 'null'] }
const refuses = { 409: { description: 'Conflict' } }
const may409 = (schema: JsonObject): JsonObject => ({
  responses: { ...(answers(schema).responses as object), ...refuses },
})
const removed = { responses: { 204: { description: 'gone' } } }

it.each([
  ['null', text, { deleted_at: null }],
  ['absent', { type: 'string' }, {}],
])('hides what is deleted until it is restored and its time is %s (OnSched, GitBook, Neon)', (_, time, none) => {
  const asset = object({ id: 'string', name: 'string', deleted_at: time }, { required: ['id', 'name'] })
  const trashed = { parameters: [inQuery('trashed', { type: 'string', enum: ['with', 'only'] })] }
  const { send } = simulate(
    describeApi({
      '/assets': { get: { ...trashed, ...answers(list(asset)) }, post: { ...takes(named), ...answers(asset) } },
      '/assets/{id}': { ...inPath('id'), get: answers(asset), delete: removed },
      '/assets/{id}/restore': { ...inPath('id'), post: answers(asset) },
    }),
  )
  const { id } = send('POST', '/assets', { json: { name: 'Laptop' } }).body
  const shown = (query = '') => send('GET', `/assets${query}`).body.filter((one: { id: string }) => one.id === id)

  const deleted = send('DELETE', `/assets/${id}`)
  const gone = [send('GET', `/assets/${id}`).status, shown().length, shown('?trashed=with').length]
  const only = send('GET', '/assets?trashed=only').body
  const restored = send('POST', `/assets/${id}/restore`).body

  expect([deleted.status, ...gone]).toEqual([204, 404, 0, 1])
  expect(only).toEqual([{ id, name: 'Laptop', deleted_at: expect.any(String) }])
  expect(restored).toEqual({ id, name: 'Laptop', ...none })
  expect(send('GET', `/assets/${id}`).body).toEqual(restored)
})

it('answers a soft deletion with the record and the time of it, as the users of Immich', () => {
  const user = object({ id: 'string', name: 'string', deletedAt: text }, { required: ['id', 'name', 'deletedAt'] })
  const { send } = simulate(
    describeApi({
      '/users': { get: answers(list(user)), post: { ...takes(named), ...answers(user) } },
      '/users/{id}': { ...inPath('id'), get: answers(user), delete: answers(user) },
      '/users/{id}/restore': { ...inPath('id'), post: answers(user) },
    }),
  )
  const made = send('POST', '/users', { json: { name: 'Ada' } }).body

  const deleted = send('DELETE', `/users/${made.id}`).body
  const restored = send('POST', `/users/${made.id}/restore`).body

  expect([made.deletedAt, restored.deletedAt]).toEqual([null, null])
  expect(deleted).toEqual({ ...made, deletedAt: expect.any(String) })
})

it('refuses a change that names a stale version (OpenProject, Jamf, commercetools), but not that of a release', () => {
  const task = object({ id: 'string', name: 'string', lockVersion: { type: 'integer', readOnly: true } })
  const change = object({ name: 'string', lockVersion: 'integer' }, { required: ['lockVersion'] })
  const facts = object({ name: 'string', version: 'integer' }, { required: ['version'] })
  const release = object({ id: 'string', name: 'string', version: 'integer' })
  const { send } = simulate(
    describeApi({
      '/tasks': { get: answers(list(task)), post: { ...takes(named), ...answers(task) } },
      '/tasks/{id}': { ...inPath('id'), get: answers(task), patch: { ...takes(change), ...may409(task) } },
      '/tasks/{id}/touch': { ...inPath('id'), post: answers(task) },
      '/releases': { get: answers(list(release)), post: { ...takes(facts), ...answers(release) } },
      '/releases/{id}': { ...inPath('id'), get: answers(release), put: { ...takes(facts), ...may409(release) } },
    }),
  )
  const { id, lockVersion } = send('POST', '/tasks', { json: { name: 'Draw' } }).body
  const rename = (name: string, version: number) =>
    send('PATCH', `/tasks/${id}`, { json: { name, lockVersion: version } })
  const released = send('POST', '/releases', { json: { name: 'Spring', version: 12 } }).body

  const renamed = rename('Paint', lockVersion).body
  const stale = rename('Print', lockVersion).status
  const kept = send('GET', `/tasks/${id}`).body
  const next = send('PUT', `/releases/${released.id}`, { json: { name: 'Spring', version: 13 } })

  expect(renamed).toEqual({ id, name: 'Paint', lockVersion: lockVersion + 1 })
  expect([stale, kept.name]).toEqual([409, 'Paint'])
  expect([next.status, next.body.version]).toEqual([200, 13])
})

it('takes a list put below a record for all of it, but not a batch (GoDaddy, AppVeyor, BeezUP)', () => {
  const share = object({ id: { type: 'string', readOnly: true }, percent: 'integer' })
  const puts = { put: { ...takes(list(share)), ...answers(list(share)) } }
  const { send } = simulate(
    describeApi({
      '/events': { get: answers(list(project)) },
      '/events/{id}': { ...inPath('id'), get: answers(project) },
      '/events/{id}/shares': {
        ...inPath('id'),
        get: answers(list(share)),
        post: { ...takes(share), ...answers(share) },
        ...puts,
      },
      '/events/{id}/shares/batch': { ...inPath('id'), ...puts },
    }),
  )
  const [{ id: eventId }] = send('GET', '/events').body
  const path = `/events/${eventId}/shares`
  const percents = () =>
    send('GET', path)
      .body.map(({ percent }: { percent: number }) => percent)
      .sort()
  send('POST', path, { json: { percent: 100 } })

  send('PUT', path, { json: [{ percent: 60 }, { percent: 40 }] })
  const all = percents()
  send('PUT', `${path}/batch`, { json: [{ percent: 10 }] })

  expect(all).toEqual([40, 60])
  expect(percents()).toEqual([10, 40, 60])
})

it('makes the record that an action answers with, once', () => {
  const facts = { product: 'string', holder: 'string', sum: 'integer' }
  const quote = object({ id: 'string', ...facts, status: words('open', 'accepted') })
  const policy = object({ id: 'string', quoteId: 'string', ...facts, status: words('active', 'ended') })
  const { send } = simulate(
    describeApi({
      '/quotes': { get: answers(list(quote)), post: { ...takes(object(facts)), ...answers(quote) } },
      '/quotes/{id}': { ...inPath('id'), get: answers(quote) },
      '/quotes/{id}/accept': { ...inPath('id'), post: may409(policy) },
      '/policies': { get: answers(list(policy)) },
      '/policies/{id}': { ...inPath('id'), get: answers(policy) },
    }),
  )
  const quoteId = send('POST', '/quotes', { json: { product: 'home', holder: 'Ada', sum: 5 } }).body.id

  const made = send('POST', `/quotes/${quoteId}/accept`).body
  const again = send('POST', `/quotes/${quoteId}/accept`).status

  expect(made).toEqual(send('GET', `/policies/${made.id}`).body)
  expect(made.quoteId).toBe(quoteId)
  expect([send('GET', `/quotes/${quoteId}`).body.status, again]).toEqual(['accepted', 409])
})

it('counts what belongs to a record (NetBox, Stack Exchange, Twilio), by a bare key (NetBox, drchrono, GWELLS)', () => {
  const counts = { device_count: { type: 'integer', readOnly: true }, guest_count: 'integer' }
  const site = object({ id: 'integer', name: 'string', ...counts })
  const sent = object({ name: 'string', guest_count: 'integer' })
  const device = object({ id: 'integer', site: 'integer' }, { required: ['site'] })
  const disk = object({ id: 'integer', device: { type: 'integer', description: 'The number of the device.' } })
  const may400 = (schema: JsonObject): JsonObject => ({
    responses: { ...(answers(schema).responses as object), 400: { description: 'Bad request' } },
  })
  const below = (schema: JsonObject) => ({ get: answers(list(schema)), post: { ...takes(schema), ...may400(schema) } })
  const { send } = simulate(
    describeApi({
      '/sites': { get: answers(list(site)), post: { ...takes(sent), ...answers(site) } },
      '/sites/{id}': { ...inPath('id'), get: answers(site) },
      '/devices': below(device),
      '/devices/{id}': { ...inPath('id'), get: answers(device), delete: removed },
      '/guests': below(device),
      '/guests/{id}': { ...inPath('id'), get: answers(device) },
      '/disks': below(disk),
      '/disks/{id}': { ...inPath('id'), get: answers(disk) },
    }),
  )
  const own = send('POST', '/sites', { json: { name: 'Berlin', guest_count: 4 } }).body
  const shown = () => send('GET', `/sites/${own.id}`).body

  const { id } = send('POST', '/devices', { json: { site: own.id } }).body
  send('POST', '/guests', { json: { site: own.id } })
  const after = shown()
  send('DELETE', `/devices/${id}`)

  expect([own.device_count, after.device_count, shown().device_count]).toEqual([0, 1, 0])
  expect(after.guest_count).toBe(4)
  expect(send('POST', '/devices', { json: { site: 99_999 } }).status).toBe(400)
  expect(send('POST', '/disks', { json: { device: 99_999 } }).status).toBe(200)
})

it('refuses a taken value of what another path reads by (WorkOS, Ory, DEV) or must be unique (Box, Jira, Hetzner)', () => {
  const label = { type: 'string', description: 'Must be unique.' }
  const product = object({ id: 'string', sku: 'string', label, name: 'string' })
  const { send } = simulate(
    describeApi({
      '/products': { get: answers(list(product)), post: { ...takes(product), ...may409(product) } },
      '/products/{id}': { ...inPath('id'), get: answers(product) },
      '/products/by-sku/{sku}': { ...inPath('sku'), get: answers(product) },
    }),
  )
  const make = (sku: string, own: string) =>
    send('POST', '/products', { json: { sku, label: own, name: 'Chair' } }).status

  const statuses = [make('a', 'one'), make('a', 'two'), make('b', 'one'), make('b', 'two')]

  expect(statuses).toEqual([200, 409, 409, 200])
})

it('filters by the start what has a start and an end (Traccar, GoToMeeting, Vonage), and not by a place', () => {
  const moment = { type: 'string', format: 'date-time' }
  const trip = object({ id: 'string', starts_at: moment, ends_at: moment })
  const bounds = ['from', 'to'].map((name) => inQuery(name, { type: 'string' }))
  const { send } = simulate(
    describeApi({
      '/trips': { get: { parameters: bounds, ...answers(list(trip)) }, post: { ...takes(trip), ...answers(trip) } },
      '/trips/{id}': { ...inPath('id'), get: answers(trip) },
    }),
  )
  const { id } = send('POST', '/trips', {
    json: { starts_at: '2019-05-01T08:00:00Z', ends_at: '2019-05-09T08:00:00Z' },
  }).body
  const found = (query: string) => send('GET', `/trips?limit=100&${query}`).body.map((one: { id: string }) => one.id)

  const inMay = found('from=2019-05-01&to=2019-05-02')

  expect(inMay).toEqual([id])
  expect(found('from=2019-05-02&to=2019-06-01')).toEqual([])
  expect(found('from=BER&to=MUC')).toContain(id)
})

it('keeps sums right when the list of a record changes (Xero, Spree, Magento)', () => {
  const line = object({ id: 'string', quantity: 'integer', unitPrice: 'number', lineTotal: 'number' })
  const sent = object({ quantity: 'integer', unitPrice: 'number' })
  const order = object({ id: 'string', lines: list(line), total: 'number', totalQuantity: 'integer' })
  const { send } = simulate(
    describeApi({
      '/orders': { get: answers(list(order)), post: { ...takes(object({ lines: list(sent) })), ...answers(order) } },
      '/orders/{id}': { ...inPath('id'), get: answers(order), patch: { ...takes(order), ...answers(order) } },
      '/orders/{id}/lines': { ...inPath('id'), post: { ...takes(sent), ...answers(order) } },
    }),
  )
  const first = { quantity: 3, unitPrice: 10 }
  const { id } = send('POST', '/orders', { json: { lines: [first] } }).body

  const more = send('POST', `/orders/${id}/lines`, { json: { quantity: 2, unitPrice: 7 } }).body
  const less = send('PATCH', `/orders/${id}`, { json: { lines: [first] } }).body

  expect(more).toMatchObject({ lines: [{ lineTotal: 30 }, { lineTotal: 14 }], total: 44, totalQuantity: 5 })
  expect(less).toMatchObject({ total: 30, totalQuantity: 3 })
})

it('adds refunds up to what was paid (Stripe, Razorpay, Chargebee), and names people (Spree, Xero, SoundCloud)', () => {
  const facts = { amount: 'integer', first_name: 'string', last_name: 'string' }
  const payment = object(
    {
      ...{ id: 'string', ...facts, full_name: 'string', amount_refunded: 'integer' },
      status: words('paid', 'partially_refunded', 'refunded'),
    },
    { required: ['full_name'] },
  )
  const { send } = simulate(
    describeApi({
      '/payments': { get: answers(list(payment)), post: { ...takes(object(facts)), ...answers(payment) } },
      '/payments/{id}': { ...inPath('id'), get: answers(payment) },
      '/payments/{id}/refund': {
        ...inPath('id'),
        post: { ...takes(object({ amount: 'integer' })), ...may409(payment) },
      },
    }),
  )
  const made = send('POST', '/payments', { json: { amount: 90, first_name: 'Ada', last_name: 'Byron' } }).body
  const refund = (amount: number) => send('POST', `/payments/${made.id}/refund`, { json: { amount } })

  const [part, excess, rest] = [refund(30), refund(70), refund(60)]

  expect(made.full_name).toBe('Ada Byron')
  expect(part.body).toMatchObject({ amount: 90, amount_refunded: 30, status: 'partially_refunded' })
  expect(excess.status).toBe(409)
  expect(rest.body).toMatchObject({ amount: 90, amount_refunded: 90, status: 'refunded' })
})

it('freezes only what is active (Revolut, Unit, BILL)', () => {
  const member = object({ id: 'string', name: 'string', status: words('trial', 'active', 'frozen'), frozenAt: text })
  const { send } = simulate(
    describeApi({
      '/members': { get: answers(list(member)), post: { ...takes(named), ...answers(member) } },
      '/members/{id}': { ...inPath('id'), get: answers(member), patch: { ...takes(member), ...answers(member) } },
      '/members/{id}/freeze': {
        ...inPath('id'),
        post: { description: 'You can only freeze an active member.', ...may409(member) },
      },
    }),
  )
  const { id } = send('POST', '/members', { json: { name: 'Ada' } }).body
  const tooEarly = send('POST', `/members/${id}/freeze`).status
  send('PATCH', `/members/${id}`, { json: { status: 'active' } })

  const frozen = send('POST', `/members/${id}/freeze`).body

  expect(tooEarly).toBe(409)
  expect(frozen).toMatchObject({ status: 'frozen', frozenAt: expect.any(String) })
})
