import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { backUpSqlite, openSqlite } from '../../src/service/store/open-sqlite.ts'
import { SQLITE_MIGRATIONS } from '../../src/service/store/sqlite-migrations.ts'
import { SqliteStore } from '../../src/service/store/sqlite-store.ts'
import { StoreFull } from '../../src/service/store/store.ts'
import { holdLedger } from './hold-ledger.ts'
import { holdRequests } from './hold-requests.ts'
import { entry, holdStore, simulation } from './hold-store.ts'
import { holdWork } from './hold-work.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => join(folder, `${++files}.db`)

describe('a store in a SQLite file', () => {
  holdStore(() => openSqlite(newFile(), 7))
  holdLedger(() => openSqlite(newFile(), 7))
  holdWork(() => openSqlite(newFile(), 7))
  holdRequests(() => openSqlite(newFile(), 7))
})

it('holds after it was closed and opened what it held before', async () => {
  const file = newFile()
  const before = await openSqlite(file, 7)
  await before.create(simulation('a'), 9)
  await before.append([entry({ head: 0, tip: 'a0' }, 'a1')])
  await before.close()

  const after = await openSqlite(file, 7)

  expect((await after.load('a', undefined))?.commits.map(({ tip }) => tip)).toEqual(['a1'])
  await after.close()
})

it('leaves no piece of a long text that no row has', async () => {
  const file = newFile()
  const long = 'x'.repeat(1_500_000)
  const before = await openSqlite(file, 7)
  await before.create(simulation('a'), 9)
  await before.append([{ ...entry({ head: 0, tip: 'a0' }, 'a1'), delta: long }])
  expect(await before.append([{ ...entry({ head: 0, tip: 'a0' }, 'late'), delta: long }])).toEqual(['behind'])
  await before.save('a', { dump: long, about: '{}' })
  const other = new DatabaseSync(file)
  const count = () => Number(other.prepare('select count(*) as count from piece').get()?.count)
  expect(count()).toBe(6)
  await before.compact('a', { head: 1, tip: 'a1', at: 1_001, dump: long })
  expect(count()).toBe(6)
  await before.close()
  other.exec(`insert into piece values (99, 0, 'of a process that ended')`)

  await (await openSqlite(file, 7)).close()
  expect(count()).toBe(6)

  const after = await openSqlite(file, 7)
  expect((await after.saved('a', 1)).dump).toHaveLength(long.length)
  await after.save('a', { dump: long, about: '{}' })
  await after.remove('a')
  expect(count()).toBe(0)
  other.close()
  await after.close()
})

it('refuses a second opener, until the first has closed', async () => {
  const file = newFile()
  const first = await openSqlite(file, 7)

  await expect(openSqlite(file, 7)).rejects.toThrow(
    `Failed to open the store "${file}": another service has it open. Stop that one, or choose another file.`,
  )
  await first.close()
  await (await openSqlite(file, 7)).close()
})

it('refuses a file of another program, of other tables, and of another engine', async () => {
  const strange = newFile()
  const other = new DatabaseSync(strange)
  other.exec('create table t(a)')
  other.close()
  const older = newFile()
  const store = await openSqlite(older, 7)
  await store.create(simulation('a'), 9)
  await store.close()
  const newer = newFile()
  await (await openSqlite(newer, 7)).close()
  const database = new DatabaseSync(newer)
  database.exec('pragma user_version = 99')
  database.close()

  await expect(openSqlite(strange, 7)).rejects.toThrow('it is a database of another program. Choose another file.')
  await expect(openSqlite(newer, 7)).rejects.toThrow(
    `its tables have version 99, and this release reads version ${SQLITE_MIGRATIONS.length}.`,
  )
  await expect(openSqlite(older, 8)).rejects.toThrow(
    '1 of its simulations are made by engine 7, and this release has engine 8, which makes other data.',
  )
  await (await openSqlite(older, 7)).close()
})

it('names a folder that is missing', async () => {
  await expect(openSqlite(join(folder, 'none/a.db'), 7)).rejects.toThrow('Does its folder exist, and may')
})

it('refuses changes when the disk is full, answers reads, and works again when there is room', async () => {
  const file = newFile()
  await (await openSqlite(file, 7)).close()
  const database = new DatabaseSync(file)
  const store = new SqliteStore(database, () => {})
  await store.create(simulation('a'), 9)
  database.exec('pragma max_page_count = 40')
  const large = { ...entry({ head: 0, tip: 'a0' }, 'large'), delta: JSON.stringify('x'.repeat(1_000_000)) }

  await expect(store.append([large])).rejects.toThrow(StoreFull)
  expect((await store.load('a', undefined))?.commits).toEqual([])
  expect(await store.append([entry({ head: 0, tip: 'a0' }, 'small')])).toEqual(['kept'])
  database.exec('pragma max_page_count = 100000')
  expect(await store.append([{ ...large, from: { head: 1, tip: 'small' } }])).toEqual(['kept'])
  await store.close()
})

it.skipIf(process.platform === 'win32')('keeps its files, the lock and a copy from other users', async () => {
  const [file, copy] = [newFile(), newFile()]
  writeFileSync(file, '', { mode: 0o644 })

  const store = await openSqlite(file, 7)
  await store.create(simulation('a'), 9)
  await backUpSqlite(file, copy)

  const files = [file, `${file}-wal`, `${file}-shm`, `${file}.lock`, copy]
  expect(files.map((name) => (statSync(name).mode & 0o777).toString(8))).toEqual(files.map(() => '600'))
  await store.close()
})

it('is backed up while it is written to: the copy holds one moment', async () => {
  const file = newFile()
  const store = await openSqlite(file, 7)
  await store.create(simulation('a'), 9)
  for (let head = 0; head < 50; head++) {
    await store.append([entry({ head, tip: head === 0 ? 'a0' : `t${head}` }, `t${head + 1}`)])
  }
  const copy = newFile()

  await backUpSqlite(file, copy)
  await store.append([entry({ head: 50, tip: 't50' }, 't51')])

  await expect(backUpSqlite(file, copy)).rejects.toThrow('the file exists. Choose another name.')
  await expect(backUpSqlite(newFile(), newFile())).rejects.toThrow('there is no such file.')
  const copied = await openSqlite(copy, 7)
  expect((await copied.heads(['a'])).get('a')).toEqual({ head: 50, tip: 't50' })
  expect((await store.heads(['a'])).get('a')).toEqual({ head: 51, tip: 't51' })
  await copied.close()
  await store.close()
})
