import { parseArgs } from 'node:util'
import { HOSTILE_SHAPES } from './hostile-descriptions.ts'
import { explainReport } from './hostile-report.ts'
import { ProbeProcess } from './probe-process.ts'

/*
 * `npm run hostile [-- <words>]`: every hostile description in a process of its own, where `npm test` takes one of each class. Of each what its
 * creation and its dearest request cost, in milliseconds of processor time, the longest turn of the event loop, and what memory the process
 * took more than before. Ends with a line of figures, and with 1 where a description fails or costs too much.
 */
const { positionals } = parseArgs({ allowPositionals: true })
const faults: string[] = []
const most = { createMs: 0, requestMs: 0, turnMs: 0, grownMb: 0 }
let probed = 0
for (const [name, { sizes, write }] of Object.entries(HOSTILE_SHAPES)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue
  for (const size of sizes) {
    // Nothing that one description leaves behind burdens the next.
    using probes = new ProbeProcess()
    const report = await probes.probe(write(size, 1)).catch((error: unknown) => String(error))
    const { line, fault, figures } = explainReport(report)
    probed++
    for (const key of Object.keys(most) as (keyof typeof most)[]) most[key] = Math.max(most[key], figures[key])
    if (fault !== undefined) faults.push(`${name} (${size}): ${fault}`)
    process.stdout.write(`${fault === undefined ? 'kept  ' : 'MISSED'} ${name} (${size}): ${line}\n`)
  }
}
for (const fault of faults) process.stdout.write(`${fault}\n`)
const { createMs, requestMs, turnMs, grownMb } = most
process.stdout.write(
  `${probed} descriptions, ${faults.length} missed; at most: creation ${createMs} ms, request ${requestMs} ms, turn ${turnMs} ms, memory +${grownMb} MB\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
