import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServedNode } from './served-node.ts'
import { SyncedFolder } from './synced-folder.ts'
import { type LoadSummary, ThingsLoad, wait } from './things-load.ts'

/** Observations of clients of a service that was killed repeatedly. */
export interface KillSummary extends LoadSummary {
  readonly kills: number
  /** Longest time from a kill to the next response, milliseconds. */
  readonly longestRecoveryMs: number
}

interface KillOptions {
  readonly kills: number
  readonly seed: string
  readonly preload?: string
  readonly durability?: 'power' | 'process'
  /** Time limit for the remaining deliveries. */
  readonly settleMs?: number
}

/**
 * Serves from one SQLite file, kills the service (`kill -9`) at drawn moments under load and in fast-forwards, starts it again, and holds
 * what it then shows against what it has answered.
 *
 * @param options.preload module that breaks the service, for a control
 * @param options.durability with it each kill is a loss of power: the file is then what was synced of it, at least
 */
export async function runStoreKills(options: KillOptions): Promise<KillSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-kills-'))
  const { durability } = options
  const synced = durability && new SyncedFolder(folder, await mkdtemp(join(tmpdir(), 'backlot-synced-')))
  const more = synced && { flags: ['--durability', durability], environment: synced.environment }
  const node = new ServedNode(join(folder, 'backlot.db'), options.preload, more)
  const load = new ThingsLoad(() => [node.url], options.seed, options)
  let longestRecoveryMs = 0
  try {
    await node.start()
    await load.start()
    for (let kill = 0; kill < options.kills; kill++) {
      await load.untilAcknowledged(3, 1)
      await wait(load.draw() * 500)
      const killedAt = performance.now()
      await node.kill()
      synced?.losePower()
      await node.start()
      await load.untilAnswered()
      longestRecoveryMs = Math.max(longestRecoveryMs, Math.round(performance.now() - killedAt))
    }
    await wait(200)
    await load.stop()
    await node.kill()
    synced?.losePower()
    await node.start()
    return { kills: options.kills, longestRecoveryMs, ...(await load.check(options.kills)) }
  } finally {
    await node.kill()
    await load.stop()
    load.close()
    await rm(folder, { recursive: true, force: true })
    synced?.close()
  }
}
