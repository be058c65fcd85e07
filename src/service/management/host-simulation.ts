import type { z } from 'zod'
import { fileOfHandlers } from '../../library/built-in-entries.ts'
import type { BuiltInEntry } from '../../library/library-entry.ts'
import { didYouMean } from '../../names/nearest-name.ts'
import type { NewBehaviourRule } from '../../protocol/behaviour.ts'
import { badRequest, invalidRequest, notFound } from '../../protocol/errors.ts'
import { toHostPaths } from '../../protocol/hosts.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { checkSpecSize, LIMITS } from '../../protocol/limits.ts'
import type { CreatedSimulation, createSimulationRequest } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { Proposal } from '../instructions/proposal.ts'
import type { ApiModel } from '../openapi/model.ts'
import { curlOf } from '../simulation/key-places.ts'
import type { Blueprint } from '../simulation/origin/blueprint.ts'
import { DEFAULT_SEED, listSome, type SimulationInit } from '../simulation/origin/simulation-init.ts'
import { explainIdle } from '../simulation/requests/rule-reach.ts'
import { Simulation } from '../simulation/simulation.ts'
import type { EntryParts, SharedEntry } from './entry-parts.ts'
import type { ServiceParts } from './handlers.ts'
import { HostedSimulation } from './hosted-simulation.ts'
import { SlugTaken } from './stored-simulations.ts'

export type CreationRequest = z.output<typeof createSimulationRequest>

/** The client that creates a simulation. */
export interface Creator {
  readonly account: Account
  /** Address of the client, canonical form. */
  readonly ip: string
  /** Scheme and authority that the client used, for links. */
  readonly origin: string
  /** Whether the creation may name a file with handlers, as who starts the service may. */
  readonly mayImport?: true
  /** Its port, where simulations have one each. */
  readonly port?: number | undefined
}

/** A description or a library entry. */
interface Source {
  readonly blueprint: Blueprint
  readonly name: string
  /** Undefined: a plan is derived from the description. */
  readonly behaviour: NewBehaviourRule[] | undefined
  readonly volume: Record<string, number>
  readonly entry: SharedEntry | undefined
  /** For restoring the simulation later. */
  readonly descriptionText: () => string
}

/** Begins the note with each new key. */
export const KEY_REMINDER = 'Store this key now: it is shown only once.'

/**
 * Creates a simulation: reads its description, generates its data, opens its address and issues its first key. A
 * failure undoes all steps.
 *
 * @param key the first key; issued if absent.
 * @throws {@link ApiError} as the specification lists for `POST /v1/simulations`.
 */
