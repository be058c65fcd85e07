import { eventKinds } from '../../names/event-kinds.ts'
import { badRequest } from '../../protocol/errors.ts'
import { explainUnknownKind } from '../../protocol/event.ts'
import { toHostPaths } from '../../protocol/hosts.ts'
import type { Inspection } from '../../protocol/inspection.ts'
import { checkSpecSize } from '../../protocol/limits.ts'
import type { ResponseRule, RuleCondition } from '../../protocol/response-rule.ts'
import type { SimulationDetail, SimulationOverview, SimulationSummary } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Account } from '../account/account.ts'
import type { ApiModel } from '../openapi/model.ts'
import { readHosts } from '../openapi/servers.ts'
import { curlOf, keyPlacesOf } from '../simulation/key-places.ts'
import { answerOwner } from '../simulation/owner-request.ts'
import { checkOperationId } from '../simulation/owner-rules.ts'
import { explainIdle, servedPath } from '../simulation/requests/rule-reach.ts'
import type { AtOnce, Handlers, ServiceParts } from './handlers.ts'
import { hostSimulation, KEY_REMINDER } from './host-simulation.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

const OK = { ok: true } as const

/** Endpoints of simulations that do not use one simulation, or find it themselves. */
export const SIMULATION_HANDLERS = {
  listSimulations: async ({ account, origin, query: { detail } }, { simulations }) => {
    const list = <T>(show: (one: HostedSimulation) => T) =>
      simulations.list(account, (one) =>
        simulations.stored?.isShared === true ? showShared(one, () => show(one)) : [show(one)],
      )
    if (detail !== 'true') return { data: await list((one) => summarise(one, origin)) }
    const arrived = await simulations.stored?.countRequests(account)
    return { data: await list((one) => overview(one, origin, arrived?.get(one.simulation.id))) }
  },

  createSimulation: (call, parts) => hostSimulation(parts, call.body, call),

  inspectDescription: ({ account, body: { spec } }, parts) => inspectDescription(parts, spec, account),

  deleteSimulation: ({ hosted }, { simulations }) => simulations.remove(hosted),

  fastForward: ({ simulation, body, left }) => simulation.fastForward(body.hours, left),

  advanceClock: ({ simulation, body, left }) => simulation.fastForward(body.seconds / 3_600, left),

  runRule: ({ simulation, parameters }) => simulation.runRule(parameters.ruleId),

  tryRequest: ({ hosted: { simulation, address }, body, ip, origin, left }) =>
    answerOwner(simulation, body, { ip, origin: address.urlFor(origin), left }),

  actOnSignIn: ({ hosted: { simulation, address }, body, origin }) =>
    simulation.execute({ kind: 'act-on-sign-in', asked: body, origin: address.urlFor(origin) }),

  holdTest: async ({ hosted, body: { test = 'The test' }, headers, origin }, { codes }) => {
    const { code, kept } = codes.issue((headers.authorization ?? '').replace(/^\S+ +/, ''))
    await Promise.all([kept, hosted.hold.begin(test)])
    return { held: true, test, dashboard: `${origin}/ui/s/${hosted.simulation.slug}?code=${code}` }
  },

  readHold: ({ hosted, query }) => hosted.hold.wait(query.timeoutMs),

  releaseHold: ({ hosted }) => hosted.hold.end(),

  listSnapshots: async ({ simulation }) => ({ data: await simulation.snapshots() }),

  takeSnapshot: async ({ simulation, query: { name }, left }) => ({ id: await simulation.snapshot(name, left) }),

  restoreSnapshot: async ({ simulation, parameters }) => {
    await simulation.restore(parameters.snapshotId)
    return OK
  },

  readLogs: async ({ simulation, query }) => {
    const { model, requests } = simulation
    if (query.operation !== undefined) checkOperationId(model, query.operation)
    const { path: pathPattern = '*', names, operation } = query
    const method = query.method?.toUpperCase()
    const scope = {
      ...(operation !== undefined && { operation }),
      ...(method !== undefined && { method }),
      ...(names !== undefined && { when: whenOf(names) }),
    }
    const isScoped = [query.path, method, names].some((given) => given !== undefined)
    const path = isScoped ? servedPath(model, pathPattern, scope) : undefined
    const selection = { ...query, method, path }
    await simulation.run(() => {})
    const isDetailed = query.detail === 'true'
    return { data: await (isDetailed ? requests.readLogDetails(selection) : requests.readLog(selection)) }
  },

  listKeys: async ({ simulation, query }) => {
    const keys = await simulation.run(() => simulation.keys())
    if (query.detail !== 'true') return { data: keys.map(({ prefix, name }) => ({ prefix, name })) }
    const lastUses = await simulation.requests.readLastUses()
    const shown = keys.map(({ prefix, name, createdAt }) => ({
      prefix,
      name,
      createdAt: toIso(createdAt),
      lastUsedAt: lastUses.get(prefix) ?? null,
    }))
    return { data: shown }
  },

  readLog: async ({ simulation, parameters }) => {
    await simulation.run(() => {})
    return simulation.requests.readLogDetail(parameters.requestId)
  },

  streamActivity: ({ hosted, headers, query }) =>
    openStream(hosted, () => hosted.activity.open(headers['last-event-id'], query.kinds)),
} satisfies Partial<Handlers>

