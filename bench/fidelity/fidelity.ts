import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startService } from '../../src/service/start.ts'
import { type DescriptionReport, measureDescription } from './measure-description.ts'
import { printReport, toSummary, type Unread } from './report.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, misses: { type: 'boolean', default: true } },
  allowNegative: true,
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Expected a folder of OpenAPI descriptions: npm run fidelity -- <folder> [--json] [--no-misses]')
  process.exit(2)
}

const reports: DescriptionReport[] = []
const unread: Unread[] = []
const service = await startService()
try {
  for (const file of readdirSync(folder).filter((name) => /\.(json|ya?ml)$/i.test(name))) {
    if (!values.json) process.stderr.write(`measuring ${file} ...\n`)
    try {
      reports.push(await measureDescription(file, readFileSync(join(folder, file), 'utf8'), service))
    } catch (error) {
      unread.push({ file, reason: (error as Error).message })
    }
  }
} finally {
  await service.close()
}

if (values.json) process.stdout.write(`${JSON.stringify(toSummary(reports, unread))}\n`)
else printReport(reports, unread, { misses: values.misses })