export async function hostSimulation(
  parts: ServiceParts,
  request: CreationRequest,
  creator: Creator,
  key?: string,
): Promise<CreatedSimulation> {
  checkRequest(request)
  const { account, origin } = creator
  // A store counts the simulations of an account itself, on all nodes.
  const release = parts.simulations.stored === undefined ? account.reserveSimulation() : () => {}
  const undo: (() => unknown)[] = [release]
  try {
    if (request.slug !== undefined) {
      await parts.simulations.dropDeleted(request.slug)
      undo.push(parts.simulations.reserveSlug(request.slug))
    }
    const source = await findSource(parts, request, account)
    const slug = request.slug ?? (await reserveFreeSlug(parts, source.name, undo))
    const proposal = await propose(parts, request, account, source.blueprint.model)
    const functions = await readFunctions(parts, request, source, creator.mayImport)
    const entryParts = source.entry && (await parts.models.partsOf(source.entry))
    const init = { ...toInit(parts, request, creator, source, { slug, proposal, entryParts }), ...functions }
    const simulation = new Simulation(init)
    undo.push(() => simulation.close())
    const apiKey = simulation.issueKey('default', key)
    const address = await parts.openAddress(simulation, request.https, creator.port)
    undo.push(() => address.close())
    // A count makes each collection choose its ids.
    const isFree = account.plan.pricePerRecordUsd === 0
    const all = isFree ? 0 : await parts.slices.finish(simulation.records.counting())
    const generated = countGenerated(all, request)
    const { https } = request
    const { stored } = parts.simulations
    if (stored === undefined) undo.push(account.charge(generated))
    await stored?.create({ simulation, account, init, https, generated, descriptionText: source.descriptionText() })
    const { runtime, readers, holds } = parts
    parts.simulations.add(new HostedSimulation({ simulation, account, address, runtime, readers, release, holds }))
    const dropped = warningsOf(simulation, source.blueprint.startingPlan(init.plan).dropped)
    const warnings = [...dropped, ...simulation.model.cuts]
    return {
      ...toCreated({ simulation, address }, origin, apiKey, noteOf(simulation, proposal !== undefined, dropped)),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(init.apiWebhooks === undefined ? {} : { webhookScheme: 'entry' }),
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    // Another node has taken the generated slug.
    if (error instanceof SlugTaken && request.slug === undefined) return hostSimulation(parts, request, creator, key)
    throw error
  }
}

/** A simulation with its new key. */
export function toCreated(
  { simulation, address }: Pick<HostedSimulation, 'simulation' | 'address'>,
  origin: string,
  apiKey: string,
  note = KEY_REMINDER,
): CreatedSimulation {
  const { id, slug, model } = simulation
  const url = address.urlFor(origin)
  const curl = curlOf(model, url, apiKey)
  return { id, slug, url, status: 'queued', apiKey, curl, note, ...(address.ca && { ca: address.ca }) }
}

async function reserveFreeSlug({ simulations }: ServiceParts, name: string, undo: (() => unknown)[]): Promise<string> {
  const { slug, release } = await simulations.reserveFreeSlug(name)
  undo.push(release)
  return slug
}

function checkRequest({ library, spec, entry }: CreationRequest): void {
  if (entry !== undefined && spec === undefined)
    throw invalidRequest('Expected `entry` to come with `spec`, the description that it is laid over, got no `spec`.')
  if ((library === undefined) === (spec === undefined)) {
    const got = library === undefined ? 'neither' : 'both'
    throw invalidRequest(`Expected exactly one of \`library\` and \`spec\`, got ${got}.`)
  }
  if (spec !== undefined) checkSpecSize(spec)
}

/** The language model's proposal for the instructions; undefined without a language model. */
async function propose(
  { adviser, simulations: { stored } }: ServiceParts,
  { instructions, useModel, seed }: CreationRequest,
  account: Account,
  model: ApiModel,
): Promise<Proposal | undefined> {
  if (useModel && adviser === undefined) {
    throw badRequest(
      'Failed to use a model: this service has no language model. Start it with one (`startService({ model })`, ' +
        '`backlot serve --model provider:name`), or leave `useModel` out.',
    )
  }
  if (useModel && !instructions) {
    throw invalidRequest('Expected `instructions` to be given where `useModel` is true, got nothing.')
  }
  if (adviser === undefined || !instructions || useModel === false) return undefined
  const question = { model, instructions, seed: String(seed ?? DEFAULT_SEED) }
  const known = adviser.recall(question)
  if (known !== undefined) return known
  if (stored === undefined) account.chargeProposal()
  else await stored.chargeProposal(account)
  return adviser.ask(question)
}

async function findSource(parts: ServiceParts, request: CreationRequest, account: Account): Promise<Source> {
  const { library, spec = '', entry: laid, name } = request
  const slug = typeof laid === 'object' ? undefined : (library ?? laid)
  const known = slug === undefined ? undefined : await findEntry(parts, slug)
  const entry = typeof laid === 'object' ? await readGiven(laid) : known
  const blueprint =
    known !== undefined && library !== undefined
      ? await parts.models.ofEntry(known)
      : await parts.models.ofText(
          spec,
          { ...parts, account },
          known === undefined ? entry : { ...known, known: known.slug },
        )
  return {
    blueprint,
    entry,
    name: name ?? known?.slug ?? blueprint.model.title,
    behaviour: entry === undefined || entry.behaviour.length === 0 ? undefined : entry.behaviour,
    volume: entry?.volume ?? {},
    descriptionText: () =>
      entry === undefined ? spec : JSON.stringify(blueprint.joined ?? blueprint.model.reader.references.document),
  }
}

/** The entry that the creation itself has. */
async function readGiven(given: JsonObject): Promise<SharedEntry> {
  checkSpecSize(JSON.stringify(given), 'entry')
  const { checkGiven } = await import('../../library/own-entries.ts')
  return checkGiven(given)
}

async function findEntry({ library }: ServiceParts, slug: string): Promise<BuiltInEntry> {
  const entry = await library.find(slug)
  if (entry !== undefined) return entry
  const known = await library.search({ limit: LIMITS.libraryPage.max })
  const slugs = known.map((other) => other.slug)
  const name = slug.slice(0, 100)
  throw notFound(`No library entry "${name}".${didYouMean(name, slugs)} There are: ${listSome(slugs)}.`)
}

/** The handlers of the creation, and those of its entry. */
async function readFunctions(
  { handlerSource }: ServiceParts,
  { handlers: asked, entry: ofCreation }: CreationRequest,
  { blueprint: { model }, entry }: Source,
  mayImport = false,
): Promise<Pick<SimulationInit, 'functions' | 'handlers'>> {
  const ofEntry = typeof ofCreation === 'object' ? undefined : entry?.handlers
  const handlers = [asked, ofEntry].filter((address) => address !== undefined)
  if (handlers.length === 0) return {}
  const own = ofEntry === undefined ? [] : [fileOfHandlers(ofEntry)]
  return { handlers, functions: await handlerSource.read({ given: asked, own }, model, mayImport) }
}

function toInit(
  parts: ServiceParts,
  request: CreationRequest,
  { account, ip }: Creator,
  { blueprint, name, behaviour, volume, entry }: Source,
  { slug, proposal, entryParts }: { slug: string; proposal: Proposal | undefined; entryParts: EntryParts | undefined },
): SimulationInit {
  const { runtime } = parts
  return {
    id: runtime.uuid(),
    name,
    slug,
    hasOwnSlug: request.slug !== undefined,
    blueprint,
    seed: request.seed === undefined ? undefined : String(request.seed),
    epoch: request.epoch === undefined ? undefined : Date.parse(request.epoch),
    createdAt: parts.simulations.stored?.now(),
    volume: { ...volume, ...proposal?.volume, ...request.volume },
    hints: proposal?.hints,
    seedRecords: joinRecords(entry?.seed, {
      ...blueprint.model.signIn?.seed,
      ...(request.seedRecords as Record<string, JsonObject[]> | undefined),
    }),
    examples: request.examples ?? (isOwn(request) || undefined),
    ...entryParts,
    apiWebhooks: entryParts?.apiWebhooks ?? blueprint.apiWebhooks,
    keyPrefixes: [entry?.keyPrefix ?? []].flat(),
    hosts: entry?.hosts && toHostPaths(entry.hosts),
    validation: request.validation,
    lenientParents: request.lenientParents,
    lenientKeys: request.lenientKeys,
    replies: request.replies,
    instructions: request.instructions,
    plan: ((request.behaviour ?? proposal?.behaviour) as NewBehaviourRule[] | undefined) ?? behaviour,
    rules: request.rules,
    runtime,
    slices: parts.slices,
    reachable: parts.reachable,
    pages: parts.pages,
    maxWebhooks: account.plan.webhooksPerSimulation,
    access: {
      ipRestrictionEnabled: request.ipRestrictionEnabled ?? false,
      ipAllowlist: request.ipAllowlist ?? [],
      creatorIp: ip,
    },
    meter: account,
    isStored: parts.simulations.stored !== undefined,
  }
}

/** Whether a description of the caller is simulated as it is, not a library entry with its own records. */
const isOwn = ({ library, entry }: CreationRequest): boolean => library === undefined && typeof entry !== 'string'

/** The records of an entry, followed by the request's. */
function joinRecords(
  ofEntry: Readonly<Record<string, JsonObject[]>> = {},
  given: Readonly<Record<string, JsonObject[]>> = {},
): Record<string, JsonObject[]> {
  const joined = Object.entries(ofEntry).map(([name, records]) => [name, [...records, ...(given[name] ?? [])]])
  return { ...given, ...Object.fromEntries(joined) }
}

/** Number of generated records among `all`; seed records cost nothing. */
function countGenerated(all: number, { seedRecords = {} }: CreationRequest): number {
  const given = Object.values(seedRecords).reduce((sum, records) => sum + records.length, 0)
  return Math.max(0, all - given)
}

/** A sentence for each dropped step of the first plan, for each first response rule that no operation can match, and for each webhook of a seed record that cannot be reached. */
function warningsOf(simulation: Simulation, dropped: readonly string[]): string[] {
  const steps = dropped.map((reason) => `Dropped of \`behaviour\`: ${reason.replace(/\.$/, '')}.`)
  const rules = simulation.rules.list().flatMap((rule) => {
    const warning = explainIdle(rule, simulation.model)
    return warning === undefined ? [] : [`Response rule "${rule.name}" will not act: ${warning}`]
  })
  return [...steps, ...rules, ...simulation.skippedWebhooks()]
}

function noteOf({ instructions, model }: Simulation, isProposed: boolean, warnings: readonly string[]): string {
  const shaped = 'A language model shaped volumes, values and behaviour by the instructions.'
  const kept =
    'The instructions are kept with the simulation; no language model was used, so they do not shape its data.'
  const about = instructions === undefined ? [] : [isProposed ? shaped : kept]
  return [KEY_REMINDER, ...about, ...warnings, ...shorten(model.warnings)].join(' ')
}

/** Most warnings in a note; the detail read has all of them. */
const NOTED_WARNINGS = 5

function shorten(warnings: readonly string[]): string[] {
  const more = warnings.length - NOTED_WARNINGS
  if (more <= 0) return [...warnings]
  return [...warnings.slice(0, NOTED_WARNINGS), `${more} more warnings are in \`api.warnings\` of the detail read.`]
}
