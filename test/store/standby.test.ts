import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TcpProxy } from '../../bench/chaos/tcp-proxy.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPg } from '../../src/service/store/open-pg.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import { entry, simulation } from './hold-store.ts'
import { connectPg, findPostgres, type Standby, startPostgres, type TestPostgres } from './postgres.ts'

const bin = findPostgres()

describe.skipIf(bin === undefined)('a database with a standby', () => {
  let postgres: TestPostgres
  let standby: Standby
  beforeAll(async () => {
    postgres = await startPostgres(bin as string)
    standby = await postgres.startStandby()
  })
  afterAll(async () => {
    await standby?.close()
    await postgres?.close()
  })

  it('is not read at the standby, which may be behind, until that is promoted', async () => {
    const url = await postgres.emptyDatabase()
    const proxy = new TcpProxy(postgres.port)
    const store = await openPg(url.replace(`:${postgres.port}/`, `:${await proxy.listen()}/`), 7, systemClock)
    await store.create(simulation('a'), 9)
    const behind = await connectPg(url.replace(`:${postgres.port}/`, `:${standby.port}/`))

    await behind.query('select pg_wal_replay_pause()')
    proxy.lead(standby.port)
    // The first may meet a connection that has ended.
    for (let look = 0; look < 3; look++) await expect(store.heads(['a'])).rejects.toThrow(StoreUnavailable)

    await behind.query('select pg_wal_replay_resume()')
    await standby.promote()
    expect(await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])).toEqual(['kept'])
    expect((await store.heads(['a'])).get('a')).toEqual({ head: 1, tip: 'a1' })
    await behind.end()
    await store.close()
    proxy.close()
  })
})
