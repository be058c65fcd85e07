import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Service, type StoreOptions, startOver, startService } from '../../src/service/start.ts'
import type { Entry } from '../../src/service/store/store.ts'
import { runCli } from '../support/run-cli.ts'
import { MemoryStore } from './memory/memory-store.ts'

const KEY = 'svc_sim_0123456789abcdef'
const SLUGS = ['one', 'two', 'three', 'four', 'five', 'six']
const READS = 20
const folder = mkdtempSync(join(tmpdir(), 'backlot-options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let service: Service | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await service?.close()
})

/** @param before what each append waits for */
async function start(storeOptions: StoreOptions, before: Promise<void> = Promise.resolve()) {
  const store = new MemoryStore(systemClock)
  const simulations = SLUGS.map((slug) => ({ library: 'task-tracker', slug, key: KEY }))
  service = await startOver(store, { addresses: 'path', storeOptions, simulations })
  const { append } = MemoryStore.prototype
  const slowly = async (entries: readonly Entry[]) => {
    await before
    return append.call(store, entries)
  }
  return { append: vi.spyOn(store, 'append').mockImplementation(slowly), heads: vi.spyOn(store, 'heads') }
}

const ask = (slug: string, body?: object) =>
  fetch(`${service?.url}/s/${slug}/v1/projects`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

it.each(['group', 'each'] as const)('appends changes of several simulations by %s', async (append) => {
  const { promise: allWait, resolve: goOn } = Promise.withResolvers<void>()
  const calls = await start({ append }, allWait)

  const creating = Array.from({ length: 30 }, (_, at) => ask(SLUGS[at % 6] as string, { name: 'New', key: 'NEW' }))
  // The service reads what comes in order: after these answers the creations wait for their appends.
  for (let at = 0; at < 5; at++) await fetch(`${service?.url}/v1/meta`)
  goOn()
  const created = await Promise.all(creating)

  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
  const together = Math.max(...calls.append.mock.calls.map(([entries]) => entries.length))
  expect(together > 1).toBe(append === 'group')
})

it('looks for changes of other nodes before each read, or goes by a look for as long as it may', async () => {
  const checked = await start({})
  await ask('one')
  checked.heads.mockClear()
  for (let at = 0; at < READS; at++) await ask('one')
  expect(checked.heads.mock.calls.length).toBeGreaterThanOrEqual(READS)
  await service?.close()

  const trusting = await start({ reads: 60_000 })
  await ask('one')
  trusting.heads.mockClear()
  for (let at = 0; at < READS; at++) await ask('one')
  // Whoever saves the request log looks now and then.
  expect(trusting.heads.mock.calls.length).toBeLessThan(READS / 2)
})

it.each([
  ['power', 'full'],
  ['process', 'normal'],
] as const)('waits with a file for what outlives loss of the %s', async (durability, sync) => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec')

  service = await startService({ addresses: 'path', store: join(folder, `${sync}.db`), storeOptions: { durability } })

  const set = exec.mock.calls.map(([text]) => text).filter((text) => text.startsWith('pragma synchronous'))
  expect(set.at(-1)).toBe(`pragma synchronous = ${sync}`)
})

it('leaves the tables of a file to `store migrate` where an option asks for that', async () => {
  const file = join(folder, 'tables.db')
  const check = () => runCli(['serve', '--check', '--port', '0', '--store', file], { BACKLOT_MIGRATE: 'off' })
  const start = () => startService({ addresses: 'path', store: file, storeOptions: { migrate: 'off' } })

  const refused = await check()
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout).toContain('there is no such file. `backlot store migrate` makes it.')
  await expect(start()).rejects.toThrow('`backlot store migrate` makes it.')
  expect(existsSync(file)).toBe(false)
  await writeFile(file, '')
  await expect(start()).rejects.toThrow('it has no tables yet. Run `backlot store migrate <store>` first.')

  expect((await runCli(['store', 'migrate', file], { BACKLOT_MIGRATE: 'off' })).exitCode).toBe(0)
  expect((await check()).exitCode).toBe(0)
  service = await start()
})

it('refuses what means nothing', async () => {
  const start = (storeOptions: object) =>
    startService({ addresses: 'path', store: join(folder, 'none.db'), storeOptions })
  await expect(start({ cacheMb: 0 })).rejects.toThrow('`storeOptions.cacheMb`')
  await expect(start({ reads: 'never' })).rejects.toThrow('`storeOptions.reads`')
  await expect(start({ cache: 1 })).rejects.toThrow('cache')

  const file = join(folder, 'a.db')
  const refused = await Promise.all([
    runCli(['serve', '--check', '--port', '0', '--store', file, '--reads', '100']),
    runCli(['serve', '--check', '--port', '0', '--cache-mb', '100']),
    runCli(['serve', '--check', '--port', '0'], { BACKLOT_CACHE_MB: '100', BACKLOT_READS: 'checked' }),
  ])
  expect(refused.map(({ exitCode }) => exitCode)).toEqual([2, 2, 0])
  expect(refused[0]?.stderr).toContain('error: --reads needs --store postgres://...')
  expect(refused[1]?.stderr).toContain('error: --cache-mb needs --store.')
})
