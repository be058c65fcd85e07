import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { answers, describeApi, path } from '../simulated-api/describe-api.ts'

const status = { enum: ['open', 'expired'] }
const date = { format: 'date-time' }

/** Shapes of a record whose status and due date are made together. */
it.each(
  ['oneOf', 'anyOf', 'allOf'].flatMap((choice) =>
    ['due_date', 'end_date', 'expires_at', 'valid_until'].map((name) => [choice, name] as const),
  ),
)('makes a status and %s %s inside of an alternative', async (choice, name) => {
  const attributes = { [choice]: [{}, { properties: { kind: {}, status, [name]: date } }] }
  const spec = describeApi({
    '/reports': { get: { responses: answers({}) } },
    '/reports/{report_id}': {
      get: {
        parameters: [path('report_id')],
        responses: answers({ properties: { data: { items: { properties: { type: {}, attributes } } } } }),
      },
    },
  })
  await using api = await createSimulation({ spec }, { behaviour: [] })

  const answer = await api.fetch('/reports')

  expect(answer.status).toBe(200)
})
