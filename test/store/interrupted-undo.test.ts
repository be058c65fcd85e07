import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, type ServiceOptions, startService } from '../../src/service/start.ts'
import { SteppingClock } from '../support/stepping-clock.ts'
import { ACCOUNT_KEY, manage } from './manage.ts'
import { findPostgres, startPostgres, type TestPostgres } from './postgres.ts'

const ONE = '/simulations/task-tracker'
const RULE = { id: 'r', name: 'r', everySeconds: 3_600, enabled: true }
const postgres = findPostgres()
const folder = mkdtempSync(join(tmpdir(), 'backlot-undo-'))
let server: TestPostgres | undefined
let files = 0

beforeAll(async () => {
  if (postgres !== undefined) server = await startPostgres(postgres)
})

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

const newFile = () => join(folder, `${++files}.db`)

const start = (options: ServiceOptions): Promise<Service> =>
  startService({
    addresses: 'path',
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    ...options,
  })

const ask =
  (path: string, method = 'GET', body?: unknown) =>
  (service: Service) =>
    manage(service, method, `${ONE}${path}`, body)

async function readState(service: Service) {
  const { body: tasks } = await ask('/records/tasks?limit=50')(service)
  const { body: events } = await ask('/events')(service)
  const { now } = (await ask('/clock')(service)).body as { now: string }
  // PostgreSQL's own clock goes on during the test.
  return { tasks, events, hour: now.slice(0, 13) }
}

/** More than two slices of an undo put back. */
const TASKS = 4_500
/**
 * Readings of the clock, counted from the fast-forward, at which its time is over: in the second hour, since each task of an hour takes one
 * reading to be drawn and one to be changed.
 */
const SLOW_AT = 2.5 * TASKS
/** Slices of the undo, with one reading each. */
const SLICES = [1, 2]

/** A simulation whose fast-forwards change all tasks in each hour. */
async function openBusy(store: string | undefined) {
  const clock = new SteppingClock(10)
  const service = await start({ runtime: { clock, computedMs: clock.computedMs }, store })
  const volume = { tasks: TASKS }
  await manage(service, 'POST', '/simulations', { library: 'task-tracker', slug: 'task-tracker', volume })
  const steps = [{ kind: 'touch', collection: 'tasks', count: TASKS }]
  await ask('/behaviour', 'PUT', { rules: [{ ...RULE, steps }] })(service)
  const before = await readState(service)
  /** Runs a fast-forward whose time ends, and calls `interrupt` in a slice of its undo. */
  const interrupted = async (slice: number, interrupt: (left: AbortController) => unknown, slowAt = SLOW_AT) => {
    const startedAt = clock.readings
    const left = new AbortController()
    let interruption: unknown
    clock.slowReading = startedAt + slowAt
    clock.onReading = () => {
      if (clock.readings === startedAt + slowAt + slice) interruption = interrupt(left)
    }
    const answer = await fetch(`${service.url}/v1${ONE}/fast-forward`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ACCOUNT_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ hours: 3 }),
      signal: left.signal,
    }).then(
      (sent) => sent.text(),
      () => 'none',
    )
    clock.onReading = () => {}
    const undoReadings = clock.readings - startedAt - slowAt
    await interruption
    return { answer, began: interruption !== undefined, undoReadings }
  }
  return { service, before, interrupted }
}

const STORES: [string, () => Promise<string | undefined>][] = [
  ['memory', async () => undefined],
  ['SQLite', async () => newFile()],
]
if (postgres !== undefined) STORES.push(['PostgreSQL', async () => server?.createDatabase()])

it('undoes in slices what has changed', async () => {
  const { service, interrupted } = await openBusy(undefined)
  const nothing = () => true

  const unchanged = await interrupted(1, nothing, TASKS / 2)
  const changed = await interrupted(1, nothing)

  expect(changed.undoReadings).toBeGreaterThan(unchanged.undoReadings + SLICES.length)
  await service.close()
})

it.each(STORES.map((store, nth) => [...store, nth] as const))(
  'undoes a fast-forward to its end in %s, whatever comes during the undo',
  async (_, create, nth) => {
    const { service, before, interrupted } = await openBusy(await create())
    const saved = await ask('/snapshots', 'POST', {})(service)
    const restore = `/snapshots/${(saved.body as { id: string }).id}/restore`
    const calls = ['/pause', '/resume', '/reset', restore].map((path) => () => ask(path, 'POST')(service))

    // Each store has some of them in the first slice and some in the second, and the next store the others.
    for (const [at, interrupt] of [...calls, leave].entries()) {
      const { began } = await interrupted(1 + ((at + nth) % 2), interrupt)
      await ask('/resume', 'POST')(service)

      expect(began).toBe(true)
      expect(await readState(service)).toEqual(before)
    }
    await service.close()
  },
)

it.each(STORES.slice(1))('has no half-undone fast-forward in %s after an end during the undo', async (_, create) => {
  for (const slice of SLICES) {
    const store = await create()
    const { service, before, interrupted } = await openBusy(store)

    const { began } = await interrupted(slice, () => service.close().then(() => true))

    expect(began).toBe(true)
    await using again = await start({ store, runtime: { clock: new SteppingClock(0) } })
    expect(await readState(again)).toEqual(before)
  }
})

it('has no half-undone fast-forward in a SQLite file after a kill during the undo', async () => {
  for (const slice of SLICES) {
    const store = newFile()
    const killed = newFile()
    const { service, before, interrupted } = await openBusy(store)

    const { began } = await interrupted(slice, () => copyStore(store, killed))

    expect(began).toBe(true)
    await service.close()
    await using again = await start({ store: killed, runtime: { clock: new SteppingClock(0) } })
    expect(await readState(again)).toEqual(before)
  }
})

it.each(STORES)('deletes a simulation in %s during the undo of its fast-forward', async (_, create) => {
  const { service, interrupted } = await openBusy(await create())

  const { answer } = await interrupted(2, () => ask('', 'DELETE')(service))

  // On a busy machine a hold in PostgreSQL ends first, and the deletion counts as another node's change.
  expect(answer).toMatch(/so nothing was changed|another node has changed it meanwhile/)
  expect((await ask('')(service)).status).toBe(404)
  await service.close()
})

/** The caller leaves. */
function leave(left: AbortController): true {
  left.abort()
  return true
}

/** What a process leaves that ends now. */
function copyStore(from: string, to: string): true {
  for (const end of ['', '-wal', '-shm']) if (existsSync(from + end)) copyFileSync(from + end, to + end)
  return true
}
