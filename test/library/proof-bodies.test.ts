import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installedSdk, unfitBodies } from '../../src/cli/proof-bodies.ts'
import { readFolder } from '../../src/library/own-entries.ts'
import type { ReceivedWebhook } from '../../src/sink/received-webhook.ts'

const STRIPE = join(import.meta.dirname, '../../library/stripe')

it.each([
  ['>=23 <24', true],
  ['>=20 <23', false],
  ['^23', true],
  ['^22 || ^23', true],
  ['~23.0', false],
  ['>24', false],
])('tells whether the SDK that is installed lies in the range %s', (range, isInRange) => {
  const sdk = installedSdk({ sdk: { npm: 'stripe', range } }, STRIPE)

  expect(sdk).toMatchObject({ version: expect.stringMatching(/^23\./), isInRange })
})

it('knows no version of an SDK that is not installed', () => {
  expect(installedSdk({ sdk: { npm: 'no-such-sdk', range: '>=1' } }, STRIPE)).toBeUndefined()
  expect(installedSdk({}, STRIPE)).toBeUndefined()
})

it('names the field of a record in an event that does not fit its schema, once for each type', async () => {
  const entry = await readFolder(STRIPE)
  const balance = { id: 'cbtxn_1', object: 'customer_balance_transaction' }
  const event = {
    type: 'balance.moved',
    data: { collection: 'customer_balance_transactions', id: '', object: balance },
  }

  const sentences = await unfitBodies(entry, [event, event] as unknown as ReceivedWebhook[])

  expect(sentences).toEqual([
    'The record of balance.moved does not fit: expected `customer_balance_transactions.amount` to be present, got nothing.',
  ])
})
