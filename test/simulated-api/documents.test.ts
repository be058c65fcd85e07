import { expect, it } from 'vitest'
import { answers, body, boolean, describeApi, integer, list, object, path, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

const day = string({ format: 'date' })

it('shows the place of a document in fields of its names', () => {
  const record = object({ id: string(), name: string() })
  const stock = object({ id: string(), itemId: string(), available: integer() })
  const { send } = simulate(
    describeApi({
      '/items': { get: { responses: answers({ type: 'array', items: record }) } },
      '/items/{id}': { parameters: [path('id')], get: { responses: answers(record) } },
      '/items/{id}/stock': { parameters: [path('id')], get: { responses: answers(stock) } },
    }),
  )
  const [, { id }] = send('GET', '/items').body

  expect(send('GET', `/items/${id}/stock`).body).toMatchObject({ itemId: id })
})

it.each([
  ['a report', '/reports/occupancy', { from: day, to: day, share: integer() }, 'from=2026-03-01&to=2026-03-31'],
  ['a price', '/quote', { customerId: integer(), rush: boolean, amount: integer() }, 'customerId=4711&rush=true'],
  [
    'a valuation',
    '/valuation',
    { data: object({ at: day, currency: string() }, ['at', 'currency']) },
    'at=2026-03-01&currency=EUR',
  ],
])('shows what was asked in %s', (_, place, fields, search) => {
  const parameters = search.split('&').map((pair) => query(pair.split('=')[0] as string))
  const { send } = simulate(describeApi({ [place]: { get: { parameters, responses: answers(object(fields)) } } }))

  const document = send('GET', `${place}?${search}`).body

  const shown = document.data ?? document
  for (const [name, value] of new URLSearchParams(search)) expect(String(shown[name])).toBe(value)
})

it('does not take what was asked for the values of a document that clients write', () => {
  const settings = object({ locale: string({ enum: ['de', 'en'] }), zone: string() })
  const { send } = simulate(
    describeApi({
      '/settings': {
        get: { parameters: [query('locale')], responses: answers(settings) },
        put: { requestBody: body(settings), responses: answers(settings) },
      },
    }),
  )
  send('PUT', '/settings', { json: { locale: 'en' } })

  expect(send('GET', '/settings?locale=de').body).toMatchObject({ locale: 'en' })
})

it.each([
  ['revenue', { period: string(), paid: integer() }],
  ['stays', { day, rooms: integer() }],
  ['visits', { page: string(), seen: integer() }],
])('shows what was asked next to the rows of a report of %s', (name, row) => {
  const parameters = [query('from', day), query('to', day), query('groupBy', string({ default: 'month' }))]
  const fields = { from: day, to: day, groupBy: string(), rows: { type: 'array', items: object(row) } }
  const report = { parameters, responses: answers(object(fields, Object.keys(fields))) }
  const { send } = simulate(describeApi({ [`/reports/${name}`]: { get: report } }))

  const shown = send('GET', `/reports/${name}?from=2026-01-01&to=2026-06-30`).body

  expect(shown).toMatchObject({ from: '2026-01-01', to: '2026-06-30', groupBy: 'month' })
})

it('shows what was asked in an answer about a record that the query names', () => {
  const hotel = object({ id: string(), name: string() }, ['id', 'name'])
  const free = { hotel_id: string(), arrival: day, rooms: { type: 'array', items: object({ type: string() }) } }
  const { send } = simulate(
    describeApi({
      '/hotels': { get: { responses: answers({ type: 'array', items: hotel }) } },
      '/hotels/{id}': { parameters: [path('id')], get: { responses: answers(hotel) } },
      '/availability': {
        get: {
          parameters: [{ ...query('hotel_id'), required: true }, query('arrival', day)],
          responses: answers(object(free, ['hotel_id', 'arrival', 'rooms'])),
        },
      },
    }),
  )
  const [, { id }] = send('GET', '/hotels').body

  const shown = send('GET', `/availability?hotel_id=${id}&arrival=2027-02-01`).body

  expect(shown).toMatchObject({ hotel_id: id, arrival: '2027-02-01' })
})

it('adds to, changes and removes from a list of the document that answers, as the cart of Shopware does', () => {
  const item = object({ productId: integer(), quantity: integer() })
  const cart = { responses: answers('$Cart') }
  const { send } = simulate(
    describeApi(
      {
        '/cart': { get: cart },
        '/cart/items': { post: { requestBody: body(item), ...cart } },
        '/cart/items/{productId}': {
          parameters: [path('productId', integer())],
          patch: { requestBody: body(object({ quantity: integer() })), ...cart },
          delete: cart,
        },
      },
      { Cart: object({ id: integer(), items: list(item) }) },
    ),
  )
  const { id } = send('GET', '/cart').body
  const itemsOf = (method: string, at: string, json?: object) =>
    send(method, at, json && { json }).body.items.filter(({ productId }: { productId: number }) => productId === 413)

  const added = itemsOf('POST', '/cart/items', { productId: 413, quantity: 2 })
  const changed = itemsOf('PATCH', '/cart/items/413', { quantity: 5 })
  const read = itemsOf('GET', '/cart')
  const removed = itemsOf('DELETE', '/cart/items/413')

  expect(added).toEqual([{ productId: 413, quantity: 2 }])
  expect([changed, read]).toEqual([[{ productId: 413, quantity: 5 }], [{ productId: 413, quantity: 5 }]])
  expect(removed).toEqual([])
  expect(send('GET', '/cart').body.id).toBe(id)
})
