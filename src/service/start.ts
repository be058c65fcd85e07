import { statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { LibraryEntry } from '../library/library-entry.ts'
import { notFound } from '../protocol/errors.ts'
import { parseIpRanges } from '../protocol/ip-range.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import type { CreatedSimulation } from '../protocol/simulation.ts'
import { once } from '../runtime/once.ts'
import { type Runtime, systemRuntime } from '../runtime/runtime.ts'
import { type Certificate, createCertificate } from '../server/certificate.ts'
import type { OpenServer } from '../server/open-server.ts'
import type { AccountOptions, AccountSettings } from './account/account-options.ts'
import { Accounts } from './account/accounts.ts'
import { Adviser } from './instructions/adviser.ts'
import { AnswerQueue } from './listener/answer-queue.ts'
import { Bodies } from './listener/bodies.ts'
import { startListener } from './listener/listener.ts'
import { kindOfRequest, type SharedPortParts, serveSharedPort } from './listener/serve-shared-port.ts'
import { type AddressParts, openPort, sharedAddress } from './listener/simulation-addresses.ts'
import { createFindVisitor } from './listener/visitor.ts'
import { createDirectCalls } from './management/call-endpoint.ts'
import type { ServiceParts } from './management/handlers.ts'
import { createManagementApi, type ManagementApi } from './management/management-api.ts'
import { ModelCache } from './management/model-cache.ts'
import { ModelFiles } from './management/model-files.ts'
import type { BodyBounds, ManagementArrival } from './management/read-endpoint-call.ts'
import { ReaderMemory } from './management/reader-memory.ts'
import { ServiceLibrary } from './management/service-library.ts'
import { Simulations } from './management/simulations.ts'
import { startSimulation } from './management/start-simulation.ts'
import { StoredSimulations } from './management/stored-simulations.ts'
import { WorkerSinks } from './management/worker-sinks.ts'
import { keepAccounts, openStored } from './open-stored.ts'
import type { OperatedParts, Operations } from './operations/operations.ts'
import type { OperationsOptions } from './operations/operations-options.ts'
import { checkOrigin, DEFAULT_HOST, domainOf, shownHost } from './service-address.ts'
import type { OperatedService, Service, ServiceOptions } from './service-options.ts'
import { HandlerSource } from './simulation/origin/handler-source.ts'
import { ENGINE } from './simulation/origin/simulation-init.ts'
import { checkOperationId } from './simulation/owner-rules.ts'
import { explainReach } from './simulation/requests/rule-reach.ts'
import type { Simulation } from './simulation/simulation.ts'
import { Slices } from './simulation/slices.ts'
import { MemorySessions } from './store/memory-sessions.ts'
import { type Store, withClockOf } from './store/store.ts'
import { openStoreParts } from './store/store-parts.ts'
import type { DashboardParts } from './ui/dashboard.ts'
import { SignInCodes } from './ui/sign-in-codes.ts'
import { ReachableAddresses } from './webhooks/reachable-addresses.ts'

export type { LibraryEntry } from '../library/library-entry.ts'
export type { AccountKeyOptions, AccountOptions, Scope } from './account/account-options.ts'
export type { LanguageModel } from './instructions/adviser.ts'
export type { Service, ServiceOptions, StartSimulation } from './service-options.ts'
export type { StoreOptions } from './store/store-options.ts'
export type { SinkAddress } from './webhooks/reachable-addresses.ts'

/**
 * Starts the simulation service in this process: nothing to install, no network. Close it when done.
 *
 * Rejects with the system's error when the port is taken, and with an {@link ApiError} `invalid_request` that names the
 * invalid option.
 *
 * @example
 * await using service = await startService()
 * const list = await fetch(`${service.url}/v1/library`, { headers: { authorization: `Bearer ${service.accountKey}` } })
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  return startOver(await openStored(options), options)
}

/**
 * Starts the service for `backlot serve`: with a log, an end that waits for answers in progress, and an optional port
 * for operators. @internal
 */
export async function startOperated(options: ServiceOptions, asked: OperationsOptions): Promise<OperatedService> {
  const { loadProm, Operations } = await import('./operations/operations.ts')
  const prom = asked.port === undefined ? undefined : await loadProm()
  const operations = new Operations(prom, asked, { ...systemRuntime, ...options.runtime })
  return run(options, { store: await openStored(options), operations })
}

/**
 * Starts the service over an open store, which is closed with the service. Without one, simulations are in memory.
 *
 * @param modelFolder for models of descriptions that other processes of this user share: only where all descriptions are the user's own
 * @internal
 */
export function startOver(
  store: Store | undefined,
  options: ServiceOptions,
  modelFolder?: string,
): Promise<OperatedService> {
  return run(options, { store, operations: undefined, modelFiles: openModelFiles(modelFolder) })
}

/** In the repository, code changes without a sign that it has. */
function openModelFiles(folder: string | undefined): ModelFiles | undefined {
  const { filename } = import.meta
  if (folder === undefined || filename.endsWith('.ts')) return undefined
  const { mtimeMs, size } = statSync(filename)
  return new ModelFiles(folder, `${packageVersion()} ${mtimeMs} ${size}`)
}

async function run(options: ServiceOptions, own: GivenParts): Promise<OperatedService> {
  const { store, operations } = own
  try {
    const library = await readLibrary(options.library ?? [])
    const accounts = await readAccounts(options.accounts ?? [])
    const assembly = assemble(options, { library, accounts }, own)
    const ca = options.https ? (await assembly.certificate()).ca : undefined
    if (store !== undefined) await keepAccounts(assembly.parts.accounts)
    return await open(assembly, options, ca)
  } catch (error) {
    await operations?.close()
    await store?.close()
    throw error
  }
}

async function open(assembly: Assembly, options: ServiceOptions, ca: string | undefined): Promise<OperatedService> {
  const listener = await assembly.listen()
  const url = `${options.https ? 'https' : 'http'}://${shownHost(options.host)}:${listener.port}`
  try {
    const simulations = await createFirst(assembly.parts, options, url)
    await assembly.operations?.open(operatedParts(assembly.parts, assembly.store))
    await assembly.parts.simulations.start()
    return toService(assembly, { listener, url, ca, simulations })
  } catch (error) {
    await closeAll(assembly, listener)
    throw error
  }
}

async function readLibrary(sources: readonly (string | LibraryEntry)[]): Promise<LibraryEntry[]> {
  return Promise.all(
    sources.map(async (source, index) => {
      const { checkEntry, readFolder } = await import('../library/own-entries.ts')
      return typeof source === 'string' ? readFolder(source) : checkEntry(source, `library[${index}]`)
    }),
  )
}

async function readAccounts(accounts: readonly AccountOptions[]): Promise<AccountSettings[]> {
  return accounts.length === 0 ? [] : (await import('./account/account-options.ts')).readAccounts(accounts)
}

async function createFirst(
  parts: ServiceParts,
  { simulations = [] }: ServiceOptions,
  origin: string,
): Promise<CreatedSimulation[]> {
  const creator = { account: parts.accounts.first, ip: DEFAULT_HOST, origin, mayImport: true } as const
  const created: CreatedSimulation[] = []
  for (const [index, { key, port, ...source }] of simulations.entries()) {
    const { createSimulationRequest } = await import('../protocol/simulation.ts')
    const request = parseRequest(createSimulationRequest, source, `simulations[${index}]`)
    created.push(await startSimulation(parts, request, { ...creator, port }, key))
  }
  return created
}

/**
 * Shared by the services of this process, since a blueprint depends on its description alone: a test file that closes its
 * service and starts another does not read the description again (`decisions/cold-start.md`).
 */
const models = new ModelCache()

/** The connected parts of one service, before it listens. */
interface Assembly {
  readonly parts: ServiceParts
  readonly api: ManagementApi
  readonly codes: SignInCodes
  readonly store: Store | undefined
  readonly operations: Operations | undefined
  readonly certificate: () => Promise<Certificate>
  readonly listen: () => Promise<OpenServer>
}

/** What is open before the service. */
type GivenParts = Pick<Assembly, 'store' | 'operations'> & { readonly modelFiles?: ModelFiles | undefined }

/** Connects the parts of the service. The only place that does. */
function assemble(
  options: ServiceOptions,
  { library, accounts: given }: { library: readonly LibraryEntry[]; accounts: readonly AccountSettings[] },
  { store: opened, operations, modelFiles }: GivenParts,
): Assembly {
  const store = opened && (operations?.measure(opened) ?? opened)
  const runtime: Runtime = { ...systemRuntime, ...options.runtime }
  const certificate = once(createCertificate)
  const findVisitor = createFindVisitor({
    trustProxy: parseIpRanges(options.trustProxy ?? [], 'trustProxy'),
    corsOrigins: new Set(options.corsOrigins?.map(checkOrigin)),
  })
  const reachable = new ReachableAddresses(options.allowPrivateWebhooks)
  const domain = domainOf(options)
  const host = { bind: options.host ?? DEFAULT_HOST, shown: shownHost(options.host) }
  const holdsProcess = options.holdsProcess ?? true
  const queue = new AnswerQueue(runtime)
  const bodies = new Bodies(options.maxBufferedBytes ?? LIMITS.bufferedBodyBytes)
  const isShared = options.addresses === 'path'
  const openAddress: ServiceParts['openAddress'] = async (simulation, https = options.https ?? false, port = 0) => {
    if (!isShared) return openPort(addresses, simulation, { https, port })
    const ca = https ? (await certificate()).ca : undefined
    return sharedAddress({ scheme: https ? 'https' : 'http', domain, ca }, simulation)
  }
  const slices = new Slices(runtime.clock)
  // Times that all nodes compare.
  const timed = withClockOf(store, runtime)
  const handlerSource = new HandlerSource(options.handlerFiles ?? false)
  const accounts = new Accounts(given, timed, store?.ledger)
  const ledger = store?.ledger ?? new MemorySessions()
  const makers = {
    runtime,
    holds: { ledger, runtime: timed },
    slices,
    readers: new ReaderMemory(),
    reachable,
    pages: options.pages ?? isOfThisMachine(options),
    models,
    accounts,
    openAddress,
    handlerSource,
  }
  const stored = store && new StoredSimulations(openStoreParts(store, runtime, options.storeOptions), makers)
  const simulations = new Simulations(stored, accounts, runtime)
  const addresses: AddressParts = { simulations, findVisitor, queue, bodies, certificate, host, holdsProcess }
  const codes = new SignInCodes(timed, ledger)
  const parts: ServiceParts = {
    ...makers,
    modelFiles,
    version: once(packageVersion),
    simulations,
    library: new ServiceLibrary(library),
    adviser: options.model === undefined ? undefined : new Adviser(options.model),
    codes,
    sinks: new WorkerSinks(reachable),
    // A sink on loopback belongs to one machine.
    workerSinks: !store?.isShared && (options.workerSinks ?? reachable.includesPrivate(DEFAULT_HOST)),
  }
  const api = createManagementApi(parts)
  const hosts = [host.bind, domain]
  const dashboard = serveDashboard({ api, bodies, codes, runtime: timed, accounts, ledger, hosts })
  const hasSimulations = isShared
  const shared: SharedPortParts = { api, simulations, findVisitor, queue, bodies, dashboard, hasSimulations, domain }
  const serve = (request: IncomingMessage, response: ServerResponse) => serveSharedPort(shared, request, response)
  const answer = operations?.watch(serve, (request) => kindOfRequest(shared, request)) ?? serve
  const listen = () => startListener({ host: host.bind, port: options.port ?? 0, certificate, answer, holdsProcess })
  return { parts, api, codes, store: opened, operations, certificate, listen }
}

const LOCAL_NAME = /^(?:127\.[\d.]+|::1|(?:.+\.)?localhost)$/

/** Whether only this machine reaches a service. */
const isOfThisMachine = ({ host = DEFAULT_HOST, domain = host, trustProxy = [] }: ServiceOptions): boolean =>
  [host, domain].every((name) => LOCAL_NAME.test(name)) && trustProxy.length === 0

/** The dashboard, loaded at the first request below `/ui`. */
function serveDashboard(parts: DashboardParts): SharedPortParts['dashboard'] {
  const load = once(async () => (await import('./ui/dashboard.ts')).createDashboard(parts))
  return (request, response, visitor) => {
    load()
      .then((serve) => serve(request, response, visitor))
      .catch(() => response.destroy())
  }
}

function toService(
  assembly: Assembly,
  { listener, url, ca, simulations }: Pick<Service, 'url' | 'ca' | 'simulations'> & { listener: OpenServer },
): OperatedService {
  const { parts, api, codes, operations } = assembly
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(assembly, listener)
    return closing
  }
  const checkOpen = () => {
    if (closing !== undefined) throw new Error('Failed to call the service: it is closed. Start another.')
  }
  const callDirectly = createDirectCalls(parts, { ip: DEFAULT_HOST, origin: url })
  const answerTo = async (request: ManagementRequest, readBody: ManagementArrival['readBody']) => {
    checkOpen()
    return api(request, { ip: DEFAULT_HOST, origin: url, readBody })
  }
  return {
    url,
    ca,
    simulations,
    accountKey: parts.accounts.firstKey,
    fetch: async (request) => {
      const plain = { method: request.method, url: request.url, headers: Object.fromEntries(request.headers) }
      const readBody = async (bounds: BodyBounds) => bounded(new Uint8Array(await request.arrayBuffer()), bounds)
      return toResponse(await answerTo(plain, readBody))
    },
    dashboardUrl: () => `${url}/ui/?code=${codes.issue(parts.accounts.firstKey).code}`,
    exchange: (request) => answerTo(request, async (bounds) => bounded(Buffer.from(request.body ?? ''), bounds)),
    call: async (id, input) => {
      checkOpen()
      return callDirectly(id, input)
    },
    exemptSink: (sink) => parts.reachable.add(sink),
    offerHandlers: (handlers) => parts.handlerSource.offer(handlers),
    respondWith: (id, scope, handler) => addResponder(parts, id, scope, handler),
    answerPrompts: (id, answer) => ownSimulation(parts, id).functions.addReplier(answer),
    operations,
    warnedRequests: () => parts.accounts.first.warned,
    drain: async (wait) => {
      operations?.drain()
      const drained = listener.drain(wait)
      await parts.runtime.sleep(wait.delayMs)
      const isOver = new AbortController()
      const ended = parts.runtime.sleep(wait.mostMs / 2, isOver.signal).then(
        () => parts.simulations.endFastForwards('the service was stopped meanwhile'),
        () => {},
      )
      await Promise.all([drained.finally(() => isOver.abort()), ended, parts.simulations.rest()])
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function ownSimulation({ simulations, accounts }: ServiceParts, simulationId: string): Simulation {
  const simulation = simulations.find(accounts.first, simulationId)?.simulation
  if (simulation === undefined) throw notFound(`No simulation "${simulationId}" in this account.`)
  return simulation
}

function addResponder(
  parts: ServiceParts,
  simulationId: string,
  { name, ...scope }: Parameters<Service['respondWith']>[1],
  handler: Parameters<Service['respondWith']>[2],
): ReturnType<Service['respondWith']> {
  const simulation = ownSimulation(parts, simulationId)
  if (scope.operation !== undefined) checkOperationId(simulation.model, scope.operation)
  const id = parts.runtime.uuid()
  const warning = explainReach(scope, simulation.model)
  return { id, warning, remove: simulation.functions.respond({ id, name, scope, handler }) }
}

async function closeAll({ parts, store, operations }: Assembly, listener: OpenServer): Promise<void> {
  await Promise.all([listener.close(), parts.simulations.close(), parts.modelFiles?.settled()])
  await operations?.close()
  await store?.close()
}

function toResponse({ status, headers, body }: ManagementAnswer): Response {
  return new Response(body ?? null, { status, headers: headers as Record<string, string> })
}

function bounded(body: Uint8Array, { maxBytes, extent }: BodyBounds): Uint8Array | 'too-large' | 'refused' {
  if (body.byteLength > maxBytes) return 'too-large'
  return extent.take(body) ? body : 'refused'
}

function packageVersion(): string {
  return createRequire(import.meta.url)('backlot/package.json').version as string
}

/** The parts of a service for operators. */
function operatedParts({ simulations, version }: ServiceParts, store: Store | undefined): OperatedParts {
  return {
    store,
    facts: { version: version(), engine: ENGINE, schema: store?.schema },
    sources: {
      simulations: () => simulations.inMemory().length,
      bytes: () => simulations.bytes,
      waiting: () =>
        simulations.inMemory().reduce((sum, { simulation }) => sum + (simulation.kept?.lane.waiting ?? 0), 0),
      offsetMs: () => store?.offsetMs ?? 0,
      poolWaiting: () => store?.waiting ?? 0,
    },
  }
}
