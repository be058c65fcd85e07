import { ManagementClient } from '../client/management-client.ts'
import { createSimulationIn } from '../fixture/create/create-simulation.ts'
import { thisProcess } from '../fixture/run/test-process.ts'
import { colors, printLines } from './terminal.ts'

/** Prints whether a folder is an entry: it is read, a simulation is made of it, and the steps of its `verify.yaml` are run. Rejects where one fails. */
export async function checkFolder(folder: string): Promise<void> {
  const [{ readFolder }, { readProof }, { startService }, { runProof }] = await Promise.all([
    import('../library/own-entries.ts'),
    import('../library/proof-file.ts'),
    import('../service/start.ts'),
    import('./run-proof.ts'),
  ])
  const entry = await readFolder(folder)
  const steps = await readProof(folder)
  await using service = await startService({ library: [entry], workerSinks: true })
  const { url: baseUrl, accountKey } = service
  const context = { process: thisProcess, environment: thisProcess.environment }
  await using simulation = await createSimulationIn(context, entry.slug, { service: { baseUrl, accountKey } })
  const { api } = await new ManagementClient({ baseUrl, accountKey }).getSimulation(simulation.id)
  printLines([
    `${colors.bold(entry.slug)}: ${api?.operations ?? 0} operations. It can be read, and a simulation be made of it.`,
  ])
  printLines((api?.warnings ?? []).map((warning) => `${colors.yellow('warning')} ${warning}`))
  if (steps === undefined) return printLines(['It has no verify.yaml, so that nothing else was checked.'])
  await runProof(simulation, folder, steps)
  printLines([`${colors.green('ok')} ${steps.length} steps of verify.yaml.`])
}
