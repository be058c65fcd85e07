import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DESCRIPTIONS, hasDescriptions } from '../../test/descriptions.ts'
import { cloneDescriptions, folderDescriptions } from './descriptions.ts'
import { computeLedger } from './ledger.ts'

/**
 * `npm run rules`: prints what each rule of inference decides over the descriptions of this clone and those beside it;
 * `-- <folder...>` adds others. `-- --write` keeps the vendors of the descriptions beside the clone in `ledger.json`.
 */
const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
if (!hasDescriptions) console.warn('The folder ../shared/data/openapi is not there: its descriptions are not counted.')
const here = await cloneDescriptions()
const beside = (await Promise.all([DESCRIPTIONS, ...positionals].map(folderDescriptions))).flat()
const ofClone = computeLedger(here)
const ofOthers = computeLedger(beside)

const all = [...here, ...beside]
console.log(`${all.length} descriptions of ${new Set(all.map(({ vendor }) => vendor)).size} vendors`)
console.log(`${'rule'.padEnd(28)}vendors  descriptions  operations`)
for (const [at, row] of ofClone.entries()) {
  const other = ofOthers[at] ?? row
  const vendors = [...new Set([...row.vendors, ...other.vendors])].sort()
  const counts = [
    String(vendors.length).padStart(7),
    String(row.descriptions + other.descriptions).padStart(14),
    String(row.operations + other.operations).padStart(12),
  ]
  console.log(`${row.rule.padEnd(28)}${counts.join('')}${vendors.length < 4 ? `  ${vendors.join(', ')}` : ''}`)
}

if (values.write) {
  const kept = Object.fromEntries(ofOthers.map(({ rule, vendors }) => [rule, vendors]))
  writeFileSync(new URL('ledger.json', import.meta.url), `${JSON.stringify(kept, null, 2)}\n`)
}
