import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SimulationCore } from '../../src/service/simulation/core.ts'
import { createCore, drafts, run, START, toCommand } from './core-session.ts'

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
