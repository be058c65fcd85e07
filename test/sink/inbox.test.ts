import { expect, it } from 'vitest'
import { Inbox } from '../../src/sink/inbox.ts'
import type { ReceivedWebhook } from '../../src/sink/received-webhook.ts'
import { makeReceived } from './make-received.ts'

const ANY = { matches: () => true }
const LONG = { timeoutMs: 60_000 }

it('resolves a waiter by the arrival, and at once with what was here before', async () => {
  const inbox = new Inbox()
  const [first, second] = [makeReceived(), makeReceived()]
  inbox.add(first)

  expect(await inbox.waitFor(ANY, LONG)).toEqual([first])
  const waiting = inbox.waitFor(ANY, LONG)
  inbox.add(second)
  expect(await waiting).toEqual([second])
})

it('gives each webhook to one claim: equal expectations need two', async () => {
  const inbox = new Inbox()
  const waiting = [inbox.waitFor(ANY, LONG), inbox.waitFor(ANY, LONG)]
  const [first, second] = [makeReceived(), makeReceived()]

  inbox.add(first)
  inbox.add(second)

  expect(await Promise.all(waiting)).toEqual([[first], [second]])
  expect(inbox.take(ANY)).toEqual([])
  expect(inbox.take({ ...ANY, claim: false })).toEqual([first, second])
  expect(inbox.isClaimed(first)).toBe(true)
})

it('waits for as many as asked, and claims none of them before', async () => {
  const inbox = new Inbox()
  const [first, second, third] = [makeReceived(), makeReceived(), makeReceived()]
  const pair = inbox.waitFor(ANY, { ...LONG, count: 2 })
  inbox.add(first)

  const single = await inbox.waitFor(ANY, LONG)
  inbox.add(second)
  inbox.add(third)

  expect(single).toEqual([first])
  expect(await pair).toEqual([second, third])
})

it('gives up when the time is over or the inbox closes', async () => {
  const inbox = new Inbox()

  expect(await inbox.waitFor(ANY, { timeoutMs: 0 })).toBeUndefined()
  const waiting = inbox.waitFor(ANY, LONG)
  inbox.close()
  expect(await waiting).toBeUndefined()
  expect(await inbox.waitFor(ANY, LONG)).toBeUndefined()
})

it('looks only at what came after a mark', async () => {
  const inbox = new Inbox()
  inbox.add(makeReceived())
  const since = inbox.mark()
  const later = makeReceived()
  inbox.add(later)

  expect(inbox.all(since)).toEqual([later])
  expect(await inbox.waitFor({ ...ANY, since }, LONG)).toEqual([later])
})

it('lets a retry of a claimed delivery be claimed for its attempt, but not as another webhook', async () => {
  const inbox = new Inbox()
  const webhook = makeReceived() as ReceivedWebhook & { attempt: number }
  inbox.add(webhook)
  inbox.take(ANY)
  const forAttempt = inbox.waitFor({ matches: ({ attempt }) => attempt >= 2, attempt: 2 }, LONG)

  webhook.attempt = 2
  inbox.update(webhook)

  expect(await forAttempt).toEqual([webhook])
  expect(inbox.take(ANY)).toEqual([])
})

it('rejects a waiter whose condition throws, and serves the others', async () => {
  const inbox = new Inbox()
  const broken = inbox.waitFor(
    {
      matches: () => {
        throw new TypeError('where is broken')
      },
    },
    LONG,
  )
  const other = inbox.waitFor(ANY, LONG)

  inbox.add(makeReceived())

  await expect(broken).rejects.toThrow('where is broken')
  expect(await other).toHaveLength(1)
})

it('forgets on demand, and goes on waiting', async () => {
  const inbox = new Inbox()
  const pair = inbox.waitFor(ANY, { ...LONG, count: 2 })
  inbox.add(makeReceived())

  inbox.clear()
  expect(inbox.all()).toEqual([])
  inbox.add(makeReceived())
  inbox.add(makeReceived())

  expect(await pair).toEqual(inbox.all())
})

it('keeps the latest when it is full', () => {
  const inbox = new Inbox({ capacity: 2 })
  const webhooks = [makeReceived(), makeReceived(), makeReceived()]

  for (const webhook of webhooks) inbox.add(webhook)

  expect(inbox.all()).toEqual(webhooks.slice(1))
})

it('tells its observers of everything until they leave', () => {
  const inbox = new Inbox()
  const seen: string[] = []
  const leave = inbox.observe({ received: ({ type }) => seen.push(type), rejected: ({ reason }) => seen.push(reason) })
  inbox.add(makeReceived())
  inbox.reject({ reason: 'tls' } as never)

  leave()
  inbox.add(makeReceived())

  expect(seen).toEqual(['task.created', 'tls'])
})
