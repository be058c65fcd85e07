import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Command } from '../../src/service/simulation/core/command.ts'
import type { SimulationCore } from '../../src/service/simulation/core/core.ts'
import type { CoreDump, Delta } from '../../src/service/simulation/core/core-state.ts'
import { createCore, drafts, draftsWithStaleReads, KEY, requestOf, run, START, toCommand } from './core-session.ts'

const textOf = (core: SimulationCore): string => JSON.stringify(core.dump())

const throughJson = <State extends Delta>(state: State): State => JSON.parse(JSON.stringify(state))

/** The state alone: when its last command was executed is no part of it. */
const stateOf = (core: SimulationCore): CoreDump => ({ ...throughJson(core.dump()), at: 0 })

const timeOf = (step: number): number => START + (step + 1) * 60_000

/** Executes a command as a store does, and returns what came of it. */
function runKept(core: SimulationCore, command: Command): { answer: unknown; delta: Delta | undefined } {
  core.begin()
  const answer = run(core, command)
  const delta = core.draft()
  core.keep()
  return { answer, delta: delta && throughJson(delta) }
}

it('gives the same state by applying the deltas as by running the commands', () => {
  fc.assert(
    fc.property(drafts, (session) => {
      const leader = createCore()
      const follower = createCore()
      for (const [step, draft] of session.entries()) {
        const { delta } = runKept(leader, toCommand(leader, draft, timeOf(step)))
        if (delta !== undefined) follower.apply(delta)
      }

      expect(stateOf(follower)).toEqual(stateOf(leader))
      expect(JSON.stringify(stateOf(follower))).toBe(JSON.stringify(stateOf(leader)))
      expect(follower.events()).toEqual(leader.events())
    }),
    { numRuns: 50 },
  )
})

it('gives the very same dump when a batch of commands was drafted and is undone', () => {
  fc.assert(
    fc.property(drafts, fc.nat(4), (session, batch) => {
      const core = createCore()
      for (const [step, draft] of session.entries()) {
        const before = textOf(core)
        core.begin()
        for (const [later, other] of session.slice(step, step + 1 + batch).entries()) {
          run(core, toCommand(core, other, timeOf(step + later)))
          core.draft()
        }
        core.undo()
        expect(textOf(core)).toBe(before)
        run(core, toCommand(core, draft, timeOf(step)))
      }
    }),
    { numRuns: 50 },
  )
})

it('answers as if nothing had been undone', () => {
  fc.assert(
    fc.property(drafts, drafts, (session, undone) => {
      const core = createCore()
      const untouched = createCore()
      for (const [step, draft] of session.entries()) {
        core.begin()
        for (const other of undone) run(core, toCommand(core, other, timeOf(step)))
        core.undo()
        const command = toCommand(untouched, draft, timeOf(step))
        expect(run(core, command)).toEqual(run(untouched, command))
      }

      expect(textOf(core)).toBe(textOf(untouched))
    }),
    { numRuns: 30 },
  )
})

it('continues identically from a dump that was converted to JSON and back', () => {
  fc.assert(
    fc.property(drafts, drafts, (session, rest) => {
      const core = createCore()
      for (const [step, draft] of session.entries()) run(core, toCommand(core, draft, timeOf(step)))
      const copy = createCore()
      copy.apply(throughJson(core.dump()))
      for (const [step, draft] of rest.entries()) {
        const command = toCommand(core, draft, timeOf(session.length + step))
        expect(run(copy, command)).toEqual(run(core, command))
      }

      expect(textOf(copy)).toBe(textOf(core))
      expect(copy.events()).toEqual(core.events())
    }),
    { numRuns: 50 },
  )
})

