import { expect, it, onTestFinished } from 'vitest'
import { startSink } from '../../src/index.ts'
import { callSink, makeDelivery, SECRET } from './sink-client.ts'

const ANY = { matches: () => true }
const LONG = { timeoutMs: 60_000 }

/** The inbox of a path, and ways for webhooks to arrive there. */
async function openInbox(options: { capacity?: number } = {}) {
  const sink = await startSink(options)
  onTestFinished(() => sink.close())
  const path = sink.open()
  path.trust({ webhookId: 'webhook-1', secret: SECRET })
  let count = 0
  const arrive = () => {
    const id = `5b1f0f0e-6a86-4b63-9a8e-${String(++count).padStart(12, '0')}`
    const data = { collection: 'tasks', id: `t_${count}`, object: { title: 'One' } }
    return path.addFeedEntry({ id, type: 'task.created', created: '2026-11-21T05:00:00.000Z', data })
  }
  const call = (method: string) => callSink(sink, { method, path: new URL(path.url).pathname, ...makeDelivery() })
  return { path, inbox: path.inbox, arrive, call }
}

it('resolves a waiter by the arrival, and at once with what was here before', async () => {
  const { inbox, arrive } = await openInbox()
  const first = await arrive()

  expect(await inbox.waitFor(ANY, LONG)).toEqual([first])
  const waiting = inbox.waitFor(ANY, LONG)
  const second = await arrive()
  expect(await waiting).toEqual([second])
})

it('gives each webhook to one claim: equal expectations need two', async () => {
  const { inbox, arrive } = await openInbox()
  const waiting = [inbox.waitFor(ANY, LONG), inbox.waitFor(ANY, LONG)]

  const first = await arrive()
  const second = await arrive()

  expect(await Promise.all(waiting)).toEqual([[first], [second]])
  expect(inbox.take(ANY)).toEqual([])
  expect(inbox.take({ ...ANY, claim: false })).toEqual([first, second])
  expect(inbox.isClaimed(first)).toBe(true)
})

it('waits for as many as asked, and claims none of them before', async () => {
  const { inbox, arrive } = await openInbox()
  const pair = inbox.waitFor(ANY, { ...LONG, count: 2 })
  const first = await arrive()

  const single = await inbox.waitFor(ANY, LONG)
  const second = await arrive()
  const third = await arrive()

  expect(single).toEqual([first])
  expect(await pair).toEqual([second, third])
})

it('gives up when the time is over or the path closes', async () => {
  const { path, inbox } = await openInbox()

  expect(await inbox.waitFor(ANY, { timeoutMs: 0 })).toBeUndefined()
  const waiting = inbox.waitFor(ANY, LONG)
  path.close()
  expect(await waiting).toBeUndefined()
  expect(await inbox.waitFor(ANY, LONG)).toBeUndefined()
})

it('uses only arrivals after a mark', async () => {
  const { inbox, arrive } = await openInbox()
  await arrive()
  const since = inbox.mark()
  const later = await arrive()

  expect(inbox.all(since)).toEqual([later])
  expect(await inbox.waitFor({ ...ANY, since }, LONG)).toEqual([later])
})

it('lets a retry of a claimed delivery be claimed for its attempt, but not as another webhook', async () => {
  const { path, inbox, call } = await openInbox()
  path.respond({ status: 500, times: 1 })
  await call('POST')
  const [webhook] = inbox.take(ANY)
  const forAttempt = inbox.waitFor({ matches: ({ attempt }) => attempt >= 2, attempt: 2 }, LONG)

  await call('POST')

  expect(await forAttempt).toEqual([webhook])
  expect(inbox.take(ANY)).toEqual([])
})

it('rejects a waiter whose condition throws, and serves the others', async () => {
  const { inbox, arrive } = await openInbox()
  const broken = inbox.waitFor(
    {
      matches: () => {
        throw new TypeError('where is broken')
      },
    },
    LONG,
  )
  const other = inbox.waitFor(ANY, LONG)
  const refused = expect(broken).rejects.toThrow('where is broken')

  await arrive()

  await refused
  expect(await other).toHaveLength(1)
})

it('forgets arrivals on demand, and keeps waiting', async () => {
  const { path, inbox, arrive } = await openInbox()
  const pair = inbox.waitFor(ANY, { ...LONG, count: 2 })
  await arrive()

  path.clear()
  expect(inbox.all()).toEqual([])
  await arrive()
  await arrive()

  expect(await pair).toEqual(inbox.all())
})

it('keeps the latest when it is full', async () => {
  const { inbox, arrive } = await openInbox({ capacity: 2 })

  const webhooks = [await arrive(), await arrive(), await arrive()]

  expect(inbox.all()).toEqual(webhooks.slice(1))
})

it('tells its observers of everything until they leave', async () => {
  const { inbox, arrive, call } = await openInbox()
  const seen: string[] = []
  const leave = inbox.observe({ received: ({ type }) => seen.push(type), rejected: ({ reason }) => seen.push(reason) })
  await arrive()
  await call('PUT')

  leave()
  await arrive()

  expect(seen).toEqual(['task.created', 'method_not_allowed'])
})
