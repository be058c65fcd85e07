import { type Command, InvalidArgumentError, Option } from 'commander'
import { includeOption } from './read-document.ts'

/** The default port, if it is free. */
export const USUAL_PORT = 4010
/** Longest time between the signal to end and the end of listening, in seconds. */
const MOST_DRAIN_SECONDS = 300

/** Flags of `backlot serve`. Each has an environment variable: `BACKLOT_OPS_PORT` for `--ops-port`. */
export interface ServeFlags {
  host: string
  port?: number
  https?: boolean
  domain?: string
  json?: boolean
  open?: boolean
  libraryFolder?: string[]
  include?: string[]
  entry?: string
  slug?: string
  key?: string
  accountKey?: string
  caFile?: string
  trustProxy?: string[]
  corsOrigin?: string[]
  allowPrivateWebhooks?: string[]
  pages?: boolean
  config?: string
  model?: string
  store?: string
  cacheMb?: number
  simulationMb?: number
  reads?: 'checked' | number
  append?: 'group' | 'each'
  durability?: 'power' | 'process'
  migrate?: 'start' | 'off'
  opsPort?: number
  opsHost?: string
  drainDelay: number
  log: 'off' | 'info' | 'debug'
  check?: boolean
  ports?: boolean
  anyKey?: boolean
  hosts?: string[] | true
  watch?: boolean
  seed?: string
  epoch?: string
}

/** Flags of operators, which `--help` leaves to `--help-all`. */
const OPERATED =
  /^--(?:domain|trust-proxy|cors-origin|pages|config|model|store|cache|simulation|reads|append|dur|migrate|ops|drain|log)/

/** Adds the flags of `backlot serve`: `--help` shows the usual ones, `--help-all` all, with their variables. */
export function addServeFlags(command: Command): Command {
  const isWhole = process.argv.includes('--help-all')
  for (const option of serveOptions())
    addEnvironmentFlag(command, option.hideHelp(!isWhole && OPERATED.test(option.flags)))
  if (!isWhole) command.configureHelp({ optionDescription: ({ description }) => description })
  return command
    .option('--help-all', 'every flag, with those of operators, and its variable')
    .on('option:help-all', () => command.help())
}

