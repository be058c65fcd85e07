import { parseArgs } from 'node:util'
import { findPostgres } from '../../test/store/postgres.ts'
import { toWords } from '../../test/support/process-watch.ts'
import { canPreload } from './preloaded-library.ts'
import { type FailoverSummary, runLosingFailover, runStoreFailover } from './store-failover.ts'
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
    clocks: { type: 'string', default: '7200,-1800' },
    deeds: { type: 'string' },
    break: { type: 'string' },
    seed: { type: 'string', default: 'backlot' },
    fault: { type: 'string' },
  },
  allowPositionals: true,
})
/** Longest time without any answer of two nodes. */
const LONGEST_GAP_MS = 5_000
/** Modules that break the service for a control: the checker must find the fault. */
const BREAKS: Readonly<Record<string, string>> = {
  heads: './never-ask-for-heads.ts',
  append: './answer-before-write.ts',
  outbox: './forget-outbox.ts',
  lease: './settle-nothing.ts',
  tip: './forget-tips.ts',
  order: './latest-first.ts',
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
  if (findPostgres() === undefined) {
    console.log('PostgreSQL is not installed: two nodes were not tried.')
    return found
  }
  if (Number(values.seconds) > 0) found.push(...(await runNodes(options)))
  const failovers = broken === undefined || values.break === 'tip' ? Number(values.failovers) : 0
  for (let failover = 1; failover <= failovers; failover++) {
    const how = { ...options, seconds: 10, seed: `${seed}-${failover}` }
    if (broken === undefined) found.push(...tellFailover('a synchronous standby', await runStoreFailover(how)))
    found.push(...tellFailover('a standby that lags', await runLosingFailover(how)))
  }
  return found
}

/** Two nodes whose clocks are right, and two whose clocks are not. */
async function runNodes(options: { readonly seed: string; readonly preload?: string }): Promise<string[]> {
  const found: string[] = []
  const wrong = values.clocks.split(',').map(Number)
  const isBroken = options.preload !== undefined
  for (const clocks of isBroken || !canPreload() ? [undefined] : [undefined, wrong]) {
    const summary = await runStoreNodes({
      seconds: Number(values.seconds),
      ...options,
      ...(clocks && { clocks }),
      ...(values.deeds && { deeds: values.deeds.split(',') }),
    })
    if (summary === undefined) break
    const name = `PostgreSQL, two nodes${clocks === undefined ? '' : `, clocks off by ${clocks.join(' and ')} s`}`
    console.log(`${describe(name, summary)}, longest gap ${summary.longestGapMs} ms`)
    const deeds = Object.entries(summary.nemesis).map(([deed, count]) => `${deed} ${count}`)
    console.log(`  nemesis: ${deeds.join(', ')}`)
    found.push(...problemsOf(summary))
    if (summary.longestGapMs > LONGEST_GAP_MS) found.push(`no answer for ${summary.longestGapMs} ms`)
  }
  return found
}

function tellFailover(standby: string, summary: FailoverSummary | undefined): string[] {
  if (summary === undefined) return []
  const { promotionMs, longestGapMs, forgotten } = summary
  const gap = `longest gap ${longestGapMs} ms, of which the promotion took ${promotionMs} ms`
  const gone = forgotten > 0 ? `, ${forgotten} acknowledged creations forgotten by the database` : ''
  console.log(`${describe(`PostgreSQL, failover to ${standby}`, summary)}${gone}, ${gap}`)
  return problemsOf(summary)
}

function describe(store: string, summary: LoadSummary): string {
  const { creations, writes, forwards, reads, crossReads, events, repeats, lost, doubled, disordered, violations } =
    summary
  return (
    `${store} (seed ${values.seed}): ${creations} creations, ${writes} writes and ${forwards} fast-forwards acknowledged, ` +
    `${reads} reads, ${crossReads} of them of what was just created, ${events} webhooks and ${repeats} of them again, ${disordered.length} after a later one of their record; ${lost.length} lost, ${doubled.length} doubled, ${violations.length} violations`
  )
}

function problemsOf({ lost, doubled, violations, historyFile }: LoadSummary): string[] {
  if (historyFile !== undefined) console.log(`  history: ${historyFile}`)
  return [...lost.map((name) => `lost: ${name}`), ...doubled.map((name) => `doubled: ${name}`), ...violations]
}
