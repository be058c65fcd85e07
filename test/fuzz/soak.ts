import { parseArgs } from 'node:util'
import { MOST_GROWTH_MB, runSoak } from './soak/run-soak.ts'
import { SOAK_FAULTS } from './soak/soak-faults.ts'

/*
 * `npm run soak [-- --seconds 600]`: a service in a process of its own under mixed load: requests, fast-forwards, webhooks, creations, slow
 * readers, killed clients. Ends with a line of figures, and with 1 where memory grew past its bound, a handle is left, or an answer
 * came that is not documented. `--fault` makes one of these on purpose.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, fault: { type: 'string' } },
})
const seconds = Number(values.seconds)
const faults = SOAK_FAULTS.filter((known) => known === values.fault)
if (!(seconds > 0) || (values.fault !== undefined && faults.length === 0)) {
  process.stderr.write(`Expected --seconds to be above 0 and --fault to be one of ${SOAK_FAULTS.join(', ')}.\n`)
  process.exit(2)
}
const { line, problems } = await runSoak({ seconds, faults })
for (const problem of problems.slice(0, 20)) process.stderr.write(`  ${problem}\n`)
process.stdout.write(`${line} (memory may grow by ${MOST_GROWTH_MB} MB)\n`)
process.exitCode = problems.length === 0 ? 0 : 1
