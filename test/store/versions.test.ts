import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { PG_MIGRATIONS } from '../../src/service/store/pg-migrations.ts'
import { SQLITE_MIGRATIONS } from '../../src/service/store/sqlite-migrations.ts'
import { holdVersion, readVersion } from './versions/hold-version.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-versions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Stores of these versions are about: a change to their tables is another entry at the end, with a store of it in `versions/`. */
const SQLITE = [
  '049a034a154aed71',
  '815360eda6c49207',
  '02fe26dad9725dfc',
  '3796fed66d127ae1',
  'ea70edfd1bf808f9',
  'd839566077c44d2d',
  '2b2f37f1002c37ad',
  '487101b0ba0e991d',
  '9defd66988464d96',
  '27456b18ee270166',
]
const PG = [
  '393e92d9451eea2a',
  '5c03e126834ff5a3',
  '0675dd4facbbc30c',
  '2b6a3f95ce17a89b',
  '2221bbc162bdf214',
  '28831db75e07ecbf',
  'a8d3eb5ac5be2600',
  '059a2dd5b01767b6',
  '2059442212c87b18',
]

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

it('changes no migration that stores were made by', () => {
  expect(SQLITE_MIGRATIONS.map(hashOf)).toEqual(SQLITE)
  expect(PG_MIGRATIONS.map(hashOf)).toEqual(PG)
})

it.each(SQLITE_MIGRATIONS.map((_, at) => at + 1))('goes on with a SQLite file of version %i', async (version) => {
  const file = join(folder, `${version}.db`)
  const database = new DatabaseSync(file)
  database.exec('pragma foreign_keys = off')
  database.exec(readVersion('sqlite', version))
  database.close()

  await holdVersion(file)
})
