import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, inPath, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

/** Payments with this description of their status. */
const paymentsWith = (description: string, name = 'status') => {
  const payment = object({ id: 'string', [name]: { type: 'string', description } }, { required: ['id', name] })
  return simulate(
    describeApi({
      '/payments': { get: answers(list(payment)), post: { ...takes(object({})), ...answers(payment) } },
      '/payments/{id}': { ...inPath('id'), get: answers(payment) },
      '/payments/{id}/cancel': { ...inPath('id'), post: answers(payment) },
    }),
  )
}

describe('values that only the description of a text lists', () => {
  it.each([
    [
      'Whether the payment is APPROVED, PENDING, COMPLETED, CANCELED, or FAILED.',
      /^(APPROVED|PENDING|COMPLETED|FAILED|CANCELED)$/,
      'CANCELED',
    ],
    ['One of `open`, `is_cancelled` or `is_cancelled/late`. Set by the server.', /^(open|is_cancelled)$/, 'canceled'],
    ['State: "Live" | "Cancelled"', /^(Live|Cancelled)$/, 'Cancelled'],
  ])('are those of records, and of actions: %s', (description, values, after) => {
    const { send } = paymentsWith(description)

    for (const { status } of send('GET', '/payments').body) expect(status).toMatch(values)
    const { id, status } = send('POST', '/payments', { json: {} }).body
    expect(status).toMatch(values)
    expect(send('POST', `/payments/${id}/cancel`).body.status).toBe(after)
  })

  it('are not read of other fields, nor where one value is named', () => {
    const { send } = paymentsWith('An HTTP or HTTPS address', 'callback')
    expect(send('GET', '/payments').body.map(({ callback }: JsonObject) => callback)).not.toContain('HTTP')
    const only = paymentsWith('Such as PENDING.')
    expect(only.send('POST', '/payments', { json: {} }).body.status).not.toBe('PENDING')
  })
})
