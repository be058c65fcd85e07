import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Service, ServiceOptions } from '../service/start.ts'
import { type ServeFlags, toServiceOptions, USUAL_PORT } from './serve-options.ts'
import { untilStopped } from './serve-thread.ts'
import { colors, printJson, printLines, writeAuthority } from './terminal.ts'

/** Adds `backlot serve` to the program. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the simulation service until SIGTERM or Ctrl-C')
    .argument(
      '[sources...]',
      'files of descriptions and slugs of library entries: a simulation of each is made at once',
    )
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--port <number>', `port, 0 for any free one (default: ${USUAL_PORT} where it is free)`, parsePort)
    .option('--https', 'https addresses, with a certificate of its own')
    .option('--ca-file <path>', "write the certificate's authority there, as PEM (with --https)")
    .option('--domain <name>', 'simulations answer at <slug>.<name> too')
    .option('--library <slug...>', 'create a simulation of each of these library entries at start')
    .option('--library-folder <path...>', 'add library entries, a folder each (openapi.json|yaml, entry.json|yaml)')
    .option('--simulation <slug>', 'create a simulation of this library entry at start')
    .option('--slug <name>', 'slug of the one simulation that is made at start')
    .option('--key <key>', 'its key (svc_sim_...)')
    .addOption(new Option('--account-key <key>', 'account key, instead of a new one').env('BACKLOT_ACCOUNT_KEY'))
    .option(
      '--cors-origin <origins>',
      'pages elsewhere that may call with credentials, such as https://app.test,https://b.test',
      toList,
    )
    .option('--trust-proxy <range...>', 'addresses of proxies whose X-Forwarded-* headers count')
    .option(
      '--allow-private-webhooks <ranges>',
      'private addresses that webhooks may reach: 127.0.0.1/32,172.16.0.0/12',
      toList,
    )
    .option(
      '--store <file or address>',
      'keeps simulations over restarts and crashes: a file, or postgres://... for several nodes',
    )
    .option('--config <file>', 'accounts, as .json, .yaml, .js or .ts')
    .option('--model <provider:name>', 'language model that reads instructions, by the `ai` package')
    .option('--json', 'print one line of JSON when ready')
    .action(serve)
}

async function serve(sources: readonly string[], flags: ServeFlags, command: Command): Promise<void> {
  const options = await toServiceOptions(sources, flags, command)
  const { startService } = await import('../service/start.ts')
  const service = await startService(options).catch((cause: Error) => {
    throw new Error(failureText(cause, options), { cause })
  })
  try {
    if (flags.caFile !== undefined && service.ca !== undefined) await writeAuthority(flags.caFile, service.ca)
    const stopped = untilStopped()
    const { url, accountKey, ca, simulations } = service
    if (flags.json) printJson({ url, accountKey, ca, ...(simulations.length > 0 && { simulations }) })
    else printLines(describeService(service, flags))
    await stopped
  } finally {
    await service.close()
  }
}

/** Commas stand between values, and the option may be repeated. What follows it is a source again. */
const toList = (text: string, before: readonly string[] = []): string[] => [...before, ...text.split(',')]

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

/** What `backlot serve` says when it is ready: where it is, and how a suite is pointed at it. */
function describeService(service: Service, { caFile, store }: ServeFlags): string[] {
  const exports = [
    `export BACKLOT_URL=${service.url}`,
    `export BACKLOT_ACCOUNT_KEY=${service.accountKey}`,
    ...(caFile === undefined ? [] : [`export BACKLOT_CA="$(cat ${caFile})"`]),
  ]
  const simulations = service.simulations.flatMap(({ slug, url, apiKey, firstPath, warnings = [] }) => [
    `  ${colors.bold(slug)}  ${url}`,
    `  ${' '.repeat(slug.length)}  key ${apiKey}`,
    ...(firstPath === undefined ? [] : [`  curl -H 'Authorization: Bearer ${apiKey}' '${url}${firstPath}'`]),
    ...warnings.map((warning) => `  ${colors.yellow('warning')} ${warning}`),
    '',
  ])
  return [
    `Simulation service at ${colors.cyan(service.url)}`,
    '',
    `  dashboard    ${service.dashboardUrl()}`,
    `  account key  ${service.accountKey}`,
    '',
    ...(simulations.length === 0 ? [] : ['Simulations:', ...simulations]),
    'Point test suites at it:',
    ...exports.map((line) => `  ${line}`),
    ...(service.ca !== undefined && caFile === undefined
      ? ['', 'Its certificate is its own: --ca-file <path> writes the authority to trust.']
      : []),
    '',
    colors.dim(
      store === undefined
        ? 'Data lives in memory and is gone when this process ends. Stop it with Ctrl-C.'
        : `Data is kept in ${store.replace(/:\/\/[^@/]*@/, '://')}. Stop the service with Ctrl-C.`,
    ),
  ]
}