/** Synchronous endpoints that read or change one simulation. */
export const STATE_HANDLERS = {
  readSimulation: ({ hosted, origin }) => describe(hosted, origin),

  // Time and state: pause, reset, the behaviour plan.
  pause: ({ simulation }) => {
    simulation.execute({ kind: 'pause' })
    return OK
  },

  resume: ({ simulation }) => {
    simulation.execute({ kind: 'resume' })
    return OK
  },

  reset: ({ simulation }) => {
    simulation.reset()
    return OK
  },

  readBehaviour: ({ simulation }) => simulation.plan.read(),

  readPlanRuns: ({ simulation, query: { until } }) =>
    simulation.plan.runs(until === undefined ? undefined : Date.parse(until)),

  setBehaviour: ({ simulation, body }) => {
    const { plan, dropped } = simulation.execute({ kind: 'set-behaviour', rules: body.rules })
    return { ...plan, dropped: [...dropped] }
  },

  readClock: ({ simulation }) => simulation.clock(),

  // Settings of the owner: response rules, access, keys.
  addRule: ({ simulation, body }) => withReach(simulation.rules.add(body), simulation.model),

  replaceRule: ({ simulation, body, parameters }) =>
    withReach(simulation.rules.replace(parameters.ruleId, body), simulation.model),

  removeRule: ({ simulation, parameters }) => simulation.rules.remove(parameters.ruleId),

  setAccess: ({ simulation, body }) => {
    simulation.execute({ kind: 'set-access', change: body })
    return OK
  },

  issueKey: ({ simulation, body }) => ({ apiKey: simulation.issueKey(body.name), note: KEY_REMINDER }),

  revokeKey: ({ simulation, parameters }) => simulation.execute({ kind: 'revoke-key', prefix: parameters.prefix }),

  // Activity of a simulation.
  readEvents: ({ simulation, query }) => {
    const { type } = query
    const problem = type === undefined ? undefined : explainUnknownKind(type, eventKinds(simulation.model))
    if (problem !== undefined) throw badRequest(problem)
    return { data: simulation.events(query) }
  },
} satisfies Partial<AtOnce>

/** A rule, with the reason if it will never act. */
function withReach(rule: ResponseRule, model: ApiModel): ResponseRule {
  const warning = explainIdle(rule, model)
  return warning === undefined ? rule : { ...rule, warning }
}

/** Opens a stream on the simulation's current state. A repeated batch of a lane closes its earlier stream. */
async function openStream(
  { simulation }: HostedSimulation,
  open: () => ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  let opened: ReadableStream<Uint8Array> | undefined
  try {
    return await simulation.run(() => {
      void opened?.cancel()
      opened = open()
      return opened
    })
  } catch (error) {
    void opened?.cancel()
    throw error
  }
}

