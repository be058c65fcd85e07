import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { startService } from '../../src/service/start.ts'
import { type DescriptionReport, measureDescription } from './measure-description.ts'

/** What the process that measures one description tells the one that started it. */
export type Measured = { readonly report: DescriptionReport } | { readonly reason: string }

if (process.send) {
  const [file = ''] = process.argv.slice(2)
  const service = await startService()
  let measured: Measured
  try {
    measured = { report: await measureDescription(basename(file), readFileSync(file, 'utf8'), service) }
  } catch (error) {
    measured = { reason: (error as Error).message }
  } finally {
    await service.close()
  }
  process.send(measured, () => process.disconnect())
}
