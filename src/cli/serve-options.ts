import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import type { EntryFolder } from '../library/own-entries.ts'
import { didYouMean } from '../names/nearest-name.ts'
import type { JsonObject } from '../protocol/json.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import type { LanguageModel } from '../service/instructions/adviser.ts'
import type { ServiceOptions, StartSimulation } from '../service/start.ts'
import { findSource, isFolder } from './read-document.ts'
import { type ServeFlags, USUAL_PORT } from './serve-flags.ts'
import { keptStart, withKept } from './serve-watch.ts'

/**
 * The options of the service: `sources` are files of descriptions and slugs of entries. Ends the process when flags
 * exclude each other.
 */
export async function toServiceOptions(
  sources: readonly string[],
  flags: ServeFlags,
  command: Command,
): Promise<ServiceOptions> {
  if (sources.length !== 1 && (flags.slug !== undefined || flags.key !== undefined)) {
    command.error('error: --slug and --key belong to one simulation: `backlot serve <source> --slug ... --key ...`.')
  }
  if (flags.include !== undefined && sources.length !== 1) {
    command.error('error: --include belongs to one description: `backlot serve <file> --include ...`.')
  }
  if (flags.entry !== undefined && sources.length !== 1) {
    command.error('error: --entry belongs to one description: `backlot serve <file> --entry <slug>`.')
  }
  const { readParts } = await import('../library/own-entries.ts')
  const folders = await Promise.all(
    (flags.libraryFolder ?? []).map(async (path) => ({ path, ...(await readParts(path)) })),
  )
  const [laid, ...more] = folders.filter(({ openapi }) => openapi === undefined)
  if (laid && (sources.length !== 1 || more.length > 0 || flags.entry !== undefined)) {
    command.error(
      `error: ${laid.path} has no openapi.json or openapi.yaml, so that it belongs to one description: \`backlot serve <file> --library-folder ${laid.path}\`.`,
    )
  }
  if (flags.caFile !== undefined && !flags.https) command.error('error: --ca-file needs --https.')
  const config = flags.config === undefined ? {} : await readServeConfig(flags.config)
  if (config.accounts && command.getOptionValueSource('accountKey') === 'cli') {
    command.error(
      `error: --account-key and the accounts of ${flags.config} exclude each other. Put the key among those accounts.`,
    )
  }
  checkTrial(flags, sources, command)
  const port = keptStart()?.port ?? flags.port ?? (await findPort(flags.host, USUAL_PORT))
  const listed = Array.isArray(flags.hosts) ? flags.hosts : []
  const simulations = [
    ...listed.map((library) => ({ library, slug: library })),
    ...(await Promise.all(sources.map((source) => toSimulation(source, flags, laid)))),
  ]
  return withKept({
    addresses: flags.ports ? 'port' : 'path',
    host: flags.host,
    port,
    https: flags.https,
    domain: flags.domain,
    library: folders.flatMap(({ path, openapi }) => (openapi === undefined ? [] : [path])),
    corsOrigins: flags.corsOrigin,
    trustProxy: flags.trustProxy ?? config.trustProxy,
    allowPrivateWebhooks: flags.allowPrivateWebhooks,
    pages: flags.pages,
    accounts: config.accounts ?? (flags.accountKey === undefined ? undefined : [{ keys: [{ key: flags.accountKey }] }]),
    ...storeOf(flags, command),
    model: flags.model === undefined ? undefined : await loadModel(flags.model, process.env),
    simulations: await withTrial(simulations, flags, port),
  })
}

/** Whether only this machine reaches an address. */
export const isLocal = (host: string): boolean => host === 'localhost' || /^(?:127\.|::1$)/.test(host)

