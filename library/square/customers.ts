import { phone } from '../shared/phone.ts'
import { disable } from './cards.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isoOf,
  isWithin,
  type Json,
  type Kept,
  type Operations,
  type SquareRequest,
  sortedBy,
  textOf,
} from './square.ts'

const CUSTOMER = {
  ...{ given_name: '', family_name: '', nickname: '', company_name: '', email_address: '', address: {} },
  ...{ phone_number: '', birthday: '', reference_id: '', note: '', tax_ids: {} },
}
const BIRTHDAY = /^(?:\d{4}-)?\d\d-\d\d$/
/** A new customer needs one of these. */
const NAMES = ['given_name', 'family_name', 'company_name', 'email_address', 'phone_number']

export const toCustomer = (customer: Fields): Fields =>
  filled({ ...customer, preferences: { email_unsubscribed: false } })

/** The customer that the path, or another id, names. */
const customerOf = (square: SquareRequest): Kept =>
  square.find('customers', 'Customer with ID `{id}` not found.', square.path.customer_id)

/** The fields that a request sets. Refuses an address or a number that is none. */
function sentOf(square: SquareRequest): Fields {
  const sent = square.sent(CUSTOMER)
  const { email_address, phone_number, birthday } = sent
  const refuse = (code: string, field: string, what: string): never =>
    square.refuse(code, `Expected ${field} to be a valid ${what}`, field)
  if (email_address && !/^[^@]+@[^@]+$/.test(textOf(email_address)))
    refuse('INVALID_EMAIL_ADDRESS', 'email_address', 'email address')
  if (phone_number && phone({ of: phone_number, country: 'US' }).valid !== true)
    refuse('INVALID_PHONE_NUMBER', 'phone_number', 'phone number')
  if (birthday && (!BIRTHDAY.test(textOf(birthday)) || isoOf(`2000-${textOf(birthday).slice(-5)}`) === undefined))
    refuse('INVALID_TIME', 'birthday', 'date')
  return birthday && /^\d\d-/.test(textOf(birthday)) ? { ...sent, birthday: `0000-${textOf(birthday)}` } : sent
}

function create(square: SquareRequest): Fields {
  const sent = sentOf(square)
  if (!NAMES.some((name) => sent[name]))
    square.refuse(
      'BAD_REQUEST',
      'At least one of `given_name`, `family_name`, `company_name`, `email_address`, or `phone_number` is required for a customer.',
    )
  return { customer: toCustomer(square.records.customers.create({ ...sent, ...square.times })) }
}

function update(square: SquareRequest): Fields {
  const customer = customerOf(square)
  square.checkConflict(square.body.version, customer)
  return { customer: toCustomer(square.change('customers', customer, sentOf(square))) }
}

/** The answer to each of many requests, by its id: the customer, or the errors. */
const answersOf = (square: SquareRequest, method: string, requests: readonly [id: string, body: Fields][]): Fields => ({
  responses: Object.fromEntries(requests.map(([id, body]) => [id, square.ask(method, '/v2/customers', id, body)])),
})

const byId = (ids: Json | undefined): [string, Fields][] => idsOf(ids).map((id) => [id, {}])
const byName = (bodies: Json | undefined): [string, Fields][] =>
  Object.entries(fieldsOf(bodies)).map(([name, body]) => [name, fieldsOf(body)])

/** By their names, those without one by another field, as Square sorts them unless asked otherwise. */
function sorted(customers: Kept[], field: Json | undefined, order: Json | undefined): Kept[] {
  const nameOf = ({ given_name, family_name, company_name, email_address, phone_number }: Fields): string =>
    `${given_name ?? ''}${family_name ?? ''}` || textOf(company_name ?? email_address ?? phone_number)
  const key = field === 'CREATED_AT' ? field.toLowerCase() : (customer: Kept) => nameOf(customer) || null
  return sortedBy(customers, key, order === 'DESC')
}

/** Whether a text is the one of a filter, or has each word of it, in any case. */
function isLike(value: Json | undefined, filter: Json | undefined, toText = textOf): boolean {
  const { exact, fuzzy } = fieldsOf(filter)
  const text = toText(value).toLowerCase()
  const words = textOf(fuzzy).split(/[^\w+]+|_/)
  return (
    (exact == null || text === toText(exact).toLowerCase()) && words.every((word) => text.includes(word.toLowerCase()))
  )
}

/** A phone number without its punctuation. */
const toNumber = (number: Json | undefined): string => textOf(phone({ of: number ?? '', country: 'US' }).number)

