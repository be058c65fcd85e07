import { parseArgs } from 'node:util'
import { toWords } from '../../test/support/process-watch.ts'
import { runStoreFailover } from './store-failover.ts'
import { runStoreKills } from './store-kills.ts'
import { runStoreNodes } from './store-nodes.ts'
import { SyncedFolder } from './synced-folder.ts'
import type { LoadSummary } from './things-load.ts'
import { runWebhookChaos } from './webhooks.ts'

/*
 * `npm run chaos [-- webhooks --deliveries 10000 --seed backlot]`: deliveries to an endpoint that restarts, answers 500, drops connections and
 * hangs. Ends with a line of figures, and with 1 where something is lost or left. `--fault loss` loses some on purpose.
 */
const { values, positionals } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    'power-losses': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '40' },
    failovers: { type: 'string', default: '1' },
    break: { type: 'string' },
    seed: { type: 'string', default: 'backlot' },
    fault: { type: 'string' },
  },
  allowPositionals: true,
})
/** Modules that break the service for a control: the checker must find the fault. */
const BREAKS: Readonly<Record<string, string>> = {
  heads: './never-ask-for-heads.ts',
  append: './answer-before-write.ts',
  outbox: './forget-outbox.ts',
  lease: './settle-nothing.ts',
}

const KINDS = { webhooks: runWebhooks, store: runStore }
const [kind = 'webhooks'] = positionals
if (!Object.hasOwn(KINDS, kind)) {
  console.error(`Expected the kind of chaos to be ${Object.keys(KINDS).join(' or ')}, got "${kind}".`)
  process.exit(2)
}
if (values.fault !== undefined && values.fault !== 'loss') {
  console.error(`Expected --fault to be loss, got "${values.fault}".`)
  process.exit(2)
}
const problems = await KINDS[kind as keyof typeof KINDS](values.fault)
for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function runWebhooks(fault: 'loss' | undefined): Promise<readonly string[]> {
  const summary = await runWebhookChaos({ deliveries: Number(values.deliveries), seed: values.seed, fault })
  const { deliveries, attempts, delivered, failed, duplicates, restarts, verifiedByStripe, seconds, problems } = summary
  const { figures, leaked } = summary
  console.log(
    `webhooks: ${deliveries} deliveries in ${attempts} attempts: ${delivered} delivered, ${failed} failed after six attempts, ` +
      `${duplicates} duplicates, ${restarts} restarts, ${verifiedByStripe} verified by stripe; ${toWords(figures)}; ` +
      `${leaked.length === 0 ? 'no' : leaked.join(', ')} leaked handles; ${problems.length} problems, ${seconds} s`,
  )
  return problems
}

async function runStore(): Promise<readonly string[]> {
  const { seed } = values
  const broken = values.break === undefined ? undefined : BREAKS[values.break]
  if (values.break !== undefined && broken === undefined) {
    return [`Expected --break to be ${Object.keys(BREAKS).join(', ')}, got "${values.break}".`]
  }
  const options = { seed, ...(broken !== undefined && { preload: new URL(broken, import.meta.url).href }) }
  const found: string[] = []
  if (Number(values.kills) > 0) {
    const summary = await runStoreKills({ kills: Number(values.kills), ...options })
    const { kills, longestRecoveryMs } = summary
    console.log(
      `${describe('SQLite', summary)}, ${kills} kills, longest time to an answer after one ${longestRecoveryMs} ms`,
    )
    found.push(...problemsOf(summary))
  }
  if (Number(values['power-losses']) > 0 && broken === undefined && SyncedFolder.isPossible) {
    const summary = await runStoreKills({ kills: Number(values['power-losses']), seed, durability: 'power' })
    console.log(`${describe('SQLite', summary)}, ${summary.kills} losses of power`)
    found.push(...problemsOf(summary))
  }
  if (Number(values.seconds) === 0) return found
  const summary = await runStoreNodes({ seconds: Number(values.seconds), ...options })
  if (summary === undefined) console.log('PostgreSQL is not installed: two nodes were not tried.')
  else {
    console.log(`${describe('PostgreSQL, two nodes', summary)}, longest gap ${summary.longestGapMs} ms`)
    console.log(
      `  nemesis: ${Object.entries(summary.nemesis)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    )
    found.push(...problemsOf(summary))
  }
  const failovers = broken === undefined ? Number(values.failovers) : 0
  for (let failover = 1; failover <= failovers; failover++) {
    const after = await runStoreFailover({ seconds: 10, seed: `${seed}-${failover}` })
    if (after === undefined) break
    const { promotionMs, longestGapMs } = after
    const gap = `longest gap ${longestGapMs} ms, of which the promotion took ${promotionMs} ms`
    console.log(`${describe('PostgreSQL, failover to a synchronous standby', after)}, ${gap}`)
    found.push(...problemsOf(after))
  }
  return found
}

function describe(store: string, summary: LoadSummary): string {
  const { creations, writes, forwards, reads, crossReads, events, repeats, lost, doubled, violations } = summary
  return (
    `${store} (seed ${values.seed}): ${creations} creations, ${writes} writes and ${forwards} fast-forwards acknowledged, ` +
    `${reads} reads, ${crossReads} of them of what was just created, ${events} webhooks and ${repeats} of them again; ${lost.length} lost, ${doubled.length} doubled, ${violations.length} violations`
  )
}

function problemsOf({ lost, doubled, violations }: LoadSummary): string[] {
  return [...lost.map((name) => `lost: ${name}`), ...doubled.map((name) => `doubled: ${name}`), ...violations]
}
