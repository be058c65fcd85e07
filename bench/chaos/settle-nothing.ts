import { PgWork } from '../../src/service/store/pg-work.ts'
import { SqliteWork } from '../../src/service/store/sqlite-work.ts'
import type { DueWork } from '../../src/service/store/work.ts'

// Loaded before a service, it breaks its store: leases are given to everybody who asks. A control of the checker.

for (const work of [SqliteWork.prototype, PgWork.prototype] as Pick<DueWork, 'claim' | 'renew' | 'settle'>[]) {
  const { claim } = work
  work.claim = async function claimAnyhow(simulation: string, lease: string, ms: number) {
    const claimed = await claim.call(this, simulation, lease, ms)
    return claimed ?? { simulation, lease, epoch: 0, notes: '' }
  }
  work.renew = async () => ({ pulse: 0 })
  work.settle = async () => true
}
