import { parseArgs } from 'node:util'
import { runWebhookChaos } from './webhooks.ts'

const { values, positionals } = parseArgs({
  options: { deliveries: { type: 'string', default: '10000' }, seed: { type: 'string', default: 'backlot' } },
  allowPositionals: true,
})
const [kind = 'webhooks'] = positionals
if (kind !== 'webhooks') {
  console.error(`Expected the kind of chaos to be webhooks, got "${kind}".`)
  process.exit(2)
}

const summary = await runWebhookChaos({ deliveries: Number(values.deliveries), seed: values.seed })
const { deliveries, attempts, delivered, failed, duplicates, restarts, verifiedByStripe, seconds, problems } = summary
console.log(
  `webhooks: ${deliveries} deliveries in ${attempts} attempts: ${delivered} delivered, ${failed} failed after six attempts, ` +
    `${duplicates} duplicates, ${restarts} restarts, ${verifiedByStripe} verified by stripe, ${problems.length} problems, ${seconds} s`,
)
for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
