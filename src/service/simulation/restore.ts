import type { CommandInput } from './command.ts'
import { deleted } from './command-lane-errors.ts'
import type { CoreDump } from './core-state.ts'
import type { RunningCore } from './running-core.ts'
import type { Slices } from './slices.ts'

/**
 * Puts a state back. Its data is made in slices, beside the living data: meanwhile requests are answered, and the plan runs. Then it is taken
 * over at once, as soon as nothing else is under way. Rejects where the simulation is deleted before.
 */
export async function restoreInSlices(running: RunningCore, state: CoreDump, slices: Slices): Promise<void> {
  const prepared = await slices.finish(running.core.world.preparing(state.world))
  while (running.phase !== 'running') {
    if (running.phase === 'closed') throw deleted()
    await running.ready
  }
  restore(running, { state, prepared })
}

/** Puts a state back now. */
export function restore(running: RunningCore, putBack: Omit<CommandInput<'restore'>, 'kind'>): void {
  running.holds.release()
  running.execute({ ...putBack, kind: 'restore' })
}
