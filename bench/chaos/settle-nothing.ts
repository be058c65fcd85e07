import { PgWork } from '../../src/service/store/pg-work.ts'
import { SqliteWork } from '../../src/service/store/sqlite-work.ts'
import type { DueWork } from '../../src/service/store/work.ts'

// A control of the checker, loaded before a service: every request for a lease succeeds.

for (const work of [SqliteWork.prototype, PgWork.prototype] as Pick<DueWork, 'claim' | 'renew' | 'settle'>[]) {
  const { claim } = work
  work.claim = async function claimAnyhow(simulation: string, lease: string, ms: number) {
    const claimed = await claim.call(this, simulation, lease, ms)
    return claimed ?? { simulation, lease, epoch: 0, notes: '', until: 0 }
  }
  work.renew = async () => ({ pulse: 0, until: 0 })
  work.settle = async () => true
}
