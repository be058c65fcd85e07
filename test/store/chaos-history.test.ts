import { expect, it } from 'vitest'
import { FORWARD_HOURS, History, PLANNED_NAME } from '../../bench/chaos/history.ts'
import { WebhookReceiver } from '../../bench/chaos/webhook-receiver.ts'
import type { Delivery } from '../../src/protocol/webhook.ts'

// The chaos of stores is judged by this history: each thing that it must find is here once, as it would be after a fault.

const FIRST = '2026-03-02T09:00:00.000Z'
const LATER = '2026-03-02T09:00:01.000Z'

const planned = (count: number) => Array.from({ length: count }, () => ({ name: PLANNED_NAME }))

function tried(...times: string[]): Delivery {
  const attempts = times.map((at) => ({ at, status: 500, error: 'Answered 500.', durationMs: 1, address: '127.0.0.1' }))
  const event = { id: 'event', type: 'thing.created', recordId: 'record' }
  return { id: 'delivery', event, state: 'retrying', attempts, nextAttemptAt: null }
}

it('has nothing to say of a service that is right', () => {
  const history = new History()
  history.create('one')(FIRST)
  history.create('two')(LATER)
  history.create('unanswered')
  history.write(1)()
  history.read('left', 1, history.now())
  history.forward()()
  history.checkRetries([tried(FIRST, '2026-03-02T09:01:00.000Z')])

  expect(history.check([{ name: 'one' }, { name: 'two' }, ...planned(FORWARD_HOURS)])).toEqual({
    lost: [],
    doubled: [],
    forgotten: 0,
  })
  expect(history.violations).toEqual([])
})

it('finds what is lost, and what is there twice', () => {
  const history = new History()
  history.create('one')(FIRST)
  history.create('two')(FIRST)

  expect(history.check([{ name: 'two' }, { name: 'two' }])).toEqual({ lost: ['one'], doubled: ['two'], forgotten: 0 })
})

const FAULTS: Readonly<Record<string, (history: History) => void>> = {
  'a creation that is not found': (history) => {
    history.create('one')(FIRST)
    history.miss('one')
  },
  'a time that falls': (history) => {
    history.create('one')(LATER)
    history.create('two')(FIRST)
  },
  'an old value': (history) => {
    history.write(1)()
    history.read('left', 0, history.now())
  },
  'a value that no client has written': (history) => {
    history.read('left', 1, history.now())
  },
  'a value before one that was read': (history) => {
    const from = history.now()
    history.write(1)
    history.read('left', 1, from)
    history.read('left', 0, from)
  },
  'a retry before its time': (history) => {
    history.checkRetries([tried(FIRST, '2026-03-02T09:00:30.000Z')])
  },
  'half a fast-forward': (history) => {
    history.forward()()
    history.check(planned(FORWARD_HOURS / 2))
  },
  'a fast-forward that is gone': (history) => {
    history.forward()()
    history.check([])
  },
  'a fast-forward that no client has asked for': (history) => {
    history.check(planned(FORWARD_HOURS))
  },
}

it.each(Object.entries(FAULTS))('finds %s', (_fault, happens) => {
  const history = new History()

  happens(history)

  expect(history.violations).toHaveLength(1)
})

it('finds an update that comes for the first time after a later one of its record', async () => {
  const receiver = new WebhookReceiver(() => 1)
  const url = await receiver.start()
  const send = (id: string, value: number) =>
    fetch(url, {
      method: 'POST',
      headers: { 'svc-delivery': `delivery of ${id}` },
      body: JSON.stringify({ id, type: 'thing.updated', data: { object: { name: 'register', value } } }),
    })

  for (const [id, value] of [
    ['a', 1],
    ['c', 3],
    ['b', 2],
    ['a', 1],
    ['d', 4],
  ] as const)
    await send(id, value)
  receiver.close()

  const { disordered, repeats, events } = receiver.check([], [], { deeds: 0, hasForgotten: false })
  expect({ disordered, repeats, events }).toEqual({
    disordered: ['the update to 2 came after that to 3'],
    repeats: 1,
    events: 4,
  })
})
