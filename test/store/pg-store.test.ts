import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPg } from '../../src/service/store/open-pg.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import { entry, holdStore, simulation } from './hold-store.ts'
import { findPostgres, startPostgres, type TestPostgres } from './postgres.ts'

const open = (url: string) => openPg(url, 7, systemClock)
const bin = findPostgres()
if (bin === undefined) console.log('PostgreSQL is not installed: its store is not tested.')

describe.skipIf(bin === undefined)('a store in PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(bin as string)
  }, 60_000)
  afterAll(() => postgres.close())

  holdStore(async () => open(await postgres.createDatabase()))

  it('makes its tables once where two nodes start together', async () => {
    const url = await postgres.createDatabase()

    const nodes = await Promise.all([open(url), open(url), open(url)])

    expect(await nodes[0]?.create(simulation('a'), 9)).toBe('created')
    expect(await nodes[2]?.find({ slug: 'slug-a' })).toMatchObject({ id: 'a' })
    for (const node of nodes) await node.close()
  })

  it('has one winner among appends of several nodes at once', async () => {
    const url = await postgres.createDatabase()
    const nodes = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    await nodes[0]?.create(simulation('a'), 9)

    for (let round = 0; round < 10; round++) {
      const from = { head: round, tip: round === 0 ? 'a0' : `r${round}` }
      const tips = nodes.map((_, at) => (at === 0 ? `r${round + 1}` : `other${at}`))
      const results = await Promise.all(nodes.map((node, at) => node.append([entry(from, tips[at] as string)])))
      expect(results.flat().filter((result) => result === 'kept')).toHaveLength(1)
      const head = (await nodes[0]?.heads(['a']))?.get('a')
      expect(head?.head).toBe(round + 1)
      if (head?.tip !== `r${round + 1}`) return
    }
    for (const node of nodes) await node.close()
  })

  it('takes a creation that is sent again for the same one', async () => {
    const store = await open(await postgres.createDatabase())

    expect([await store.create(simulation('a'), 9), await store.create(simulation('a'), 9)]).toEqual([
      'created',
      'created',
    ])
    await store.close()
  })

  it('refuses tables of a later release, and simulations of another engine', async () => {
    const url = await postgres.createDatabase()
    const store = await open(url)
    await store.create(simulation('a'), 9)
    await store.close()
    await expect(openPg(url, 8, systemClock)).rejects.toThrow('1 of its simulations are made by engine 7')
    const client = new pg.Client(url)
    await client.connect()
    await client.query('update backlot.schema_version set version = 9')
    await client.end()

    await expect(open(url)).rejects.toThrow('its tables have version 9, and this release reads version 1.')
  })

  it('says that a database cannot be reached, and nothing of its password', async () => {
    const error: Error = await open('postgres://me:secret@127.0.0.1:1/none').then(
      () => new Error('opened'),
      (refusal: Error) => refusal,
    )

    expect(error.message).toMatch(/^Failed to open the store: .*ECONNREFUSED/)
    expect(error.message).not.toContain('secret')
  })

  it('is unavailable while the database restarts, and goes on after', async () => {
    const store = await open(await postgres.createDatabase())
    await store.create(simulation('a'), 9)
    await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])

    await postgres.restart()

    const outcomes = await Promise.all(Array.from({ length: 3 }, () => store.heads(['a']).catch((error) => error)))
    for (const outcome of outcomes) if (!(outcome instanceof Map)) expect(outcome).toBeInstanceOf(StoreUnavailable)
    expect((await store.heads(['a'])).get('a')).toEqual({ head: 1, tip: 'a1' })
    await store.close()
  }, 30_000)
})
