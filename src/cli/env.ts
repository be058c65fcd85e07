import type { Command } from 'commander'
import { didYouMean } from '../names/nearest-name.ts'
import { findRunning } from './running.ts'
import { printJson, printLines } from './terminal.ts'

/** Adds `backlot env` to the program. */
export function addEnvCommand(program: Command): void {
  program
    .command('env')
    .description('print the variables of running simulations: eval "$(npx backlot env stripe)", or >> .env')
    .argument('[simulations...]', 'their slugs', [])
    .option('--json', 'print them as one line of JSON')
    .action(printVariables)
}

/** A service keeps digests of keys alone, so that only those that run here are known. */
function printVariables(slugs: readonly string[], { json }: { json?: boolean }): void {
  const services = findRunning()
  if (services.length === 0)
    throw new Error(
      'Failed to find a running service: none of yours runs on this machine. Start one: `npx backlot stripe`.',
    )
  const running = services.flatMap(({ simulations }) => simulations)
  const known = running.map(({ slug }) => slug)
  const unknown = slugs.find((slug) => !known.includes(slug))
  if (unknown !== undefined)
    throw new Error(
      `Failed to find the simulation "${unknown}": it does not run.${didYouMean(unknown, known)} There ${known.length > 0 ? `are: ${known.join(', ')}` : 'are none'}.`,
    )
  const { url, accountKey, hostsEnv } = services[0] as (typeof services)[number]
  const all = { BACKLOT_URL: url, BACKLOT_ACCOUNT_KEY: accountKey, ...hostsEnv }
  const chosen =
    slugs.length === 0 ? services[0]?.simulations : slugs.map((slug) => running.find((one) => one.slug === slug))
  const variables = Object.assign(slugs.length === 0 ? all : {}, ...(chosen ?? []).map((one) => one?.env))
  if (json) printJson(variables)
  else
    printLines(
      Object.entries(variables as Record<string, string>).map(([name, value]) => `export ${name}=${inShell(value)}`),
    )
}

/** A value in quotes where a shell would read it in another way. */
export const inShell = (value: string): string =>
  /^[\w.:/@%+=,-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