function search(square: SquareRequest): Fields {
  const { filter, sort } = fieldsOf(square.body.query)
  const { created_at, updated_at, email_address, phone_number, reference_id, creation_source, group_ids } =
    fieldsOf(filter)
  const { any, all, none } = fieldsOf(group_ids)
  const { values, rule } = fieldsOf(creation_source)
  const isIn = (time: Json | undefined, range: Json | undefined): boolean =>
    isWithin(time, fieldsOf(range).start_at, fieldsOf(range).end_at)
  const found = square.oldest('customers', (one) => {
    const groups = idsOf(one.group_ids)
    return (
      isIn(one.created_at, created_at) &&
      isIn(one.updated_at, updated_at) &&
      isLike(one.email_address, email_address) &&
      isLike(one.phone_number, phone_number, toNumber) &&
      isLike(one.reference_id, reference_id) &&
      (values == null || isAmong(one.creation_source, values) === (rule !== 'EXCLUDE')) &&
      idsOf(all).every((id) => groups.includes(id)) &&
      !idsOf(none).some((id) => groups.includes(id)) &&
      (any == null || idsOf(any).some((id) => groups.includes(id)))
    )
  })
  const { field, order } = fieldsOf(sort)
  return {
    ...square.page('customers', sorted(found, field, order), toCustomer),
    ...(square.body.count === true && { count: found.length }),
  }
}

const groupOf = (square: SquareRequest): Kept =>
  square.find('customer_groups', 'Customer group with ID `{id}` not found.')

/** Takes customers out of a group. */
function leave({ records }: SquareRequest, members: readonly Kept[], group: Kept): void {
  for (const one of members)
    records.customers.update(one, { group_ids: idsOf(one.group_ids).filter((id) => id !== group.id) })
}

const GROUP = { name: '' }

const groups: Operations = {
  'GET /v2/customers/groups': (square) => square.page('groups', square.oldest('customer_groups'), filled, { most: 50 }),
  'POST /v2/customers/groups': (square) => ({
    group: square.records.customer_groups.create({ ...square.sent(GROUP, 'group'), ...square.times }),
  }),
  'GET /v2/customers/groups/{group_id}': (square) => ({ group: groupOf(square) }),
  'PUT /v2/customers/groups/{group_id}': (square) => {
    const fields = { ...square.sent(GROUP, 'group'), updated_at: square.time }
    return { group: square.records.customer_groups.update(groupOf(square), fields) }
  },
  'DELETE /v2/customers/groups/{group_id}': (square) => {
    const { customers, customer_groups } = square.records
    const group = groupOf(square)
    const members = customers.where(({ group_ids }) => idsOf(group_ids).includes(group.id))
    leave(square, members, group)
    customer_groups.remove(group)
    return {}
  },
  'PUT /v2/customers/{customer_id}/groups/{group_id}': (square) => {
    const customer = customerOf(square)
    const group_ids = [...new Set([...idsOf(customer.group_ids), groupOf(square).id])]
    square.records.customers.update(customer, { group_ids })
    return {}
  },
  'DELETE /v2/customers/{customer_id}/groups/{group_id}': (square) => {
    leave(square, [customerOf(square)], groupOf(square))
    return {}
  },
}

export const customers: Operations = {
  ...groups,
  'GET /v2/customers': (square) => {
    const { sort_field, sort_order, count } = square.query
    const found = square.oldest('customers')
    return {
      ...square.page('customers', sorted(found, sort_field, sort_order), toCustomer),
      ...(String(count) === 'true' && { count: found.length }),
    }
  },
  'POST /v2/customers': create,
  'GET /v2/customers/{customer_id}': (square) => ({ customer: toCustomer(customerOf(square)) }),
  'PUT /v2/customers/{customer_id}': update,
  'DELETE /v2/customers/{customer_id}': (square) => {
    const customer = customerOf(square)
    for (const card of square.records.cards.where({ customer_id: customer.id, enabled: true })) disable(square, card)
    square.records.customers.remove(customer)
    return {}
  },
  'POST /v2/customers/search': search,
  'POST /v2/customers/bulk-create': ({ of, body }) => ({
    responses: Object.fromEntries(
      byName(body.customers).map(([name, one]) => [name, of.call('POST', '/v2/customers', one).body]),
    ),
  }),
  'POST /v2/customers/bulk-retrieve': (square) => answersOf(square, 'GET', byId(square.body.customer_ids)),
  'POST /v2/customers/bulk-update': (square) => answersOf(square, 'PUT', byName(square.body.customers)),
  'POST /v2/customers/bulk-delete': (square) => answersOf(square, 'DELETE', byId(square.body.customer_ids)),
}
