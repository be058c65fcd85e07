import { parseArgs } from 'node:util'
import { toWords } from '../../test/support/process-watch.ts'
import { runStoreKills } from './store-kills.ts'
import { runWebhookChaos } from './webhooks.ts'

/*
 * `npm run chaos [-- webhooks --deliveries 10000 --seed backlot]`: deliveries to an endpoint that restarts, answers 500, drops connections and
 * hangs. Ends with a line of figures, and with 1 where something is lost or left. `--fault loss` loses some on purpose.
 */
const { values, positionals } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'backlot' },
    fault: { type: 'string' },
  },
  allowPositionals: true,
})
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
  const summary = await runStoreKills({ kills: Number(values.kills), seed: values.seed })
  const { kills, creations, writes, reads, forwards, lost, doubled, violations, longestRecoveryMs } = summary
  console.log(
    `store (SQLite, seed ${values.seed}): ${kills} kills; ${creations} creations, ${writes} writes and ${forwards} fast-forwards acknowledged, ` +
      `${reads} reads; ${lost.length} lost, ${doubled.length} doubled, ${violations.length} violations; ` +
      `longest time to the first answer after a kill ${longestRecoveryMs} ms`,
  )
  return [...lost.map((name) => `lost: ${name}`), ...doubled.map((name) => `doubled: ${name}`), ...violations]
}
