import { type IncomingMessage, request } from 'node:http'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Service, startOver } from '../../src/service/start.ts'
import { overrideCalls } from '../../src/service/store/override-calls.ts'
import type { Store } from '../../src/service/store/store.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { callerOf } from '../management/start-for-test.ts'
import { SIGNED_IN_ACROSS, signInAcross } from '../sign-in/open-sign-in.ts'
import { holdRegistration } from './hold-registration.ts'
import { ACCOUNT_KEY } from './manage.ts'
import { MemoryStore } from './memory/memory-store.ts'

/** `path` is below `/v1/simulations`. */
const manage = (service: Service, method: string, path: string, body?: unknown) =>
  callerOf(service)(method, `/v1/simulations${path}`, body)

const KEY = 'svc_sim_0123456789abcdef'

/** Two services over one store, with one simulation. */
async function startTwo(
  options: Pick<Parameters<typeof startOver>[1] & object, 'allowPrivateWebhooks' | 'pages'> = {},
  library = 'task-tracker',
) {
  const store = new MemoryStore(systemClock)
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }] }]
  const simulations = [{ library, slug: 'tasks', key: KEY }]
  const start = () => startOver(store, { addresses: 'path', accounts, simulations, ...options })
  const [first, second] = [await start(), await start()]
  const close = async () => {
    await Promise.all([first.close(), second.close()])
  }
  return { first, second, [Symbol.asyncDispose]: close }
}

const ask = (service: Service, path = '/projects', body?: object) =>
  fetch(`${service.url}/s/tasks/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

/** What the activities of one kind tell at a node, as they come; `reading` ends with the node. */
async function watch<Activity>(service: Service, kind: string) {
  const { body } = await service.fetch(
    new Request(`${service.url}/v1/simulations/tasks/activity?kinds=${kind}`, {
      headers: { authorization: `Bearer ${ACCOUNT_KEY}` },
    }),
  )
  const activities: Activity[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of body ?? []) {
      text += new TextDecoder().decode(chunk)
      const found = [...text.matchAll(/event: \w+\ndata: (.*)\n\n/g)].map(
        ([, data]) => JSON.parse(data ?? '') as Activity,
      )
      activities.splice(0, activities.length, ...found)
    }
  })()
  return { activities, reading }
}

it('gives a slug again that another node has deleted', async () => {
  const store = new MemoryStore({ now: systemClock.monotonic })
  const start = () => startOver(store, { addresses: 'path', accounts: [{ keys: [{ key: ACCOUNT_KEY }] }], library: [] })
  await using first = await start()
  await using second = await start()
  const tasks = { library: 'task-tracker', slug: 'tasks' }
  const before = await manage(first, 'POST', '', tasks)
  const taken = await manage(first, 'POST', '', tasks)
  await manage(second, 'DELETE', '/tasks')

  const after = await manage(first, 'POST', '', tasks)

  expect([before.status, taken.status, after.status]).toEqual([201, 400, 201])
  expect((await manage(second, 'GET', '/tasks')).body.id).toBe(after.body.id)
})

it('asks the simulation that a slug leads to by now, whichever node has deleted the one before', async () => {
  await using nodes = await startTwo()
  const { first, second } = nodes
  const before = { library: 'task-tracker', slug: 'again' }
  const again = async () => (await manage(first, 'POST', '', before)).body
  const post = (key: string) =>
    fetch(`${second.url}/s/again/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'New', key: 'NEW' }),
    })
  const created = [(await post((await again()).apiKey)).status]

  await manage(first, 'DELETE', '/again')
  created.push((await post((await again()).apiKey)).status)
  await manage(first, 'DELETE', '/again')
  const { id } = await again()
  const shown = (await manage(second, 'GET', '/again')).body.id
  await manage(first, 'DELETE', '/again')
  await again()
  await manage(second, 'DELETE', '/again')

  expect(created).toEqual([201, 201])
  expect(shown).toBe(id)
  expect((await manage(first, 'GET', '/again')).status).toBe(404)
})