const serveOptions = (): Option[] => [
  new Option('--host <address>', 'address to bind').default('127.0.0.1'),
  new Option('--port <number>', `port, 0 for any (default: ${USUAL_PORT} if free)`).argParser(toPort),
  new Option('--ports', 'a port for each simulation, not a path'),
  new Option('--any-key', "accept sk_test_backlot, and any key in the provider's form"),
  new Option('--hosts [slugs]', 'answer at real host names: prints the variables').argParser(toList),
  new Option('--allow-private-webhooks <ranges>', 'such as 127.0.0.1/32,172.16.0.0/12').argParser(toList),
  new Option('--seed <text>', 'seed of the data'),
  new Option('--epoch <moment>', 'world time at the start: 2026-01-01T00:00:00Z').argParser(toMoment),
  new Option('--watch', 'reload the files and folders when they change'),
  new Option('--slug <name>', 'slug of the one simulation'),
  new Option('--key <key>', 'its key: svc_sim_...'),
  new Option('--account-key <key>', 'account key, instead of a new one'),
  includeOption(),
  new Option('--entry <slug>', 'lay this library entry over the description'),
  new Option('--library-folder <path...>', 'folders of further library entries').argParser(toList),
  new Option('--https', 'https addresses, with an own certificate'),
  new Option('--ca-file <path>', 'write its authority there, as PEM'),
  new Option('--open', 'open the dashboard in a browser'),
  new Option('--json', 'print one line of JSON when ready'),
  new Option('--check', 'say what is wrong, and start nothing'),
  new Option('--domain <name>', 'simulations answer at <slug>.<name> too'),
  new Option(
    '--cors-origin <origins>',
    'pages elsewhere that may call with credentials, such as https://app.test,https://b.test',
  ).argParser(toList),
  new Option('--trust-proxy <range...>', 'addresses of proxies whose X-Forwarded-* headers count').argParser(toList),
  new Option('--pages', 'show pages of simulations (sign-in, checkout) although others than this machine reach them'),
  new Option(
    '--store <file or address>',
    'where simulations survive restarts and crashes: a file, or postgres://... for several nodes',
  ),
  new Option(
    '--cache-mb <number>',
    'with --store: memory for simulations; unused ones are unloaded (default: 512)',
  ).argParser(toNumber),
  new Option(
    '--simulation-mb <number>',
    'with --store: limit for the changes of one simulation; above it, requests that add data get 507 (default: 64)',
  ).argParser(toNumber),
  new Option(
    '--reads <checked or ms>',
    'with several nodes: each read checks for changes of other nodes, or one check is valid for so many milliseconds (default: checked)',
  ).argParser((text) => (text === 'checked' ? text : toNumber(text))),
  new Option(
    '--append <group or each>',
    'with PostgreSQL: one statement for changes of several simulations, or one for each, for databases that shard rows',
  ).choices(['group', 'each']),
  new Option(
    '--durability <power or process>',
    'with a file: answered changes survive a loss of power, or only the end of the process, which is faster',
  ).choices(['power', 'process']),
  new Option(
    '--migrate <start or off>',
    'with --store: the start upgrades the tables to this release, or only `backlot store migrate` does (default: start)',
  ).choices(['start', 'off']),
  new Option('--config <file>', 'accounts, as .json, .yaml, .js or .ts'),
  new Option('--model <provider:name>', 'language model that reads instructions, by the `ai` package'),
  new Option('--ops-port <number>', 'port of /healthz, /readyz and /metrics, for operators alone').argParser(toPort),
  new Option('--ops-host <address>', 'address that it binds (default: that of --host)'),
  new Option('--drain-delay <seconds>', 'how long requests are accepted after SIGTERM, while /readyz answers 503')
    .argParser(toDrainSeconds)
    .default(0),
  new Option('--log <level>', 'lines of JSON on stdout: state changes and failures, or each request too')
    .choices(['off', 'info', 'debug'])
    .default('off'),
]

/** Values are separated by commas, and the option may be repeated, so that later arguments are sources again. */
function toList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',')]
}

/** Parses a port. Throws like a commander parser. */
export function toPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Expected a port from 0 to 65535.')
}

function toMoment(text: string): string {
  if (/^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new InvalidArgumentError('Expected an ISO 8601 date and time with its offset, such as 2026-01-01T00:00:00Z.')
}

function toNumber(text: string): number {
  const number = Number(text)
  if (/^\d+(\.\d+)?$/.test(text)) return number
  throw new InvalidArgumentError('Expected a number.')
}

function toDrainSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= MOST_DRAIN_SECONDS) return seconds
  throw new InvalidArgumentError(`Expected seconds from 0 to ${MOST_DRAIN_SECONDS}.`)
}

const OFF = ['', '0', 'false', 'no', 'off']
const ON = ['1', 'true', 'yes', 'on']

/** The environment variable of an option: `BACKLOT_OPS_PORT` for `--ops-port`. */
const variableOf = (option: Option): string => `BACKLOT_${option.name().replaceAll('-', '_').toUpperCase()}`

/**
 * Adds an option with a default from an environment variable. An empty variable counts as unset, since compose files
 * pass it; a switch is on at `1`, `true`, `yes` and `on`.
 */
function addEnvironmentFlag(command: Command, option: Option): void {
  const variable = variableOf(option)
  const text = process.env[variable]
  command.addOption(isOff(option, text) ? option : option.env(variable))
  if (!option.isBoolean() || text === undefined) return
  command.hook('preAction', () => {
    if ([...OFF, ...ON].includes(text.toLowerCase())) return
    command.error(`error: expected ${variable} to be 1 or 0, got ${JSON.stringify(text.slice(0, 100))}.`)
  })
}

const isOff = (option: Option, text: string | undefined): boolean =>
  text !== undefined && (option.isBoolean() ? OFF.includes(text.toLowerCase()) : text === '')
