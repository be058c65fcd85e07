import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, MOMENT, oneOf, type Resource, TEXT, WHOLE } from './resource.ts'

const simulation = simulations()

const note = { type: ['string', 'null'] }

/** Creates a record and acts on it: the record before and after. */
async function acted(resource: Resource, made: object, route: string, argument?: object) {
  const call = await simulation.of(describeResources({ things: resource }))
  const [method, path] = route.split(' ')
  const before = (await call('POST /things', made)).body
  const answer = await call(`${method} /things/${before.id}${path}`, argument)
  expect(answer.status).toBe(200)
  return { before, after: (await call(`GET /things/${before.id}`)).body }
}

it.each([
  ['cancel', 'reason', 'cancellation_reason', oneOf('booked', 'cancelled')],
  ['reject', 'reason', 'rejectReason', oneOf('filed', 'rejected')],
  ['pause', 'note', 'pause_note', oneOf('active', 'paused')],
])('%s keeps its %s as %s', async (verb, sent, field, status) => {
  const resource = { fields: { status, [field]: note }, actions: { [`POST /${verb}`]: { sent: { [sent]: TEXT } } } }

  const { before, after } = await acted(resource, {}, `POST /${verb}`, { [sent]: 'Ill' })

  expect([before[field], after[field]]).toEqual([null, 'Ill'])
})

it.each([
  ['refund', { amount: WHOLE, status: oneOf('paid', 'refunded') }, { amount: 90 }, { amount: 10 }, { amount: 90 }],
  [
    'capture',
    { total: WHOLE, currency: TEXT },
    { total: 90, currency: 'EUR' },
    { currency: 'USD' },
    { currency: 'EUR' },
  ],
  ['withdraw', { balance: WHOLE, memo: TEXT }, { balance: 70 }, { balance: 1, memo: 'x' }, { balance: 70, memo: 'x' }],
  ['set-balance', { balance: WHOLE }, { balance: 70 }, { balance: 5 }, { balance: 5 }],
] as const)('%s does not change what its record is about (%#)', async (verb, fields, made, argument, wanted) => {
  const sent = Object.fromEntries(Object.keys(argument).map((name) => [name, fields[name as keyof typeof fields]]))
  const resource = { fields, actions: { [`POST /${verb}`]: { sent } } }

  const { after } = await acted(resource, made, `POST /${verb}`, argument)

  expect(after).toMatchObject(wanted)
})

it.each([
  [oneOf('paid', 'refunded'), 30, 'paid'],
  [oneOf('paid', 'refunded'), 90, 'refunded'],
  [oneOf('paid', 'partially_refunded', 'refunded'), 30, 'partially_refunded'],
])('a refund of a part is none of the whole (%#)', async (status, amount, wanted) => {
  const fields = { status, amount: WHOLE, amount_refunded: WHOLE }
  const resource = { fields, actions: { 'POST /refund': { sent: { amount: WHOLE } } } }

  const { after } = await acted(resource, { amount: 90, status: 'paid' }, 'POST /refund', { amount })

  expect(after).toMatchObject({ status: wanted, amount: 90 })
})

it.each([
  [
    'check_in',
    { status: oneOf('booked', 'in_house', 'checked_out'), checked_in_at: MOMENT },
    'in_house',
    'checked_in_at',
  ],
  ['pick-up', { state: oneOf('ready', 'picked_up'), picked_up_at: MOMENT }, 'picked_up', 'picked_up_at'],
  ['signOff', { status: oneOf('open', 'signedOff'), signedOffAt: MOMENT }, 'signedOff', 'signedOffAt'],
])('%s sets the status and the time of its two words', async (verb, fields, status, moment) => {
  const resource = { fields, actions: { [`POST /${verb}`]: {} } }

  const { before, after } = await acted(resource, {}, `POST /${verb}`)

  expect([before[moment], after.status ?? after.state]).toEqual([null, status])
  expect(typeof after[moment]).toBe('string')
})

it.each([
  [{ status: oneOf('new', 'solved'), solved_at: MOMENT }, { status: 'solved' }, 'solved_at'],
  [{ state: oneOf('draft', 'published'), publishedAt: MOMENT }, { state: 'published' }, 'publishedAt'],
  [{ status: oneOf('packing', 'dispatched'), dispatched_at: MOMENT }, { status: 'dispatched' }, 'dispatched_at'],
])('a status in the body sets its time (%#)', async (fields, sent, moment) => {
  const { before, after } = await acted({ fields }, {}, 'PATCH ', sent)

  expect(before[moment]).toBeNull()
  expect(typeof after[moment]).toBe('string')
})

it.each([
  ['customers', 'PATCH', 'meta', 'value', "Kimai's extra fields"],
  ['templates', 'POST', 'create-item', 'parentId', "homebox' items"],
  ['rooms', 'POST', 'invite', 'phone', 'a guest'],
])('%s keep their name where %s /%s sends a name and a %s: of %s', async (plural, method, verb, other) => {
  const thing = object({ id: 'integer', name: 'string' })
  const named = object({ name: 'string', [other]: 'string' }, { required: ['name', other] })
  const call = await simulation.of(
    describeApi({
      [`/${plural}`]: { get: answers(list(thing)), post: { ...takes(thing), ...answers(thing) } },
      [`/${plural}/{id}`]: { ...inPath('id'), get: answers(thing) },
      [`/${plural}/{id}/${verb}`]: { ...inPath('id'), [method.toLowerCase()]: { ...takes(named), ...answers(thing) } },
    }),
  )
  const { id } = (await call(`POST /${plural}`, { name: 'First' })).body

  const acted = await call(`${method} /${plural}/${id}/${verb}`, { name: 'Second', [other]: 'x' })

  expect(acted.body).toEqual({ id, name: 'First' })
})

it.each([
  ['edit', 'reason', 'string'],
  ['save', 'token', 'string'],
  ['publish', 'notify', 'boolean'],
  ['submit', 'expectedVersion', 'integer'],
])('a page takes the name that /%s sends beside a %s', async (verb, other, type) => {
  const page = object({ id: 'integer', name: 'string' })
  const sent = object({ name: 'string', [other]: type }, { required: ['name', other] })
  const call = await simulation.of(
    describeApi({
      '/pages': { get: answers(list(page)), post: { ...takes(page), ...answers(page) } },
      '/pages/{id}': { ...inPath('id'), get: answers(page) },
      [`/pages/{id}/${verb}`]: { ...inPath('id'), post: { ...takes(sent), ...answers(page) } },
    }),
  )
  const { id } = (await call('POST /pages', { name: 'First' })).body
  const value = { string: 'x', boolean: true, integer: 1 }[type]

  const acted = await call(`POST /pages/${id}/${verb}`, { name: 'Second', [other]: value })

  expect(acted.body).toEqual({ id, name: 'Second' })
})