it('answers 404 to what waits for a simulation that is deleted', async () => {
  const memory = new MemoryStore({ now: systemClock.monotonic })
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSlow = false
  const store = overrideCalls(memory, {
    append: async (entries) => {
      if (isSlow) begun.resolve()
      if (isSlow) await release.promise
      return memory.append(entries)
    },
    remove: async (id) => {
      await memory.remove(id)
      // Its lane is closed before.
      setTimeout(release.resolve, 50)
    },
  })
  const simulations = [{ library: 'task-tracker', slug: 'tasks', key: KEY }]
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }] }]
  await using service = await startOver(store, { addresses: 'path', accounts, simulations })
  isSlow = true
  const kept = ask(service, '/projects', { name: 'One', key: 'ONE' })
  await begun.promise
  const waiting = [1, 2, 3].map((number) => ask(service, `/projects?at=${number}`))

  // By a socket, as they came.
  const headers = { authorization: `Bearer ${ACCOUNT_KEY}` }
  const deleted = await fetch(`${service.url}/v1/simulations/tasks`, { method: 'DELETE', headers })

  expect(deleted.status).toBe(204)
  expect((await Promise.all([kept, ...waiting])).map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

it('takes a body that waits to be asked for, under a key that another node has just issued', async () => {
  await using nodes = await startTwo()
  const { first, second } = nodes
  await ask(second)
  const { apiKey } = (await manage(first, 'POST', '/tasks/keys', { name: 'new' })).body

  const { statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${second.url}/s/tasks/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', expect: '100-continue' },
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('continue', () => sent.end(JSON.stringify({ name: 'New', key: 'NEW' })))
    sent.flushHeaders()
  })

  expect(statusCode).toBe(201)
})

it('counts a request that it knows to be allowed from another node alone', async () => {
  await using nodes = await startTwo()
  const { first, second } = nodes
  await ask(second)
  const { apiKey } = (await manage(first, 'POST', '/tasks/keys', { name: 'new' })).body

  const { status } = await fetch(`${second.url}/s/tasks/v1/projects`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })

  const headers = { authorization: `Bearer ${ACCOUNT_KEY}` }
  const usage = await second.fetch(new Request(`${second.url}/v1/usage`, { headers }))
  expect([status, (await usage.json()).requestsThisMonth]).toEqual([200, 2])
})

it('lets an answer go that a rule holds when another node removes the rule', async () => {
  await using nodes = await startTwo()
  const { first, second } = nodes
  const rule = { name: 'hold', kind: 'timeout', method: 'GET', pathPattern: '/*', config: { holdMs: 0 } }
  const { id } = (await manage(first, 'POST', '/tasks/rules', rule)).body
  const held = ask(second)
  await expect.poll(async () => (await manage(first, 'GET', '/tasks/logs')).body.data.length).toBe(1)

  await manage(first, 'DELETE', `/tasks/rules/${id}`)

  expect((await held).status).toBe(200)
})

it('streams another node’s answers to a reader once', async () => {
  await using nodes = await startTwo()
  const { first, second } = nodes
  await ask(second)
  const { activities, reading } = await watch<{ path: string; changes: string[] }>(first, 'request')
  await ask(first, '/projects?at=first')

  await ask(second, '/projects?at=second')
  await ask(second, '/projects', { name: 'New', key: 'NEW' })

  await expect.poll(() => activities.length).toBe(3)
  await ask(second, '/projects?at=last')
  // What was announced twice would have come before the last one.
  await expect.poll(() => activities.at(-1)?.path).toBe('/v1/projects?at=last')
  expect(activities.map(({ path }) => path).toSorted()).toEqual([
    '/v1/projects',
    '/v1/projects?at=first',
    '/v1/projects?at=last',
    '/v1/projects?at=second',
  ])
  expect(activities.find(({ path }) => path === '/v1/projects')?.changes).toHaveLength(1)
  await first.close()
  await reading
})

it('streams each delivery attempt of any node once to readers at every node', async () => {
  await using nodes = await startTwo({ allowPrivateWebhooks: ['127.0.0.1/32'] })
  const { first, second } = nodes
  await using sink = await startSink({ tls: 'terminated-upstream' })
  let answered = 0
  const path = sink.open()
  path.respond({ status: 500 }, () => answered++ === 0)
  const { body: webhook } = await manage(first, 'POST', '/tasks/webhooks', {
    url: path.url,
    events: ['project.created'],
  })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })
  const feeds = await Promise.all(
    [first, second].map((service) => watch<{ id: string; state: string; attempts: object[] }>(service, 'delivery')),
  )

  await ask(first, '/projects', { name: 'One', key: 'ONE' })
  for (const { activities } of feeds) await expect.poll(() => activities.length).toBe(1)
  await ask(second, '/projects', { name: 'Two', key: 'TWO' })
  for (const { activities } of feeds) await expect.poll(() => activities.length).toBe(2)
  await manage(second, 'POST', '/tasks/deliveries/advance', { until: 'drained' })

  const shown = ({ id, state, attempts }: { id: string; state: string; attempts: object[] }) =>
    `${id} ${state} ${attempts.length}`
  for (const { activities } of feeds) await expect.poll(() => activities.length).toBe(3)
  // What was announced twice would have come before the last ones, of which each node makes one.
  for (const [at, service] of [first, second].entries()) {
    await ask(service, '/projects', { name: `Last ${at}`, key: `LAST${at}` })
    for (const { activities } of feeds) await expect.poll(() => activities.length).toBeGreaterThan(3 + at)
  }
  const [left, right] = feeds.map(({ activities }) => activities.map(shown).toSorted())
  expect(left).toEqual(right)
  expect(left?.map((text) => text.replace(/^\S+ /, '')).toSorted()).toEqual([
    'delivered 1',
    'delivered 1',
    'delivered 1',
    'delivered 2',
    'retrying 1',
  ])
  await Promise.all([first.close(), second.close()])
  await Promise.all(feeds.map(({ reading }) => reading))
})

