import { expect, it } from 'vitest'
import * as z from 'zod'
import { findNearestMiss } from '../../src/sink/checks.ts'
import { findMismatch, matchesType, type WebhookMatch, webhookChecks } from '../../src/sink/match.ts'
import type { ReceivedWebhook } from '../../src/sink/received-webhook.ts'

// Directly: through an expectation, each row would cost a simulation and a wait that runs out.

const webhook = makeReceived({
  type: 'task.created',
  data: { collection: 'tasks', id: 't_1', object: { title: 'One', tags: ['a', 'b'], owner: { id: 7, name: null } } },
})

it.each([
  ['task.created', true],
  ['task.*', true],
  ['*', true],
  ['task.updated', false],
  ['tas.*', false],
  [/created$/g, true],
  [/^created/, false],
  [() => true, true],
  [({ id }: { id: string }) => id === 'none', false],
] as const)('takes kinds by %s: %s', (matcher, isMatch) => {
  expect(matchesType(matcher, webhook)).toBe(isMatch)
  expect(matchesType(matcher, webhook)).toBe(isMatch)
})

it.each<[string, WebhookMatch<never>]>([
  ['nothing', {}],
  ['the collection and the record', { collection: 'tasks', recordId: 't_1' }],
  ['a part of the object', { data: { object: { owner: { id: 7 } } } } as never],
  ['a whole array', { data: { object: { tags: ['a', 'b'] } } } as never],
  [
    'asymmetric matchers',
    { data: { id: expect.stringMatching(/^t_/), object: { title: expect.any(String) } } } as never,
  ],
  ['matchers inside arrays', { data: { object: { tags: ['a', expect.anything()] } } } as never],
  ['null', { data: { object: { owner: { name: null } } } } as never],
  ['something absent', { data: { object: { missing: undefined } } } as never],
  ['a schema', { schema: z.object({ title: z.string() }) as never }],
  ['any other condition', { where: ({ attempt }) => attempt === 1 }],
])('matches %s', (_name, match) => {
  expect(findMismatch(webhook, 'task.*', match)).toBeUndefined()
})

it.each<[string, WebhookMatch<never>, string, unknown, unknown]>([
  ['collection', { collection: 'projects' }, 'data.collection', 'projects', 'tasks'],
  ['record', { recordId: 't_2' }, 'data.id', 't_2', 't_1'],
  ['nested value', { data: { object: { owner: { id: 8 } } } } as never, 'data.object.owner.id', 8, 7],
  ['item', { data: { object: { tags: ['a', 'c'] } } } as never, 'data.object.tags[1]', 'c', 'b'],
  ['length', { data: { object: { tags: ['a'] } } } as never, 'data.object.tags.length', 1, 2],
  [
    'kind of value',
    { data: { object: { title: { text: 'One' } } } } as never,
    'data.object.title.text',
    'One',
    undefined,
  ],
  [
    'schema',
    { schema: z.object({ owner: z.object({ name: z.string() }) }) as never },
    'data.object.owner.name',
    expect.stringMatching(/^schema: /),
    null,
  ],
  ['attempt', { attempt: 2 }, 'attempt', 2, 1],
])('names the first difference: %s', (_name, match, path, expected, received) => {
  expect(findMismatch(webhook, '*', match)).toEqual({ path, expected, received })
})

it('does not look into prototypes', () => {
  const mismatch = findMismatch(webhook, '*', { data: { object: { toString: expect.any(Function) } } } as never)

  expect(mismatch).toMatchObject({ path: 'data.object.toString', received: undefined })
})

it('refuses a schema that is not synchronous', () => {
  const schema = { '~standard': { version: 1, vendor: 'x', validate: async (value: unknown) => ({ value }) } } as const

  expect(() => findMismatch(webhook, '*', { schema } as never)).toThrow(
    'Expected `schema` to validate synchronously, got a promise from its validate().',
  )
})

it('finds the nearest miss: first the right kind, then the most that is right, then the latest', () => {
  const otherKind = makeReceived({ type: 'task.deleted', data: webhook.data })
  const farther = makeReceived({ data: { collection: 'x', id: 't_9', object: { title: 'Two' } } })
  const nearer = makeReceived({ data: { collection: 'tasks', id: 't_1', object: { title: 'Two' } } })
  const match = { collection: 'tasks', recordId: 't_1', data: { object: { title: 'One' } } } as never

  const miss = findNearestMiss([otherKind, nearer, farther], webhookChecks('task.created', match))

  expect(miss).toEqual({ item: nearer, mismatch: { path: 'data.object.title', expected: 'One', received: 'Two' } })
  expect(findNearestMiss([], webhookChecks('*', {}))).toBeUndefined()
  expect(findNearestMiss([webhook], webhookChecks('*', {}))).toBeUndefined()
})

/** A received webhook, as the sink would have made it. */
function makeReceived(change: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  const id = '5b1f0f0e-6a86-4b63-9a8e-000000000001'
  return {
    type: 'task.created',
    id,
    created: '2026-11-21T05:00:00.000Z',
    data: { collection: 'tasks', id: 't_1', object: { title: 'One' } },
    deliveryId: id,
    webhookId: 'webhook-1',
    attempt: 1,
    attempts: 1,
    duplicates: 0,
    answered: 200,
    headers: {},
    rawBody: new Uint8Array(),
    signature: { t: 1, v1: '', skewSeconds: 0 },
    receivedAt: 0,
    source: 'webhook',
    verified: true,
    ...change,
  }
}
