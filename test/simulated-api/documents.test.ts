import { expect, it } from 'vitest'
import { answers, body, boolean, describeApi, integer, object, path, query, string } from './describe-api.ts'
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
