import { isDeepStrictEqual } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { ManagementClient } from '../client/management-client.ts'
import { createSimulationIn } from '../fixture/create/create-simulation.ts'
import { thisProcess } from '../fixture/run/test-process.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { LibraryEntry } from '../library/library-entry.ts'
import type { ProofStep } from '../library/proof-file.ts'
import { parseJson } from '../protocol/json.ts'
import { systemClock } from '../runtime/clock.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'
import { Fillers, type Shown } from './fillers.ts'
import { HandlerReads } from './handler-reads.ts'
import { strangeIds } from './id-forms.ts'
import { installedSdk, unfitBodies } from './proof-bodies.ts'
import { checkDeliveries, schemeOf } from './proof-deliveries.ts'
import { type ClientModule, ProofRun, readClient } from './proof-run.ts'
import { unreadInputs } from './unread-inputs.ts'

/** Largest entry in bytes, compressed with Brotli. */
export const MOST_BYTES = 80_000
/** Number of records of a collection that are compared. */
const COMPARED = 500

/** The result of proving an entry. */
export interface EntryProof {
  readonly entry: LibraryEntry
  readonly operations: number
  readonly warnings: readonly string[]
  /** The entry as one JSON, compressed with Brotli. */
  readonly bytes: number
  /** The SDK installed near the folder; undefined where it is missing, or the entry names none. */
  readonly sdk: ReturnType<typeof installedSdk>
  /** Parameters and body fields without effect, a sentence each. */
  readonly unread: readonly string[]
  /** Undefined without a `verify.yaml`. */
  readonly proved?: ProvedSteps
}

/** The result of the steps of `verify.yaml`. */
export interface ProvedSteps {
  readonly steps: number
  /** Deliveries that were accepted unchanged, and refused when altered and when too old. */
  readonly deliveries: number
  /** Whether the provider's own verifier was used. */
  readonly isOfficial: boolean
  /** Received event types, and the parts of the entry that no step has shown, a sentence each. */
  readonly types: readonly string[]
  readonly unseen: readonly string[]
  /** Records in deliveries that do not fit their schemas. */
  readonly unfit: readonly string[]
  /** Texts and addresses in answers and deliveries that the provider's would not have, a sentence each. */
  readonly fillers: readonly string[]
}

/**
 * Proves the entry of a folder: it can be read, two simulations with one seed and time have the same records, the steps
 * of its `verify.yaml` pass, and each delivery is verified. Rejects with the first fault.
 */
export async function proveEntry(folder: string): Promise<EntryProof> {
  const [{ readFolder }, { readProof }, { startService }] = await Promise.all([
    import('../library/own-entries.ts'),
    import('../library/proof-file.ts'),
    import('../service/start.ts'),
  ])
  const entry = await readFolder(folder)
  const steps = await readProof(folder)
  // First, as in a test: a client whose undici is older than ours sends forms through the dispatcher that was loaded
  // first.
  const client = await readClient(folder)
  using fillers = new Fillers()
  const reads = await HandlerReads.watch(entry.handlers)
  await using service = await startService({ library: [folder], workerSinks: true })
  const { url: baseUrl, accountKey } = service
  // The service ends with this process: `shared` starts no other process that deletes what a killed one leaves.
  const environment = { ...thisProcess.environment, service: { baseUrl, accountKey, shared: true } }
  const epoch = new Date(systemClock.now())
  const open = () => createSimulationIn({ process: thisProcess, environment }, entry.slug, { epoch })
  await using simulation = await open().catch(async (cause: Error) => {
    const { locateFaults } = await import('../library/locate-faults.ts')
    throw new Error(await locateFaults(cause.message, folder), { cause })
  })
  await using second = await open()
  await compareRecords(simulation, second)
  const { api } = await new ManagementClient({ baseUrl, accountKey }).getSimulation(simulation.id)
  const { operations, warnings } = api
  // A tenth larger than at the best quality, in a fortieth of the time.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  const bytes = brotliCompressSync(JSON.stringify(entry), quality).length
  const proved = steps && (await proveSteps(entry, steps, { simulation, client, fillers }))
  const unread = await unreadInputs(entry, reads)
  const facts = { entry, operations, warnings, bytes, sdk: installedSdk(entry, folder), unread }
  return { ...facts, ...(proved && { proved }) }
}

/** Rejects unless both simulations have the same records. */
async function compareRecords(one: Simulation, other: Simulation): Promise<void> {
  for (const { name } of one.collections) {
    const [first, second] = await Promise.all(
      [one, other].map((simulation) => simulation.records(name, { limit: COMPARED })),
    )
    if (!isDeepStrictEqual(first, second))
      throw new Error(`Expected two simulations of one seed to have the same ${name}, got others.`)
  }
}

async function proveSteps(
  entry: LibraryEntry,
  steps: readonly ProofStep[],
  { simulation, client, fillers }: { simulation: Simulation; client: ClientModule | undefined; fillers: Fillers },
): Promise<ProvedSteps> {
  const run = new ProofRun(simulation, client)
  await run.steps(steps)
  await simulation.webhooks.settled()
  const { secret, publicKey, url = '' } = simulation.webhooks
  const received = simulation.webhooks.all()
  const official = run.verifier()
  await checkDeliveries(received, { scheme: await schemeOf(entry), secret, publicKey, url }, official)
  const shown = [...run.answers, ...received.map(bodyOf)]
  const came = new Set(received.map(({ type }) => type))
  return {
    steps: steps.length,
    deliveries: received.length,
    isOfficial: official !== undefined,
    types: [...came],
    unseen: unseenTypes(entry, came),
    unfit: await unfitBodies(entry, received),
    fillers: [...fillers.find(entry, shown, run.sent), ...(await strangeIds(entry, simulation, shown, run.sent))],
  }
}

const bodyOf = ({ type, rawBody }: ReceivedWebhook): Shown => ({
  by: type,
  body: parseJson(Buffer.from(rawBody).toString()) ?? null,
})

function unseenTypes({ webhooks }: LibraryEntry, came: ReadonlySet<string>): string[] {
  const types = new Set((webhooks?.events ?? []).flatMap(({ type, types: several }) => several ?? type ?? []))
  return [...types].filter((type) => !came.has(type)).map((type) => `No step makes an event ${type}.`)
}
