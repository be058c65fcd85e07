import { type Command, InvalidArgumentError } from 'commander'
import { type CleanedSimulation, type CleanUpResult, cleanUp } from '../fixture/run/clean-up.ts'
import { readKeptFile, readNamedRunId } from '../fixture/run/environment.ts'
import type { ReaperOrder } from '../fixture/run/reaper.ts'
import { counted } from '../fixture/table.ts'
import { sleep } from '../runtime/timers.ts'
import { EXIT } from './exit.ts'
import { addServiceFlags, getService, type ServiceFlags } from './service-flags.ts'
import { colors, endProgress, printJson, printLines, printTable, showProgress } from './terminal.ts'

interface CleanupFlags extends ServiceFlags {
  run?: string
  expired?: boolean
  olderThan?: number
  all?: boolean
  dryRun?: boolean
  json?: boolean
}

/** Adds `backlot cleanup` to the program. */
export function addCleanupCommand(program: Command): void {
  addServiceFlags(program.command('cleanup'))
    .description('delete simulations that test runs left behind on a hosted service')
    .option('--run <id>', "only those of this run (default: the CI system's run, else every run)")
    .option('--expired', 'only those past their time')
    .option('--older-than <hours>', 'only those created longer ago', parseHours)
    .option('--all', 'those of every run, in CI too')
    .option('--dry-run', 'show them, delete nothing; exits with 3 when there are any')
    .option('--json', 'print the outcome as one line of JSON')
    .addHelpText(
      'after',
      '\nOnly names with the mark [backlot run=...] are touched.\nExit codes: 0 nothing is left, 1 some could not be deleted, 2 wrong usage, 3 --dry-run found some.',
    )
    .action(runCleanup)
}

async function runCleanup(flags: CleanupFlags): Promise<void> {
  const service = getService(flags)
  const isNarrowed = flags.all || flags.expired || flags.olderThan !== undefined
  const run = flags.run ?? (isNarrowed ? undefined : readNamedRunId())
  const result = await cleanUp({
    service,
    run,
    expired: flags.expired,
    olderThanHours: flags.olderThan,
    dryRun: flags.dryRun,
    keptFile: readKeptFile(),
    includeKept: true,
    onProgress: ({ slug }, at, of) => showProgress(`${at}/${of} ${slug}`),
  }).finally(endProgress)
  if (flags.json) printJson(result)
  else printOutcome(result, flags, run)
  process.exitCode = exitCodeOf(result, flags)
}

function printOutcome(result: CleanUpResult, flags: CleanupFlags, run: string | undefined): void {
  const { simulations, deleted, failed, foreign } = result
  const rows = simulations.map(({ slug, run: of, outcome, error, name }) => [
    slug,
    of,
    outcome,
    error ?? name.replace(/ \[backlot .*$/, ''),
  ])
  if (rows.length > 0) {
    printTable(['SIMULATION', 'RUN', 'OUTCOME', 'NAME'], rows, [colors.bold, undefined, paintOutcome])
  }
  const what = (count: number) => `${counted(count, 'simulation')}${run === undefined ? '' : ` of run ${run}`}`
  const sentences =
    simulations.length === 0
      ? [run === undefined ? 'Nothing to clean up.' : `Nothing of run ${run} to clean up.`]
      : flags.dryRun
        ? [`${what(simulations.length)} would be deleted.`, 'Nothing was: run it without --dry-run to delete.']
        : [`${what(deleted)} deleted${failed === 0 ? '' : `, ${failed} failed`}.`]
  if (foreign > 0) sentences.push(`${counted(foreign, 'other')} not made by test runs: left alone.`)
  printLines([sentences.join(' ')])
}

function paintOutcome(outcome: string): string {
  if (outcome === ('failed' satisfies CleanedSimulation['outcome'])) return colors.red(outcome)
  return outcome === 'deleted' ? colors.green(outcome) : colors.yellow(outcome)
}

function exitCodeOf({ failed, simulations }: CleanUpResult, { dryRun }: CleanupFlags): number {
  if (failed > 0) return EXIT.failed
  return dryRun && simulations.length > 0 ? EXIT.found : EXIT.done
}

function parseHours(text: string): number {
  const hours = Number(text)
  if (!(hours > 0)) throw new InvalidArgumentError('Expected a number of hours above 0.')
  return hours
}

/**
 * When the reaper looks for simulations, counted from the end of its worker, in milliseconds: a creation may still be
 * in progress.
 */
const LOOKS_AFTER_MS = [0, 3_000, 10_000]

/** Adds the hidden command that a reaper goes on with when its worker was killed. */
export function addReapCommand(program: Command): void {
  program
    .command('reap', { hidden: true })
    .argument('<order>')
    .action((order) => deleteAll(JSON.parse(order)))
}

async function deleteAll({ service, run, worker }: ReaperOrder): Promise<void> {
  let waited = 0
  for (const lookAt of LOOKS_AFTER_MS) {
    await sleep(lookAt - waited)
    waited = lookAt
    await cleanUp({ service, run, worker, keptFile: readKeptFile() }).catch(() => undefined)
  }
}
