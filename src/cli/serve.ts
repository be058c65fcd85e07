import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ServiceOptions } from '../service/start.ts'
import { readServeConfig } from './serve-config.ts'
import { describeService } from './serve-text.ts'
import { printJson, printLines } from './terminal.ts'
import { writeAuthority } from './write-authority.ts'

/** Port that is taken when none is asked for and it is free. */
const USUAL_PORT = 4010

interface ServeFlags {
  host: string
  port?: number
  https?: boolean
  domain?: string
  json?: boolean
  library?: string[]
  libraryFolder?: string[]
  simulation?: string
  slug?: string
  key?: string
  accountKey?: string
  caFile?: string
  trustProxy?: string[]
  config?: string
  model?: string
}

/** Adds `backlot serve` to the program. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the simulation service until SIGTERM or Ctrl-C')
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--port <number>', `port, 0 for any free one (default: ${USUAL_PORT} where it is free)`, parsePort)
    .option('--https', 'https addresses, with a certificate of its own')
    .option('--ca-file <path>', "write the certificate's authority there, as PEM (with --https)")
    .option('--domain <name>', 'simulations answer at <slug>.<name> too')
    .option('--library <slug...>', 'create a simulation of each of these library entries at start')
    .option('--library-folder <path...>', 'add library entries, a folder each (openapi.json|yaml, entry.json|yaml)')
    .option('--simulation <slug>', 'create a simulation of this library entry at start')
    .option('--slug <name>', 'slug of that simulation')
    .option('--key <key>', 'key of that simulation (svc_sim_...)')
    .addOption(new Option('--account-key <key>', 'account key, instead of a new one').env('BACKLOT_ACCOUNT_KEY'))
    .option('--trust-proxy <range...>', 'addresses of proxies whose X-Forwarded-* headers count')
    .option('--config <file>', 'accounts, as .json, .yaml, .js or .ts')
    .option('--model <provider:name>', 'language model that reads instructions, by the `ai` package')
    .option('--json', 'print one line of JSON when ready')
    .action(serve)
}

async function serve(flags: ServeFlags, command: Command): Promise<void> {
  const options = await toServiceOptions(flags, command)
  const { startService } = await import('../service/start.ts')
  const service = await startService(options).catch((cause: Error) => {
    throw new Error(failureText(cause, options), { cause })
  })
  try {
    if (flags.caFile !== undefined && service.ca !== undefined) await writeAuthority(flags.caFile, service.ca)
    const stopped = untilSignal()
    const { url, accountKey, ca } = service
    if (flags.json) printJson({ url, accountKey, ca })
    else printLines(describeService(service, flags.caFile))
    await stopped
  } finally {
    await service.close()
  }
}

async function toServiceOptions(flags: ServeFlags, command: Command): Promise<ServiceOptions> {
  if (flags.simulation === undefined && (flags.slug !== undefined || flags.key !== undefined)) {
    command.error('error: --slug and --key belong to --simulation <slug>.')
  }
  if (flags.caFile !== undefined && !flags.https) command.error('error: --ca-file needs --https.')
  const config = flags.config === undefined ? {} : await readServeConfig(flags.config)
  if (config.accounts && command.getOptionValueSource('accountKey') === 'cli') {
    command.error(
      `error: --account-key and the accounts of ${flags.config} exclude each other. Put the key among those accounts.`,
    )
  }
  const { slug, key } = flags
  return {
    ...config,
    addresses: 'path',
    host: flags.host,
    port: flags.port ?? (await findPort(flags.host)),
    https: flags.https ?? false,
    ...(flags.domain === undefined ? {} : { domain: flags.domain }),
    ...(flags.libraryFolder === undefined ? {} : { library: flags.libraryFolder }),
    ...(flags.trustProxy === undefined ? {} : { trustProxy: flags.trustProxy }),
    ...(flags.accountKey === undefined || config.accounts ? {} : { accounts: [{ keys: [{ key: flags.accountKey }] }] }),
    ...(flags.model === undefined ? {} : { model: await readModel(flags.model) }),
    simulations: [
      ...(flags.library ?? []).map((library) => ({ library, slug: library })),
      ...(flags.simulation === undefined ? [] : [{ library: flags.simulation, slug, key }]),
    ],
  }
}

async function readModel(text: string): Promise<NonNullable<ServiceOptions['model']>> {
  const { loadModel } = await import('./load-model.ts')
  return loadModel(text, process.env)
}

async function findPort(host: string): Promise<number> {
  const { default: getPort } = await import('get-port')
  return getPort({ port: USUAL_PORT, host })
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError(`Expected a port from 0 to 65535.`)
}

function failureText(error: Error, { host, port }: ServiceOptions): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `Failed to start the service: port ${port} is taken. Choose another with --port, or --port 0 for any.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `Failed to start the service: ${host} is no address of this machine. Choose another with --host.`
  }
  return `Failed to start the service: ${error.message}`
}

/**
 * Resolves at the first SIGTERM or SIGINT. Called before the service is announced, since a signal may follow at once.
 */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}
