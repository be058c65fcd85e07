import type { z } from 'zod'
import { didYouMean } from '../../names/nearest-name.ts'
import type { NewBehaviourRule } from '../../protocol/behaviour.ts'
import { badRequest, invalidRequest, notFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { checkSpecSize, LIMITS } from '../../protocol/limits.ts'
import type { CreatedSimulation, createSimulationRequest } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { Proposal } from '../instructions/proposal.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Blueprint } from '../simulation/blueprint.ts'
import { explainReach } from '../simulation/rule-reach.ts'
import { Simulation } from '../simulation/simulation.ts'
import { DEFAULT_SEED, listSome, type SimulationInit } from '../simulation/simulation-init.ts'
import type { ServiceParts } from './handlers.ts'
import { HostedSimulation } from './hosted-simulation.ts'

type Creation = z.output<typeof createSimulationRequest>

/** Who asks for a simulation, and from where. */
export interface Creator {
  account: Account
  ip: string
  origin: string
}

/** What a simulation is made from. */
interface Source {
  blueprint: Blueprint
  name: string
  behaviour: NewBehaviourRule[] | undefined
  volume: Record<string, number>
}

/** How every note about a key begins. */
export const KEY_REMINDER = 'Store this key now: it is shown only once.'

/**
 * Makes a simulation: reads its description, generates its data, opens its address and issues its first key. When any
 * of that fails, nothing of it stays.
 *
 * @param options.key the first key, given by the operator instead of issued.
 * @throws {@link ApiError} as the specification lists for `POST /v1/simulations`.
 */
export async function createSimulation(
  parts: ServiceParts,
  request: Creation,
  creator: Creator,
  options: { key?: string | undefined } = {},
): Promise<CreatedSimulation> {
  checkRequest(request)
  const release = creator.account.reserveSimulation()
  const undo: (() => unknown)[] = [release]
  try {
    if (request.slug !== undefined) undo.push(parts.simulations.reserveSlug(request.slug))
    const source = await findSource(parts, request)
    const slug = request.slug ?? parts.simulations.suggestSlug(source.name, () => parts.runtime.secret(3))
    if (request.slug === undefined) undo.push(parts.simulations.reserveSlug(slug))
    const proposal = await propose(parts, request, creator.account, source.blueprint.model)
    const init = toInit(parts, request, creator, source, { slug, proposal })
    const simulation = new Simulation(init)
    undo.push(() => simulation.close())
    const apiKey = simulation.issueKey('default', options.key)
    const address = await parts.openAddress(simulation, request.https)
    undo.push(() => address.close())
    creator.account.charge(countGenerated(simulation, request))
    const hosted = new HostedSimulation({ simulation, account: creator.account, address, release })
    parts.simulations.add(hosted)
    const warnings = warningsOf(simulation, init.blueprint.startingPlan(init.plan).dropped)
    return answerOf(hosted, creator, { apiKey, proposal, warnings })
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

function checkRequest({ library, spec }: Creation): void {
  if ((library === undefined) === (spec === undefined)) {
    const got = library === undefined ? 'neither' : 'both'
    throw invalidRequest(`Expected exactly one of \`library\` and \`spec\`, got ${got}.`)
  }
  if (spec !== undefined) checkSpecSize(spec)
}

/** What a language model makes of the instructions; undefined where none is asked. */
async function propose(
  { adviser }: ServiceParts,
  { instructions, useModel, seed }: Creation,
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
  account.chargeProposal()
  return adviser.ask(question)
}

async function findSource(parts: ServiceParts, request: Creation): Promise<Source> {
  if (request.spec !== undefined) {
    const blueprint = await parts.models.ofText(request.spec)
    return { blueprint, name: request.name ?? blueprint.model.title, behaviour: undefined, volume: {} }
  }
  const slug = request.library as string
  const entry = await parts.library.find(slug)
  if (entry === undefined) {
    const slugs = parts.library.search({ limit: LIMITS.libraryPage.max }).map((known) => known.slug)
    const name = slug.slice(0, 100)
    throw notFound(`No library entry "${name}".${didYouMean(name, slugs)} There are: ${listSome(slugs)}.`)
  }
  const blueprint = parts.models.ofDocument(entry.openapi)
  return { blueprint, name: request.name ?? slug, behaviour: nonEmpty(entry.behaviour), volume: entry.volume }
}

/** An entry without a plan of its own gets one that is derived from its model. */
function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list
}

function toInit(
  parts: ServiceParts,
  request: Creation,
  { account, ip }: Creator,
  { blueprint, name, behaviour, volume }: Source,
  { slug, proposal }: { slug: string; proposal: Proposal | undefined },
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
    volume: { ...volume, ...proposal?.volume, ...request.volume },
    hints: proposal?.hints,
    seedRecords: (request.seedRecords ?? {}) as Record<string, JsonObject[]>,
    validation: request.validation,
    strictParents: request.strictParents,
    instructions: request.instructions,
    plan: ((request.behaviour ?? proposal?.behaviour) as NewBehaviourRule[] | undefined) ?? behaviour,
    rules: request.rules,
    runtime,
    exemptions: parts.exemptions,
    maxWebhooks: account.plan.webhooksPerSimulation,
    access: {
      ipRestrictionEnabled: request.ipRestrictionEnabled ?? false,
      ipAllowlist: request.ipAllowlist ?? [],
      creatorIp: ip,
    },
    meter: account,
  }
}

/** Records that were given cost nothing. */
function countGenerated(simulation: Simulation, { seedRecords = {} }: Creation): number {
  const all = simulation.collections().reduce((sum, { records }) => sum + records, 0)
  const given = Object.values(seedRecords).reduce((sum, records) => sum + records.length, 0)
  return Math.max(0, all - given)
}

function answerOf(
  { simulation, address }: HostedSimulation,
  { origin }: Creator,
  { apiKey, ...noted }: Noted & { apiKey: string },
): CreatedSimulation {
  return {
    id: simulation.id,
    slug: simulation.slug,
    url: address.urlFor(origin),
    status: 'queued',
    apiKey,
    note: noteOf(simulation, noted),
    ...(address.ca === undefined ? {} : { ca: address.ca }),
    ...(noted.warnings.length === 0 ? {} : { warnings: [...noted.warnings] }),
  }
}

/** Why steps of the first plan were dropped, and which of the first response rules no operation can meet. */
function warningsOf(simulation: Simulation, dropped: readonly string[]): string[] {
  const steps = dropped.map((reason) => `Dropped of \`behaviour\`: ${reason.replace(/\.$/, '')}.`)
  const rules = simulation.rules().flatMap((rule) => {
    const warning = explainReach(rule, simulation.model)
    return warning === undefined ? [] : [`Response rule "${rule.name}" will not act: ${warning}`]
  })
  return [...steps, ...rules]
}

/** What a note tells of beside the simulation itself. */
interface Noted {
  readonly proposal: Proposal | undefined
  /** What of the request will not have the effect that it asks for. */
  readonly warnings: readonly string[]
}

function noteOf({ instructions, model }: Simulation, { proposal, warnings }: Noted): string {
  const shaped = 'A language model shaped volumes, values and behaviour by the instructions.'
  const kept =
    'The instructions are kept with the simulation; no language model was used, so they do not shape its data.'
  const about = instructions === undefined ? [] : [proposal === undefined ? kept : shaped]
  return [KEY_REMINDER, ...about, ...warnings, ...shorten(model.warnings)].join(' ')
}

/** Warnings that a note repeats; the detail read has all of them. */
const NOTED_WARNINGS = 5

function shorten(warnings: readonly string[]): string[] {
  const more = warnings.length - NOTED_WARNINGS
  if (more <= 0) return [...warnings]
  return [...warnings.slice(0, NOTED_WARNINGS), `${more} more warnings are in \`api.warnings\` of the detail read.`]
}
