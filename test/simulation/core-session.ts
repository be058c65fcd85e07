import fc from 'fast-check'
import { loadEntry } from '../../src/library/built-in-entries.ts'
import type { BehaviourPlan } from '../../src/protocol/behaviour.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import type { Command, CommandOf } from '../../src/service/simulation/core/command.ts'
import { SimulationCore } from '../../src/service/simulation/core/core.ts'

export const KEY = 'svc_sim_core_key_0000'
export const START = Date.UTC(2026, 0, 5)

const entry = await loadEntry('task-tracker')
if (entry === undefined) throw new Error('Failed to load library entry "task-tracker".')
const model = readDescription(entry.openapi)
const api = new CompiledApi(model)
const plan = {
  rules: entry.behaviour.map((rule, at) => ({ id: `r${at}`, name: `r${at}`, enabled: true, ...rule })),
}

/** @param options.volume of the collections. @default 30 tasks @param options.of of another API, with its plan */
export function createCore(
  options: { volume?: Record<string, number>; plan?: BehaviourPlan; of?: ApiModel } = {},
): SimulationCore {
  const { volume = { tasks: 30 }, of = model } = options
  const compiled = of === model ? api : new CompiledApi(of)
  const dataset = createDataset(compiled.model, { seed: 'core', epoch: START, volume, seedRecords: {} })
  const core = new SimulationCore({
    api: compiled,
    dataset,
    seed: 'core',
    epoch: START,
    createdAt: START,
    validation: 'strict',
    lenientParents: false,
    access: { ipRestrictionEnabled: false, ipAllowlist: [] },
    plan: options.plan ?? plan,
  })
  core.execute({ at: START, kind: 'issue-key', name: 'test', key: KEY })
  return core
}

/** A command without its time; ids are drawn from the tasks and projects that there are. */
export type Draft = { kind: string; number: number; text: string }

const KINDS = [
  'create',
  'create',
  'update',
  'delete',
  'list',
  'fast-forward',
  'set-rule',
  'remove-rule',
  'set-behaviour',
  'pause',
  'resume',
  'reset',
  'issue-key',
  'set-access',
  'tick',
  'limit',
  'restore',
  'webhook',
  'webhook-fault',
  'edit-record',
  'trigger-event',
]

/** Sessions of up to 25 commands. */
const sessionsOf = (kinds: readonly string[]) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      number: fc.nat(1_000),
      text: fc.string({ minLength: 1, maxLength: 20 }),
    }),
    { minLength: 1, maxLength: 25 },
  )

/** Sessions of commands of all kinds but rules that show older data, which is derived: a core from a dump has none. */
export const drafts = sessionsOf(KINDS)

/** Sessions of commands of all kinds. */
export const draftsWithStaleReads = sessionsOf([...KINDS, 'stale'])

/** The command that a draft means for a core as it stands. */
export function toCommand(core: SimulationCore, draft: Draft, at: number): Command {
  const { kind, number, text } = draft
  const id = core.world.collection('projects').pickKey(number * 4_294_967) ?? 'none'
  const request = (method: string, path: string, body?: unknown): Command =>
    requestOf(at, { method, path, body, headers: number % 3 === 0 ? { 'idempotency-key': text } : {} })
  switch (kind) {
    case 'create':
      return request('POST', '/projects', { name: text, key: `K${number}` })
    case 'update':
      return request('PATCH', `/projects/${id}`, { name: text })
    case 'delete':
      return request('DELETE', `/projects/${id}`)
    case 'list':
      return request('GET', '/projects')
    case 'fast-forward':
      return { at, kind, hours: 0.25 + (number % 48) }
    case 'set-rule':
      return {
        at,
        kind,
        rule: {
          name: text,
          kind: 'error',
          method: '*',
          pathPattern: '/*',
          config: { status: 500, probability: 0.5, times: 3 },
        },
      }
    case 'remove-rule':
      return { at, kind, id: core.rules.list()[0]?.id ?? 'none' }
    case 'set-behaviour':
      return {
        at,
        kind,
        rules: [{ everySeconds: 60 + number, steps: [{ kind: 'touch', collection: 'tasks', fraction: 0.1 }] }],
      }
    case 'issue-key':
      return { at, kind, name: text, key: `svc_sim_${String(number).padStart(8, '0')}` }
    case 'set-access':
      return { at, kind, change: { ipAllowlist: [`10.0.${number % 256}.0/24`] } }
    case 'limit': {
      const config = { limit: 2, windowSeconds: 3_600, scope: 'operation' }
      return { at, kind: 'set-rule', rule: { name: text, kind: 'rateLimit', method: '*', pathPattern: '/*', config } }
    }
    case 'stale': {
      const config = { lagMs: 1 + number * 100 }
      return { at, kind: 'set-rule', rule: { name: text, kind: 'staleRead', method: 'GET', pathPattern: '/*', config } }
    }
    case 'restore':
      return { at, kind, state: core.dump() }
    case 'webhook':
      return toWebhookCommand(core, at, number)
    case 'edit-record':
      return { at, kind, edit: toEdit(id, draft), isQuiet: number % 2 === 0 }
    case 'trigger-event': {
      const types = ['project.created', 'task.updated', 'task.done', 'project.deleted', 'none']
      return {
        at,
        kind,
        trigger: { type: types[number % types.length] as string, fields: {} },
        isQuiet: number % 2 === 0,
      }
    }
    case 'webhook-fault':
      return { at, kind: 'add-webhook-fault', fault: { id: `f${number % 3}`, kind: 'drop', events: ['*'] } }
    default:
      return { at, kind: kind as 'pause' | 'resume' | 'reset' | 'tick' }
  }
}

function toEdit(id: string, { number, text }: Draft): CommandOf<'edit-record'>['edit'] {
  const collection = 'projects'
  if (number % 4 === 0) return { kind: 'create', collection, fields: { name: text } }
  if (number % 4 === 1) return { kind: 'remove', collection, id }
  return { kind: number % 4 === 2 ? 'replace' : 'update', collection, id, fields: { name: text } }
}

function toWebhookCommand(core: SimulationCore, at: number, number: number): Command {
  const known = core.webhooks.list()[0]
  const secret = `whsec_${number}`
  const webhook = { id: `w${number % 5}`, url: 'https://a.example.org/', events: ['*'], secret }
  if (known === undefined || number % 4 === 0) return { at, kind: 'add-webhook', webhook }
  const kinds = ['remove-webhook', 'disable-webhook', 'enable-webhook'] as const
  return { at, kind: kinds[(number % 4) - 1] ?? 'remove-webhook', id: known.id }
}

/** A request with a key. */
export function requestOf(
  at: number,
  { method, path, body, headers }: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
): CommandOf<'request'> {
  return {
    at,
    kind: 'request',
    request: {
      method,
      path,
      query: '',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      ip: '127.0.0.1',
      origin: 'http://127.0.0.1:1',
    },
  }
}

/** Executes a command and returns what it answers; what it refuses is part of the run. */
export function run(core: SimulationCore, command: Command): unknown {
  try {
    return core.execute(command)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ApiError') throw error
    return error.message
  } finally {
    core.log.takeFresh()
  }
}
