import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RoundRobin } from '../nodes/round-robin.ts'
import { findPostgres, startPostgres } from '../store/postgres.ts'
import type { LivingStore } from './living-service.ts'

/** Stores for living services, one a call. */
export interface LivingStores extends AsyncDisposable {
  open(): Promise<LivingStore>
}

/** `nodes`: databases of a PostgreSQL that is started here, for two nodes behind a proxy that takes them in turn. */
export async function openStores(kind: 'sqlite' | 'nodes'): Promise<LivingStores> {
  return kind === 'sqlite' ? openFiles() : openDatabases()
}

function openFiles(): LivingStores {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-dashboard-'))
  let files = 0
  return {
    open: async () => ({ store: join(folder, `${++files}.db`) }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  }
}

async function openDatabases(): Promise<LivingStores> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('Failed to find PostgreSQL: install it first.')
  const postgres = await startPostgres(bin)
  const openProxy = async (ports: readonly number[]) => {
    const proxy = new RoundRobin(ports)
    return { port: await proxy.listen(), close: () => proxy[Symbol.asyncDispose]() }
  }
  return {
    open: async () => ({ store: await postgres.createDatabase(), nodes: 2, openProxy }),
    [Symbol.asyncDispose]: () => postgres.close(),
  }
}
