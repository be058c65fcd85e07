import type { ServiceOptions } from '../service/start.ts'
import type { ServeFlags } from './serve-flags.ts'
import { colors, failureLine, printJson, printLines } from './terminal.ts'

/** The findings of `serve --check`. */
interface CheckFindings {
  facts: string[]
  warnings: string[]
  problems: string[]
}

/**
 * Checks everything that a start needs, and prints it: ports, accounts, descriptions (by a start in memory), and the
 * store. Returns whether a start would succeed.
 */
export async function checkServe(options: ServiceOptions, flags: ServeFlags): Promise<boolean> {
  const found: CheckFindings = { facts: [], warnings: [], problems: [] }
  await checkStart(options, flags, found)
  if (options.store !== undefined) await checkStore(options.store, options, found)
  else found.facts.push('There is no store: simulations are in memory.')
  // With a store, accounts are checked twice.
  found.problems = [...new Set(found.problems)]
  const isWell = found.problems.length === 0
  if (flags.json) printJson({ ok: isWell, ...found })
  else printLines(describe(found))
  return isWell
}

async function checkStart(options: ServiceOptions, flags: ServeFlags, found: CheckFindings): Promise<void> {
  const { startOperated } = await import('../service/start.ts')
  const asked = { port: flags.opsPort, host: flags.opsHost ?? flags.host, log: 'off', write: () => {} } as const
  try {
    await using service = await startOperated({ ...options, store: undefined }, asked)
    const opsUrl = service.operations?.url
    found.facts.push(
      `The service would be at ${service.url}${opsUrl === undefined ? '' : `, for operators at ${opsUrl}`}.`,
    )
    for (const { slug, warnings = [] } of service.simulations) {
      found.facts.push(`It would have the simulation "${slug}".`)
      found.warnings.push(...warnings.map((warning) => `${slug}: ${warning}`))
    }
  } catch (error) {
    found.problems.push(failureLine(error))
  }
}

async function checkStore(store: string, options: ServiceOptions, found: CheckFindings): Promise<void> {
  const { checkStored } = await import('../service/open-stored.ts')
  try {
    const { facts, warnings } = await checkStored(store, options)
    found.facts.push(...facts)
    found.warnings.push(...warnings)
  } catch (error) {
    found.problems.push(failureLine(error))
  }
}

const describe = ({ facts, warnings, problems }: CheckFindings): string[] => [
  ...facts.map((fact) => `${colors.green('ok')}       ${fact}`),
  ...warnings.map((warning) => `${colors.yellow('warning')}  ${warning}`),
  ...problems.map((problem) => `${colors.red('wrong')}    ${problem}`),
]