/** Ends the process for flags that do not fit together. */
function checkTrial(
  { ports, anyKey, hosts, host, store, domain, watch, opsPort }: ServeFlags,
  sources: readonly string[],
  command: Command,
): void {
  const unwatched = Object.entries({ '--store': store, '--hosts': hosts, '--ops-port': opsPort })
  for (const [flag, value] of watch ? unwatched : [])
    if (value !== undefined) command.error(`error: --watch and ${flag} exclude each other.`)
  if (watch && !sources.some((source) => existsSync(source)))
    command.error('error: --watch needs a file or a folder: `backlot ./openapi.yaml --watch`.')
  if (ports && (store ?? domain) !== undefined)
    command.error(
      `error: --ports and ${store === undefined ? '--domain' : '--store'} exclude each other. \`backlot serve <source>\` has no --ports unless it is given; \`backlot <source>\` has it always.`,
    )
  for (const [flag, isGiven] of Object.entries({ '--any-key': anyKey, '--hosts': hosts }))
    if (isGiven && !isLocal(host))
      command.error(`error: ${flag} needs a --host on loopback, got ${host}. \`backlot serve\` does without it.`)
}

/** The simulations with a port each, counted from the service's, and with the known key. */
async function withTrial(
  simulations: readonly StartSimulation[],
  { ports, anyKey, seed, epoch, host }: ServeFlags,
  port: number,
): Promise<StartSimulation[]> {
  const made: StartSimulation[] = []
  for (const [at, { key = anyKey ? 'backlot' : undefined, ...simulation }] of simulations.entries()) {
    const own = ports ? { port: port === 0 ? 0 : await findPort(host, port + 1 + at) } : {}
    made.push({ ...simulation, key, seed, epoch, ...own })
  }
  return made
}

const isDatabase = (store: string): boolean => /^postgres(ql)?:/i.test(store)
const isFile = (store: string): boolean => !isDatabase(store)

/** Flags for stores, and the kinds of stores to which they apply. */
const STORE_FLAGS = [
  { name: 'cacheMb', flag: '--cache-mb', needs: '--store', fits: () => true },
  { name: 'simulationMb', flag: '--simulation-mb', needs: '--store', fits: () => true },
  { name: 'migrate', flag: '--migrate', needs: '--store', fits: () => true },
  { name: 'durability', flag: '--durability', needs: '--store with a file', fits: isFile },
  { name: 'reads', flag: '--reads', needs: '--store postgres://...', fits: isDatabase },
  { name: 'append', flag: '--append', needs: '--store postgres://...', fits: isDatabase },
] as const

/**
 * The store and its options. Ends the process for a flag that does not apply to this store; environment variables that
 * do not apply are ignored.
 */
function storeOf(flags: ServeFlags, command: Command): Pick<ServiceOptions, 'store' | 'storeOptions' | 'storeSecrets'> {
  const { store, cacheMb, simulationMb, reads, append, durability, migrate } = flags
  for (const { name, flag, needs, fits } of STORE_FLAGS) {
    if (command.getOptionValueSource(name) !== 'cli' || (store !== undefined && fits(store))) continue
    command.error(`error: ${flag} needs ${needs}.`)
  }
  if (store === undefined) return {}
  const storeSecrets = readSecrets(process.env.BACKLOT_SECRET_KEY)
  return { store, storeOptions: { cacheMb, simulationMb, reads, append, durability, migrate }, storeSecrets }
}

type SourceFlags = { [Name in 'slug' | 'key' | 'libraryFolder' | 'include' | 'entry']?: ServeFlags[Name] | undefined }

/** A slug may name an entry in `--library-folder`, which only the service knows. */
async function toSimulation(
  source: string,
  { slug, key, libraryFolder, include, entry }: SourceFlags,
  folder: Pick<EntryFolder, 'given' | 'handlers'> | undefined,
): Promise<StartSimulation> {
  if (await isFolder(source)) {
    const { readParts } = await import('../library/own-entries.ts')
    const own = await readParts(source)
    if (own.openapi !== undefined) return toSimulation(own.openapi, { slug, key, include }, own)
    throw new Error(`Failed to read the folder "${source}": it has no openapi.json or openapi.yaml.`)
  }
  const found = await findSource(source).catch((error: Error) => {
    if (libraryFolder === undefined || /[./\\]/.test(source)) throw error
    return undefined
  })
  if (found === undefined || 'openapi' in found) {
    if (include === undefined && entry === undefined && folder === undefined) return { library: source, slug, key }
    throw new Error(
      `Expected ${include === undefined ? '--entry' : '--include'} to go with a description of your own, got it with the library entry "${source}".`,
    )
  }
  const { fitSpec } = await import('../description/fit-spec.ts')
  const handlers = folder?.handlers && pathToFileURL(folder.handlers).href
  return {
    spec: await fitSpec(found.text, include),
    entry: (folder?.given as JsonObject) ?? entry,
    handlers,
    slug,
    key,
  }
}

