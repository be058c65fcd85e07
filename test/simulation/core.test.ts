import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadEntry } from '../../src/library/load-entry.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import type { Command } from '../../src/service/simulation/command.ts'
import { SimulationCore } from '../../src/service/simulation/core.ts'

const KEY = 'svc_sim_00000000'
const START = Date.UTC(2026, 0, 5)

const entry = await loadEntry('task-tracker')
if (entry === undefined) throw new Error('Failed to load library entry "task-tracker".')
const model = readDescription(entry.openapi)
const plan = {
  rules: entry.behaviour.map((rule, at) => ({ id: `r${at}`, name: `r${at}`, enabled: true, ...rule })),
}

function createCore(): SimulationCore {
  const dataset = createDataset(model, { seed: 'core', epoch: START, volume: { tasks: 30 }, seedRecords: {} })
  const core = new SimulationCore({
    model,
    dataset,
    seed: 'core',
    epoch: START,
    createdAt: START,
    validation: 'strict',
    strictParents: false,
    access: { ipRestrictionEnabled: false, ipAllowlist: [] },
    plan,
    countRequest: () => true,
  })
  core.execute({ at: START, kind: 'issue-key', name: 'test', key: KEY })
  return core
}

/** A command without its time; ids are drawn from the tasks and projects that there are. */
type Draft = { kind: string; number: number; text: string }

const drafts = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'create',
      'create',
      'update',
      'delete',
      'list',
      'fast-forward',
      'add-rule',
      'remove-rule',
      'set-behaviour',
      'pause',
      'resume',
      'reset',
      'issue-key',
      'set-access',
      'tick',
    ),
    number: fc.nat(1_000),
    text: fc.string({ minLength: 1, maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 25 },
)

function toCommand(core: SimulationCore, draft: Draft, at: number): Command {
  const { kind, number, text } = draft
  const id = core.world.collection('projects').pickKey(number * 4_294_967) ?? 'none'
  const request = (method: string, path: string, body?: unknown): Command => ({
    at,
    kind: 'request',
    request: {
      method,
      path,
      query: '',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        ...(number % 3 === 0 && { 'idempotency-key': text }),
      },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      ip: '127.0.0.1',
      origin: 'http://127.0.0.1:1',
    },
  })
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
    case 'add-rule':
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
      return { at, kind, id: core.rules()[0]?.id ?? 'none' }
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
    default:
      return { at, kind: kind as 'pause' | 'resume' | 'reset' | 'tick' }
  }
}

/** Executes a command; what it refuses is part of the run. */
function run(core: SimulationCore, command: Command): void {
  try {
    core.execute(command)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ApiError') throw error
  }
  core.takeFresh()
}

const textOf = (core: SimulationCore): string => JSON.stringify(core.dump())

it('gives the same bytes by applying the deltas as by running the commands', () => {
  fc.assert(
    fc.property(drafts, (session) => {
      const leader = createCore()
      const follower = createCore()
      for (const [step, draft] of session.entries()) {
        leader.begin()
        run(leader, toCommand(leader, draft, START + (step + 1) * 60_000))
        follower.apply(JSON.parse(JSON.stringify(leader.take())))
      }

      expect(textOf(follower)).toBe(textOf(leader))
      expect(follower.events()).toEqual(leader.events())
    }),
    { numRuns: 60 },
  )
})

it('gives the state before when a command is undone', () => {
  fc.assert(
    fc.property(drafts, (session) => {
      const core = createCore()
      for (const [step, draft] of session.entries()) {
        const command = toCommand(core, draft, START + (step + 1) * 60_000)
        const before = textOf(core)
        core.begin()
        run(core, command)
        core.undo()
        expect(sortedState(textOf(core))).toEqual(sortedState(before))
        run(core, command)
      }
    }),
    { numRuns: 60 },
  )
})

it('goes on identically from a dump', () => {
  fc.assert(
    fc.property(drafts, drafts, (session, rest) => {
      const core = createCore()
      for (const [step, draft] of session.entries()) run(core, toCommand(core, draft, START + (step + 1) * 60_000))
      const copy = createCore()
      copy.apply(JSON.parse(textOf(core)))
      for (const [step, draft] of rest.entries()) {
        const command = toCommand(core, draft, START + (session.length + step + 1) * 60_000)
        run(core, command)
        run(copy, command)
      }

      expect(sortedState(textOf(copy))).toEqual(sortedState(textOf(core)))
      expect(copy.events()).toEqual(core.events())
    }),
    { numRuns: 60 },
  )
})

/** The order in which an overlay's positions were first touched is no part of the state. */
function sortedState(text: string): unknown {
  const state = JSON.parse(text)
  for (const collection of state.world.collections) {
    collection.positions.sort(
      (left: { position: number }, right: { position: number }) => left.position - right.position,
    )
  }
  return state
}
