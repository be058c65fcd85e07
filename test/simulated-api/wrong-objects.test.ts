import { expect, it } from 'vitest'
import { answers, body, describeApi, list, object, path, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

it.each([
  ['a number', { default: 500, minimum: 1 }, 10, 0],
  ['a text', { default: 'EUR', maxLength: 3 }, 'USD', 'dollars'],
  ['a boolean', { default: false }, true, 'perhaps'],
  ['a list', { default: [], maxItems: 1 }, ['a'], ['a', 'b']],
])('reads an object whose default is %s as such, with a warning', (_, written, good, bad) => {
  const record = object({ id: string(), limit: { type: 'object', ...written } })
  const { model, send } = simulate(
    describeApi({
      '/accounts': {
        get: { responses: answers(list(record)) },
        post: { requestBody: body(record), responses: answers(record, 201) },
      },
      '/accounts/{id}': { parameters: [path('id')], get: { responses: answers(record) } },
    }),
  )

  const made = send('POST', '/accounts', { json: { limit: good } })

  expect(made).toMatchObject({ status: 201, body: { limit: good } })
  expect(send('POST', '/accounts', { json: { limit: bad } }).status).toBe(400)
  expect(model.warnings.join()).toMatch(/limit\/type is "object", and its default .+: it is read as a \w+\./)
})
