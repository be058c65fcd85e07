import { type Command, Option } from 'commander'
import { toPort } from './serve-flags.ts'
import { printLines } from './terminal.ts'

const LONGEST_MS = 3_000

/** Adds `backlot health` to the program, for the HEALTHCHECK of an image without another HTTP client. */
export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description('ask the port for operators of a service on this machine whether it takes requests')
    .addOption(
      new Option('--ops-port <number>', 'what `serve` has as --ops-port')
        .argParser(toPort)
        .env('BACKLOT_OPS_PORT')
        .makeOptionMandatory(),
    )
    .action(askHealth)
}

async function askHealth({ opsPort }: { opsPort: number }): Promise<void> {
  const url = `http://127.0.0.1:${opsPort}/readyz`
  const signal = AbortSignal.timeout(LONGEST_MS)
  const answer = await fetch(url, { signal }).catch((cause: Error) => {
    throw new Error(`Failed to ask ${url}: ${cause.message}. Does the service run with --ops-port ${opsPort}?`, {
      cause,
    })
  })
  const { status } = (await answer.json()) as { status?: string }
  if (!answer.ok) throw new Error(`The service takes no requests: ${status}.`)
  printLines([`${status}`])
}