/** A simulation's list entry, for a client that used `origin`. */
function summarise({ simulation, address }: HostedSimulation, origin: string): SimulationSummary {
  return {
    id: simulation.id,
    name: simulation.name,
    slug: simulation.slug,
    status: simulation.status(),
    url: address.urlFor(origin),
    createdAt: toIso(simulation.createdAt),
  }
}

/** A simulation's list entry with `detail=true`. @param requests their number on all nodes */
function overview(
  hosted: HostedSimulation,
  origin: string,
  requests = hosted.simulation.requests.log.arrived,
): SimulationOverview {
  const { simulation } = hosted
  const { offsetMs, paused } = simulation.clock()
  const webhooks = simulation.webhooks.states()
  return {
    ...summarise(hosted, origin),
    title: simulation.model.title,
    records: simulation.collections().reduce((sum, { records }) => sum + records, 0),
    offsetMs: paused ? null : offsetMs,
    requests,
    webhooks: webhooks.length,
    webhooksOff: webhooks.filter(({ state }) => state === 'off').length,
  }
}

/** Shows a simulation with the changes of other nodes; nothing for a deleted one. */
async function showShared<T>({ simulation }: HostedSimulation, show: () => T): Promise<T[]> {
  try {
    return [await simulation.run(show)]
  } catch (error) {
    if (simulation.isGone) return []
    throw error
  }
}

/** Everything about a simulation (specification, Simulation). */
function describe(hosted: HostedSimulation, origin: string): SimulationDetail {
  const { simulation, address } = hosted
  const { title, version, basePath, operations, warnings, faults } = simulation.model
  return {
    ...summarise(hosted, origin),
    api: { title, version, basePath, operations: operations.length, warnings: [...warnings], faults: [...faults] },
    collections: simulation.collections(),
    events: [...new Set([...simulation.entryTypes, ...eventKinds(simulation.model)])],
    behaviour: simulation.plan.read(),
    access: simulation.access(),
    keys: simulation.keys().map(({ prefix }) => prefix),
    rules: simulation.rules.list(),
    webhooks: simulation.webhooks.list(),
    instructions: simulation.instructions ?? null,
    seed: simulation.seed,
    epoch: toIso(simulation.epoch),
    keyPlaces: keyPlacesOf(simulation.model),
    hosts: simulation.hosts ?? toHostPaths(readHosts(simulation.model.reader.references.document)),
    ...signInFactsOf(simulation.model),
    curl: curlOf(simulation.model, address.urlFor(origin), '<key>'),
    ...(simulation.functions.faults.length > 0 && { handlerFaults: simulation.functions.faults }),
    ...(address.ca === undefined ? {} : { ca: address.ca }),
  }
}

function signInFactsOf({ signIn }: ApiModel): Pick<SimulationDetail, 'signIn'> {
  if (signIn === undefined) return {}
  const [home] = Object.keys(signIn.hosts)
  return { signIn: { issuer: signIn.issuer.replace('{tenant}', signIn.tenants?.id ?? ''), ...(home && { home }) } }
}

/** Summary of a description, read and cached as for a creation. Throws like a creation. */
async function inspectDescription(parts: ServiceParts, spec: string, account: Account): Promise<Inspection> {
  checkSpecSize(spec)
  const { api } = await parts.models.ofText(spec, { ...parts, account })
  const { inspecting } = await import('../simulated-api/inspect-model.ts')
  return parts.slices.finish(inspecting(api))
}

/** `query.limit,body.title` as the condition of a rule. */
function whenOf(names: string): RuleCondition {
  const of = (part: string) =>
    names.split(',').flatMap((name) => (name.startsWith(part) ? [[name.slice(part.length), '']] : []))
  return { query: Object.fromEntries(of('query.')), body: Object.fromEntries(of('body.')) }
}