/** This port, or another that is free. Without a free port, the service fails at its start. */
async function findPort(host: string, port: number): Promise<number> {
  const { default: getPort } = await import('get-port')
  return getPort({ port, host }).catch(() => port)
}

/** The fields of a configuration file. */
type ServeConfig = Pick<ServiceOptions, 'accounts' | 'trustProxy'>

/**
 * Reads a configuration file: `.json`, `.yaml`, or a module whose default export is the configuration.
 *
 * Rejects with a message that names the file when it cannot be read, is not an object, or has an unknown key.
 */
async function readServeConfig(file: string): Promise<ServeConfig> {
  const config = await load(file).catch((cause: Error) => {
    throw new Error(`Failed to read the configuration "${file}": ${cause.message}`, { cause })
  })
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new Error(`Failed to read the configuration "${file}": it holds no object. Export \`{ accounts: [...] }\`.`)
  }
  for (const key of Object.keys(config)) {
    if (KEYS.includes(key)) continue
    throw new Error(`Failed to read the configuration "${file}": it has no key "${key}".${didYouMean(key, KEYS)}`)
  }
  return config as ServeConfig
}

const KEYS = ['accounts', 'trustProxy']

async function load(file: string): Promise<unknown> {
  const extension = extname(file)
  if (extension === '.json') return JSON.parse(await readTextFile(file))
  if (extension === '.yaml' || extension === '.yml') return (await import('js-yaml')).load(await readTextFile(file))
  return ((await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }).default
}

/** The form of `--model`, for messages. */
const FORM = '`provider:name`, such as `openai:gpt-5` or `openai-compatible:llama-3`'

/**
 * The language model of `--model provider:name`, from the project's installed `@ai-sdk/<provider>`. With
 * `openai-compatible`, `BACKLOT_MODEL_URL` is the server's base URL and `BACKLOT_MODEL_KEY` its key.
 *
 * Throws an Error that names the package to install or the variable to set.
 */
export async function loadModel(text: string, environment: NodeJS.ProcessEnv): Promise<LanguageModel> {
  const [, provider, name] = /^([a-z][a-z0-9-]*):(.+)$/.exec(text) ?? []
  if (provider === undefined || name === undefined) throw new Error(`Expected --model to be ${FORM}, got "${text}".`)
  const module = await importProvider(provider)
  if (provider === 'openai-compatible') return createCompatible(module, name, environment)
  const create = module[toExportName(provider)]
  if (typeof create !== 'function') {
    throw new Error(
      `Failed to load model "${text}": @ai-sdk/${provider} has no provider named ${toExportName(provider)}.`,
    )
  }
  return create(name) as LanguageModel
}

async function importProvider(provider: string): Promise<Record<string, unknown>> {
  const name = `@ai-sdk/${provider}`
  try {
    return (await import(name)) as Record<string, unknown>
  } catch (cause) {
    throw new Error(`Failed to load ${name}. Install it: npm install ai ${name}.`, { cause })
  }
}

function createCompatible(
  module: Record<string, unknown>,
  name: string,
  { BACKLOT_MODEL_URL: baseURL, BACKLOT_MODEL_KEY: apiKey }: NodeJS.ProcessEnv,
): LanguageModel {
  if (!baseURL)
    throw new Error('Expected BACKLOT_MODEL_URL to be the base URL of an OpenAI-compatible server, got nothing.')
  const create = module.createOpenAICompatible as (options: object) => (model: string) => LanguageModel
  return create({ name: 'backlot', baseURL, ...(apiKey && { apiKey }), supportsStructuredOutputs: true })(name)
}

/** `google-vertex` exports `googleVertex`. */
const toExportName = (provider: string): string =>
  provider.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The secrets of a store. They have no flag, because all users see the arguments of processes. Undefined without secrets. */
function readSecrets(text = ''): string[] | undefined {
  return text === '' ? undefined : text.split(',').map((secret) => secret.trim())
}
