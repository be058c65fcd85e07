import { parseArgs } from 'node:util'
import { runStoreKills } from './store-kills.ts'
import { runWebhookChaos } from './webhooks.ts'

const { values, positionals } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'backlot' },
  },
  allowPositionals: true,
})
const KINDS = { webhooks: runWebhooks, store: runStore }
const [kind = 'webhooks'] = positionals
if (!Object.hasOwn(KINDS, kind)) {
  console.error(`Expected the kind of chaos to be ${Object.keys(KINDS).join(' or ')}, got "${kind}".`)
  process.exit(2)
}
const problems = await KINDS[kind as keyof typeof KINDS]()
for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function runWebhooks(): Promise<readonly string[]> {
  const summary = await runWebhookChaos({ deliveries: Number(values.deliveries), seed: values.seed })
  const { deliveries, attempts, delivered, failed, duplicates, restarts, verifiedByStripe, seconds, problems } = summary
  console.log(
    `webhooks: ${deliveries} deliveries in ${attempts} attempts: ${delivered} delivered, ${failed} failed after six attempts, ` +
      `${duplicates} duplicates, ${restarts} restarts, ${verifiedByStripe} verified by stripe, ${problems.length} problems, ${seconds} s`,
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