it('gives the same answers when two cores take turns over one stream of deltas', () => {
  fc.assert(
    fc.property(draftsWithStaleReads, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), (session, turns) => {
      const alone = createCore()
      const nodes = [createCore(), createCore()] as const
      for (const [step, draft] of session.entries()) {
        const [doer, other] = turns[step] ? nodes : ([nodes[1], nodes[0]] as const)
        const command = toCommand(alone, draft, timeOf(step))
        const expected = run(alone, command)
        const { answer, delta } = runKept(doer, command)
        if (delta !== undefined) other.apply(delta)
        expect(answer).toEqual(expected)
      }

      expect(stateOf(nodes[0])).toEqual(stateOf(alone))
      expect(stateOf(nodes[1])).toEqual(stateOf(alone))
    }),
    { numRuns: 50 },
  )
})

it('drafts nothing where nothing but time has passed', () => {
  const core = createCore()

  core.begin()
  run(core, requestOf(START + 1_000, { method: 'GET', path: '/projects' }))
  run(core, { at: START + 2_000, kind: 'tick' })

  expect(core.draft()).toBeUndefined()
})

it('drafts an idempotent answer and a counted rule as one entry each', () => {
  const core = createCore()
  const post = (step: number, key: string) =>
    requestOf(timeOf(step), {
      method: 'POST',
      path: '/projects',
      body: { name: key, key },
      headers: { 'idempotency-key': key },
    })
  const rule = { name: 'r', kind: 'error', method: 'GET', pathPattern: '/none', config: { status: 500 } } as const
  for (const pathPattern of ['/projects', '/none']) {
    core.execute({
      at: START,
      kind: 'set-rule',
      rule: { ...rule, method: '*', pathPattern, config: { times: 1, status: 500 } },
    })
  }
  for (let step = 0; step < 50; step++) core.execute(post(step, `K${step}`))

  core.begin()
  core.execute(post(50, 'K50'))
  const delta = core.draft()

  expect(Object.keys(delta?.settings ?? {}).sort()).toEqual(['answers', 'ruleCounters'])
  expect(delta?.settings).toMatchObject({ answers: { length: 1 }, ruleCounters: { length: 1 } })
})

it('writes a created record once into a delta', () => {
  const core = createCore()

  core.begin()
  core.execute(requestOf(START, { method: 'POST', path: '/projects', body: { name: 'Lighthouse', key: 'LH' } }))
  const text = JSON.stringify(core.draft())

  expect(text.match(/Lighthouse/g)).toHaveLength(1)
})

it('keeps no key in clear, wherever it was shown', () => {
  const core = createCore()
  const login = {
    method: 'POST',
    path: '/projects',
    body: { name: 'n', key: 'K' },
    headers: { 'idempotency-key': 'i' },
  }
  core.execute(requestOf(START, login))
  core.execute({ at: START, kind: 'issue-key', name: 'other', key: 'svc_sim_other_0123456789' })

  expect(core.keys.list().map(({ prefix }) => prefix)).toEqual([KEY.slice(0, 14), 'svc_sim_other_'])
  expect(textOf(core)).not.toContain(KEY)
  expect(textOf(core)).not.toContain('0123456789')
})

it('puts a state back by a command, whose delta starts from the dataset', () => {
  const leader = createCore()
  const follower = createCore()
  const create = (at: number, name: string) =>
    requestOf(at, { method: 'POST', path: '/projects', body: { name, key: name } })
  leader.execute(create(START, 'A'))
  const kept = leader.dump()
  leader.execute(create(START + 1_000, 'B'))
  follower.apply(throughJson(leader.dump()))

  leader.begin()
  leader.execute({ at: START + 5_000, kind: 'restore', state: kept })
  const delta = leader.draft()
  leader.keep()
  follower.apply(throughJson(delta as Delta))

  expect(delta?.world.fromStart).toBe(true)
  expect(leader.world.dump()).toEqual(kept.world)
  expect(leader.clock.now(START + 5_000)).toBe(START)
  expect(stateOf(follower)).toEqual(stateOf(leader))
  expect(follower.events()).toEqual(leader.events())
})
