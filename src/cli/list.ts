import type { Command } from 'commander'
import { ManagementClient } from '../client/management-client.ts'
import { parseRunTag, withoutRunTag } from '../fixture/run/run-name.ts'
import { addServiceFlags, getService, type ServiceFlags } from './service-flags.ts'
import { colors, printJson, printLines, printTable } from './terminal.ts'

/** Adds `backlot list` to the program. */
export function addListCommand(program: Command): void {
  addServiceFlags(program.command('list'))
    .description('list the simulations of a hosted service')
    .option('--run <id>', 'only those that this test run made')
    .option('--json', 'print them as one line of JSON')
    .action(runList)
}

async function runList(flags: ServiceFlags & { run?: string; json?: boolean }): Promise<void> {
  const { baseUrl, accountKey, ca, proxy } = getService(flags)
  const client = new ManagementClient({ baseUrl, accountKey, ca, proxy })
  const listed = await client.listSimulations().finally(() => client.close())
  const all = listed.map((simulation) => ({ ...simulation, run: parseRunTag(simulation.name)?.run ?? null }))
  const shown = flags.run === undefined ? all : all.filter(({ run }) => run === flags.run)
  if (flags.json) return printJson({ data: shown })
  if (shown.length === 0) return printLines(['No simulations.'])
  const rows = shown.map(({ slug, status, run, url, name }) => [slug, status, run ?? '-', url, withoutRunTag(name)])
  const paintStatus = (status: string) => (status === 'running' ? colors.green(status) : colors.yellow(status))
  printTable(['SIMULATION', 'STATUS', 'RUN', 'ADDRESS', 'NAME'], rows, [
    colors.bold,
    paintStatus,
    undefined,
    colors.cyan,
  ])
}
