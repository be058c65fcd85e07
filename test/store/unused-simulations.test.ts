import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { type Service, type ServiceOptions, startOver } from '../../src/service/start.ts'
import type { Store } from '../../src/service/store/store.ts'
import { MemoryStore } from './memory/memory-store.ts'

const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'
const KEY = 'svc_sim_0123456789abcdef'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A clock that a test turns, and the timers of a minute, which fire when the test says so. */
class TurnedTime {
  aheadMs = 0
  #minutes: (() => void)[] = []
  readonly clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + this.aheadMs,
    monotonic: () => systemClock.monotonic() + this.aheadMs,
  }
  readonly runtime: ServiceOptions['runtime'] = {
    clock: this.clock,
    startTimer: (ms, run) => {
      if (ms !== MINUTE_MS) return systemRuntime.startTimer(ms, run)
      this.#minutes.push(run)
      return () => {
        this.#minutes = this.#minutes.filter((other) => other !== run)
      }
    },
  }

  async passMinute(): Promise<void> {
    for (const run of this.#minutes.splice(0)) run()
    await expect.poll(() => this.#minutes.length).toBeGreaterThan(0)
  }
}

let service: Service | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

async function start(time: TurnedTime, store: Store | undefined, options: ServiceOptions): Promise<Service> {
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }], ...options.accounts?.[0] }]
  service = await startOver(store, { addresses: 'path', runtime: time.runtime, ...options, accounts })
  return service
}

async function manage(method: string, path: string, body?: object) {
  const answer = await fetch(`${service?.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ACCOUNT_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const ask = (slug: string, path = '/projects', body?: object) =>
  fetch(`${service?.url}/s/${slug}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

/** Resolves when the node has looked for due work once more. */
function nextRound(store: MemoryStore): Promise<void> {
  const { work } = store
  const { claimTicks } = Object.getPrototypeOf(work) as typeof work
  return new Promise((resolve) => {
    work.claimTicks = (most) => {
      resolve()
      return claimTicks.call(work, most)
    }
  })
}

const slugs = async () => (await manage('GET', '/simulations')).body.data.map(({ slug }: { slug: string }) => slug)

it.each(['in memory', 'in a store'])(
  'removes simulations %s that were not used for the days of the plan',
  async (where) => {
    const time = new TurnedTime()
    const simulations = ['asked', 'read', 'idle'].map((slug) => ({ library: 'task-tracker', slug, key: KEY }))
    const store = where === 'in memory' ? undefined : new MemoryStore(time.clock)
    await start(time, store, { accounts: [{ plan: { idleDays: 2 } }], simulations })

    time.aheadMs = 1.5 * DAY_MS
    expect((await ask('asked')).status).toBe(200)
    expect((await manage('GET', '/simulations/read')).status).toBe(200)
    await time.passMinute()
    expect(await slugs()).toEqual(['asked', 'read', 'idle'])
    time.aheadMs = 2.5 * DAY_MS
    await time.passMinute()

    expect(await slugs()).toEqual(['asked', 'read'])
    expect((await ask('idle')).status).toBe(404)
    expect((await manage('POST', '/simulations', { library: 'crm', slug: 'idle' })).status).toBe(201)
  },
)

it('keeps them without such a plan, and goes by the last use where one is given later', async () => {
  const time = new TurnedTime()
  const store = new MemoryStore(time.clock)
  await start(time, store, { simulations: [{ library: 'task-tracker', slug: 'kept', key: KEY }] })
  time.aheadMs = 3 * DAY_MS

  await time.passMinute()
  expect(await store.list('default')).toHaveLength(1)
  await service?.close()
  await start(time, store, { accounts: [{ plan: { idleDays: 2 } }] })
  await time.passMinute()
  expect(await slugs()).toEqual([])
})

it('lets simulations that are not used leave memory, and loads them again when something is asked or due', async () => {
  const received: string[] = []
  const endpoint = createServer((request, response) => {
    received.push(String(request.headers['svc-event']))
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  const time = new TurnedTime()
  const store = new MemoryStore(time.clock)
  const loads: string[] = []
  const { load } = MemoryStore.prototype
  store.load = (id, after) => {
    if (after === undefined) loads.push(id)
    return load.call(store, id, after)
  }
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  await start(time, store, {
    storeOptions: { cacheMb: 1 },
    simulations: names.map((slug) => ({ library: 'task-tracker', slug, key: KEY })),
    allowPrivateWebhooks: ['127.0.0.1/32'],
  })
  for (const slug of names) expect((await ask(slug, '/projects', { name: slug, key: 'KEPT' })).status).toBe(201)
  const plan = [{ name: 'new', everySeconds: 3_600, steps: [{ kind: 'create', collection: 'projects', count: 1 }] }]
  await manage('PUT', '/simulations/one/behaviour', { rules: plan })
  await manage('POST', '/simulations/one/webhooks', { url, events: ['*'] })
  const { id } = (await manage('GET', '/simulations/one')).body
  expect(loads).toEqual([])

  await nextRound(store)
  time.aheadMs += 10_000
  await nextRound(store)
  expect(loads).toEqual([])
  time.aheadMs += 3_600_000
  await expect.poll(() => received.length).toBeGreaterThan(0)
  for (const slug of names) {
    const { data } = (await (await ask(slug, '/projects?limit=100')).json()) as { data: { name: string }[] }
    expect(data.map(({ name }) => name)).toContain(slug)
  }

  expect(loads.length).toBeGreaterThan(3)
  expect(received).toContain('project.created')
  expect(loads).toContain(id)
  endpoint.close()
})
