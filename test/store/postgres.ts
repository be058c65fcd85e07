import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A PostgreSQL server of this test's own, in a temporary folder. */
export interface TestPostgres {
  readonly port: number
  /** Address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Stops it at once, without a checkpoint. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it at once, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Folder of PostgreSQL's programs, the newest there is; undefined where it is not installed. */
export function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const newest = versions.toSorted((left, right) => Number(right) - Number(left))[0]
  return newest === undefined ? undefined : join(root, newest, 'bin')
}

/** Starts a server as another user where this process is root, which PostgreSQL refuses. */
export async function startPostgres(bin: string): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-postgres-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    chownSync(folder, uid as number, gid as number)
    chmodSync(folder, 0o755)
  }
  const run = async (program: string, args: readonly string[]) => {
    const command = [join(bin, program), ...args]
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    await promisify(execFile)(file, rest, { cwd: folder })
  }
  await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'])
  const port = await freePort()
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c shared_buffers=32MB -c max_connections=200`
  const start = () => run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
  const stop = (mode: string) => run('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop'])
  await start()
  let databases = 0
  return {
    port,
    createDatabase: async () => {
      const name = `test${++databases}`
      await run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name])
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    stop: () => stop('immediate'),
    start,
    restart: async () => {
      await stop('immediate')
      await start()
    },
    close: async () => {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
