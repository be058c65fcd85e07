import { fork } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DescriptionReport } from './measure-description.ts'
import type { Measured } from './measure-file.ts'
import { printReport, toSummary, type Unread } from './report.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, misses: { type: 'boolean', default: true } },
  allowNegative: true,
  allowPositionals: true,
})
if (positionals.length === 0) {
  console.error(
    'Expected a folder of OpenAPI descriptions: npm run fidelity -- <folder or file...> [--json] [--no-misses]',
  )
  process.exit(2)
}

const files = positionals.flatMap((place) =>
  statSync(place).isDirectory()
    ? readdirSync(place)
        .filter((name) => /\.(json|ya?ml)$/i.test(name))
        .map((name) => join(place, name))
    : [place],
)
const reports: DescriptionReport[] = []
const unread: Unread[] = []
for (const file of files) {
  if (!values.json) process.stderr.write(`measuring ${basename(file)} ...\n`)
  const measured = await measureFile(file)
  if ('report' in measured) reports.push(measured.report)
  else unread.push({ file: basename(file), reason: measured.reason })
}

if (values.json) process.stdout.write(`${JSON.stringify(toSummary(reports, unread))}\n`)
else printReport(reports, unread, { misses: values.misses })

/** Measures one description in a separate process, so that its memory is freed afterwards. */
function measureFile(file: string): Promise<Measured> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'measure-file.ts'), [file])
    let measured: Measured = { reason: 'the measuring process told nothing' }
    child.on('message', (message) => {
      measured = message as Measured
    })
    child.on('exit', (code) =>
      resolve('report' in measured || code === 0 ? measured : { reason: `${measured.reason}, and ended with ${code}` }),
    )
  })
}
