import { parentPort } from 'node:worker_threads'
import type { Command } from 'commander'
import { openInBrowser } from '../runtime/open-in-browser.ts'
import type { OperatedService } from '../service/service-options.ts'
import type { ServiceOptions } from '../service/start.ts'
import { readsKeys } from './copy-keys.ts'
import { EXIT } from './exit.ts'
import { noteRunning } from './running.ts'
import { checkServe } from './serve-check.ts'
import { addServeFlags, type ServeFlags } from './serve-flags.ts'
import { isLocal, toServiceOptions } from './serve-options.ts'
import { untilStopped } from './serve-thread.ts'
import { copiesOf, describeHosts, describeTrial, openTrial, type Trial } from './serve-trial.ts'
import { keptStart, watchSources } from './serve-watch.ts'
import { colors, printJson, printLines, warningLine, writeAuthority } from './terminal.ts'

/** Time for open requests to end. Closing uses the rest of the time after a signal: see `serve-thread.ts`. */
const MOST_UNDER_WAY_MS = 1_000

/** Adds `backlot serve` to the program. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('run the simulation service until SIGTERM or Ctrl-C')
    .argument('[sources...]', 'slugs of library entries, descriptions, folders')
  addServeFlags(command).action(serve)
}

async function serve(sources: readonly string[], flags: ServeFlags, command: Command): Promise<void> {
  if (flags.opsHost !== undefined && flags.opsPort === undefined) command.error('error: --ops-host needs --ops-port.')
  let options = await toServiceOptions(sources, flags, command)
  if (flags.check) {
    if (!(await checkServe(options, flags))) process.exitCode = EXIT.failed
    return
  }
  const [{ startOperated }, { warnOfStored }] = await Promise.all([
    import('../service/start.ts'),
    import('../service/open-stored.ts'),
  ])
  const delayMs = flags.drainDelay * 1_000
  const start = () =>
    startOperated(options, {
      port: flags.opsPort,
      host: flags.opsHost ?? flags.host,
      log: flags.log,
      write: (line) => process.stdout.write(line),
    })
  const service = await start()
    .catch(async (cause: NodeJS.ErrnoException & { port?: number }) => {
      const isChosen = flags.port !== undefined || cause.port === flags.opsPort || keptStart() !== undefined
      if (cause.code !== 'EADDRINUSE' || isChosen) throw cause
      // Another one that started at the same moment was faster.
      options = await toServiceOptions(sources, flags, command)
      return start()
    })
    .catch((cause: Error) => {
      throw new Error(failureText(cause, options, flags), { cause })
    })
  let hosts: Trial['hosts']
  let forget = () => {}
  try {
    if (flags.caFile !== undefined && service.ca !== undefined) await writeAuthority(flags.caFile, service.ca)
    const stopped = untilStopped(delayMs)
    const trial = await openTrial(service, options, flags)
    hosts = trial.hosts
    const { url, accountKey, ca } = service
    if (flags.store === undefined && isLocal(flags.host))
      forget = noteRunning({ url, accountKey, ca, simulations: trial.simulations, hostsEnv: hosts?.env })
    if (keptStart() === undefined) tellReady({ service, trial, flags, warnings: await warnOfStored(options) })
    if (flags.watch) await watchSources(service, sources, flags)
    if (flags.open) openInBrowser(service.dashboardUrl())
    await stopped
    await service.drain({ delayMs, mostMs: MOST_UNDER_WAY_MS })
  } finally {
    forget()
    await Promise.all([service.close(), hosts?.close()])
  }
}

interface Ready {
  service: OperatedService
  trial: Trial
  flags: ServeFlags
  warnings: readonly string[]
}

function tellReady({ service, trial, flags, warnings }: Ready): void {
  const { url, accountKey, ca, operations } = service
  const { simulations, hosts } = trial
  const opsUrl = operations?.url
  const made = { ...(simulations.length > 0 && { simulations }), hostsEnv: hosts?.env }
  if (flags.json) printJson({ url, accountKey, ca, opsUrl, ...made })
  else if (flags.log === 'off') printLines(describeService(service, trial, flags))
  operations?.log.info('ready', { url, opsUrl, store: flags.store, simulations: simulations.map(({ slug }) => slug) })
  for (const warning of warnings) {
    operations?.log.warn(warning)
    if (flags.log === 'off' && !flags.json) printLines(['', warningLine(warning)])
  }
  if (flags.log !== 'off' && !flags.json && flags.accountKey === undefined && flags.config === undefined) {
    operations?.log.warn('the account key is new and not shown: give one by --account-key or --config')
  }
}

function failureText(error: Error, { host, port }: ServiceOptions, { opsPort, opsHost }: ServeFlags): string {
  const { code, port: takenPort } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE' && opsPort !== undefined && takenPort === opsPort) {
    return `Failed to start the service: port ${opsPort} is taken. Choose another with --ops-port.`
  }
  if (code === 'EADDRINUSE') {
    return `Failed to start the service: port ${port} is taken. Choose another with --port, or --port 0 for any.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const [place, flag] = takenPort === opsPort && opsHost !== undefined ? [opsHost, '--ops-host'] : [host, '--host']
    return `Failed to start the service: ${place} is no address of this machine. Choose another with ${flag}.`
  }
  return `Failed to start the service: ${error.message}`
}

/** Output of `backlot serve` when it is ready: its address, and how a suite uses it. */
function describeService(service: OperatedService, trial: Trial, { caFile, store, ports }: ServeFlags): string[] {
  const ending = colors.dim(
    store === undefined
      ? 'Data lives in memory and is gone when this process ends. Stop it with Ctrl-C.'
      : `Data is kept in ${store.replace(/:\/\/[^@/]*@/, '://')}. Stop the service with Ctrl-C.`,
  )
  if (ports) {
    const hasKeys = readsKeys()
    if (hasKeys) parentPort?.postMessage({ copies: copiesOf(trial) })
    return [...describeTrial(trial, hasKeys), `dashboard ${service.dashboardUrl()}`, '', ending]
  }
  const exports = [
    `export BACKLOT_URL=${service.url}`,
    `export BACKLOT_ACCOUNT_KEY=${service.accountKey}`,
    ...(caFile === undefined ? [] : [`export BACKLOT_CA="$(cat ${caFile})"`]),
  ]
  const simulations = trial.simulations.flatMap(({ slug, url, apiKey, curl, warnings = [] }) => [
    `  ${colors.bold(slug)}  ${url}`,
    `  ${' '.repeat(slug.length)}  key ${apiKey}`,
    `  ${curl}`,
    ...warnings.map((warning) => `  ${warningLine(warning)}`),
    '',
  ])
  return [
    `Simulation service at ${colors.cyan(service.url)}`,
    '',
    `  dashboard    ${service.dashboardUrl()}`,
    `  account key  ${service.accountKey}${process.env.BACKLOT_ACCOUNT_KEY === service.accountKey ? ', from BACKLOT_ACCOUNT_KEY' : ''}`,
    ...(service.operations?.url === undefined ? [] : [`  operators    ${service.operations.url}`]),
    '',
    ...(simulations.length === 0 ? [] : ['Simulations:', ...simulations]),
    ...describeHosts(trial),
    'Point test suites at it:',
    ...exports.map((line) => `  ${line}`),
    ...(service.ca !== undefined && caFile === undefined
      ? ['', 'Its certificate is its own: --ca-file <path> writes the authority to trust.']
      : []),
    '',
    ending,
  ]
}
