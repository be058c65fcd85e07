import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const ROW = 'x'.repeat(1_024)
const MS = 1_500

/** Rows of 1 KB that SQLite keeps in a second, `perCommit` of them in each, with `synchronous=FULL`. */
export async function sqliteInsertsPerSecond(file: string, perCommit: number): Promise<number> {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table t(text text)')
  const insert = database.prepare('insert into t values (?)')
  const started = performance.now()
  let rows = 0
  while (performance.now() - started < MS) {
    database.exec('begin immediate')
    for (let row = 0; row < perCommit; row++) insert.run(ROW)
    database.exec('commit')
    rows += perCommit
  }
  const seconds = (performance.now() - started) / 1_000
  database.close()
  return rows / seconds
}

/**
 * Rows of 1 KB that `pgbench` inserts in a second, one a commit: a creation writes 920 bytes beside a head and an index. Each call takes seconds, so
 * that it may stand between the rounds of what is held against it.
 */
export function pgInsertsPerSecond(bin: string, url: string): (clients: number) => number {
  const script = join(tmpdir(), `backlot-pgbench-${process.pid}.sql`)
  writeFileSync(script, `insert into t values ('${ROW}');\n`)
  execFileSync(join(bin, 'psql'), [url, '-qc', 'create table t(text text)'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return (clients) => {
    // Connections are made in this time too, though they do not count.
    const seconds = String(2 + Math.ceil(clients / 64))
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', seconds, '-f', script, url]
    const output = execFileSync(join(bin, 'pgbench'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1])
    if (Number.isNaN(rate)) throw new Error(`Failed to read what pgbench printed: ${output.slice(0, 200)}`)
    return rate
  }
}