it('tells an attempt once at its own node, however late it is kept', async () => {
  let lateMs = 0
  let looks = 0
  const memory = new MemoryStore({ now: () => systemClock.now() + lateMs })
  const { work } = memory
  const store = overrideCalls(memory, {
    work: overrideCalls(work, {
      settle: (lease, settlement) => {
        lateMs += 10_000
        return work.settle(lease, settlement)
      },
      settledAfter: async (simulation, after) => {
        const found = await work.settledAfter(simulation, after)
        if (found.length > 0) looks++
        return found
      },
    }),
  })
  const simulations = [{ library: 'task-tracker', slug: 'tasks', key: KEY }]
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }] }]
  const options = { accounts, simulations, allowPrivateWebhooks: ['127.0.0.1/32'] }
  await using service = await startOver(store, { addresses: 'path', ...options })
  await using sink = await startSink({ tls: 'terminated-upstream' })
  const path = sink.open()
  const settings = { url: path.url, events: ['project.created'] }
  const { body: webhook } = await manage(service, 'POST', '/tasks/webhooks', settings)
  path.trust({ webhookId: webhook.id, secret: webhook.secret })
  const { activities, reading } = await watch<{ id: string }>(service, 'delivery')

  await ask(service, '/projects', { name: 'One', key: 'ONE' })

  await expect.poll(() => looks).toBeGreaterThan(2)
  expect(activities).toHaveLength(1)
  await service.close()
  await reading
})

it('has at both services the webhooks that an API registers, and the events that it logs', async () => {
  const store = new MemoryStore(systemClock)
  await holdRegistration(async () => store)
})

it('goes by the clock of the store where that of a machine is wrong, from the first request on', async () => {
  const store = new MemoryStore({ now: () => systemClock.now() })
  const startAt = (hours: number) => {
    const clock = { ...systemClock, now: () => systemClock.now() + hours * 3_600_000 }
    const atItsHour = overrideCalls<Store>(store, { offsetMs: -hours * 3_600_000 })
    return startOver(atItsHour, { addresses: 'path', accounts: [{ keys: [{ key: ACCOUNT_KEY }] }], runtime: { clock } })
  }
  const behaviour = [
    { name: 'hourly', everySeconds: 3_600, steps: [{ kind: 'create', collection: 'projects', count: 1 }] },
  ]
  await using first = await startAt(2)
  const { body } = await manage(first, 'POST', '', { library: 'task-tracker', slug: 'tasks', behaviour })
  const made = Date.parse(String((await manage(first, 'GET', '/tasks/clock')).body.now))
  await using second = await startAt(-0.5)

  const turned = (await manage(second, 'POST', '/tasks/fast-forward', { hours: 1 })).body
  await using third = await startAt(2)
  const records = (await manage(third, 'GET', '/tasks/records/projects')).body.total
  const now = Date.parse(String((await manage(third, 'GET', '/tasks/clock')).body.now))
  await manage(second, 'POST', '/tasks/hold', { test: 'a test' })

  expect(body.slug).toBe('tasks')
  expect(Math.abs(made - systemClock.now())).toBeLessThan(60_000)
  expect(turned.changes).toBe(1)
  expect(records).toBe((await manage(first, 'GET', '/tasks/records/projects')).body.total)
  expect(Math.abs(now - made - 3_600_000)).toBeLessThan(60_000)
  expect((await manage(first, 'GET', '/tasks/hold')).body.held).toBe(true)
})

it('ends a sign-in at another node than the one that it began at', async () => {
  await using two = await startTwo({ pages: true }, 'oidc')

  const ended = await signInAcross(`${two.first.url}/s/tasks`, `${two.second.url}/s/tasks`)

  expect(ended).toEqual(SIGNED_IN_ACROSS)
})
