import { invalidRequest } from '../../../protocol/errors.ts'
import type { KeptRecord } from '../../../protocol/record-edit.ts'
import type { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import { findExcess } from '../../simulated-api/validation/record-size.ts'
import type { Change } from '../../world/change.ts'
import type { CommandOf } from './command.ts'
import type { CoreState } from './core-state.ts'
import { type Editing, planEdit } from './edit-record.ts'
import type { LoggedChange } from './logged-change.ts'
import { planTrigger } from './trigger-event.ts'
import { describeRecord } from './world-reads.ts'
import type { WorldTimeline } from './world-timeline.ts'

/** The owner's changes to a simulation's data. */
export class OwnerEdits {
  readonly #api: CompiledApi
  readonly #state: CoreState
  readonly #timeline: WorldTimeline

  constructor(api: CompiledApi, state: CoreState, timeline: WorldTimeline) {
    this.#api = api
    this.#state = state
    this.#timeline = timeline
  }

  /** Changes a record; returns it, or undefined for a deletion. */
  edit({ at, edit, isQuiet }: CommandOf<'edit-record'>): KeptRecord | undefined {
    const { world } = this.#state
    const editing = this.#editingAt(at)
    const change = planEdit(editing, edit)
    this.#check([change])
    this.#timeline.commit([change], editing.at, { cause: 'edit', isQuiet })
    const live = world.collection(change.collection).live(change.key)
    return live && describeRecord(world, live)
  }

  /** Causes an event; returns its change. A record needed for it is created quietly. */
  trigger({ at, trigger, isQuiet }: CommandOf<'trigger-event'>): LoggedChange {
    const editing = this.#editingAt(at)
    const { before, change } = planTrigger(editing, trigger, this.#timeline.runner.plan)
    this.#check([...(before ? [before] : []), change])
    if (before !== undefined) this.#timeline.commit([before], editing.at, { cause: 'edit', isQuiet: true })
    this.#timeline.commit([change], editing.at, { cause: 'edit', isQuiet })
    return this.#state.log.latest(1)[0] as LoggedChange
  }

  #check(changes: readonly Change[]): void {
    const excess = findExcess(changes)
    if (excess !== undefined) throw invalidRequest(excess.message)
    this.#timeline.registry?.check(changes)
  }

  #editingAt(real: number): Editing {
    return { api: this.#api, world: this.#state.world, at: this.#timeline.clock.now(real) }
  }
}
