import type { JsonObject } from '../../../protocol/json.ts'
import { writingJson } from '../../../protocol/writing-json.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { askPatiently } from '../../store/ask-patiently.ts'
import { type Appended, type Entry, type JournalMark, type Missed, StoreUnavailable } from '../../store/store.ts'
import type { StoreParts } from '../../store/store-parts.ts'
import { checkUnsealed } from '../../store/text-seal.ts'
import type { OutboxChange } from '../../store/work.ts'
import type { EventForms } from '../../webhooks/event-forms.ts'
import type { Delta } from '../core/core-state.ts'
import { draftOutbox } from '../deliveries/outbox-draft.ts'
import type { StoredDeliveries } from '../deliveries/stored-deliveries.ts'
import { SimulationFull, tooMuchAtOnce } from '../running/command-lane-errors.ts'
import type { RunningCore } from '../running/running-core.ts'
import type { Slices } from '../running/slices.ts'
import { StateBound } from './state-bound.ts'

/** Characters of what one batch may come to. */
const MOST_DELTA = 32 * 1024 * 1024
/** Entries of a list that are written at once. */
const SHORT = 64
/** A journal that is shorter is not worth a new state. */
const LEAST_COMPACTED = 1024 * 1024

/** A core whose changes are kept in a store, each on the condition that no other node was first. */
export class StoredCore {
  readonly #id: string
  readonly #running: RunningCore
  readonly #parts: StoreParts
  readonly #runtime: Runtime
  readonly #slices: Slices
  readonly #forms: EventForms
  /** Where what is to be sent is sent from. */
  deliveries: StoredDeliveries | undefined
  #mark: JournalMark
  /** Characters of the state in the store and of the commits since. */
  #stateLength: number
  #tailLength = 0
  readonly #bound: StateBound
  #isCompacting = false
  /** When the head was looked at last. */
  #lookedAt = Number.NEGATIVE_INFINITY

  /** @param start what the core was made from: it stands there */
  constructor(
    start: { readonly id: string; readonly mark: JournalMark; readonly stateLength: number },
    running: RunningCore,
    parts: StoreParts,
    { runtime, slices, forms }: { runtime: Runtime; slices: Slices; forms: EventForms },
  ) {
    this.#id = start.id
    this.#mark = start.mark
    this.#stateLength = start.stateLength
    // The latest events have records too that are no longer there.
    const weigh = () => JSON.stringify({ ...running.core.dump(), events: null }).length
    // The journal since the state, which is not longer than this, may have made it larger.
    const length = start.stateLength + Math.max(LEAST_COMPACTED, start.stateLength)
    this.#bound = new StateBound(parts.mostState, length, { weigh, now: () => runtime.clock.monotonic() })
    this.#running = running
    this.#parts = parts
    this.#runtime = runtime
    this.#slices = slices
    this.#forms = forms
  }

  /** Characters of the state in the store and of the commits since. */
  get length(): number {
    return this.#stateLength + this.#tailLength
  }

  /** Whether other nodes may commit too. */
  get isShared(): boolean {
    return this.#parts.store.isShared
  }

  /** Whether nothing was committed elsewhere, so that what was read is the present. */
  async isCurrent(): Promise<boolean> {
    const { store, heads, trustMs } = this.#parts
    if (!store.isShared) return true
    this.#running.clockOffsetMs = store.offsetMs
    const now = this.#runtime.clock.monotonic()
    if (now - this.#lookedAt < trustMs) return true
    const mark = await askPatiently(this.#runtime, () => heads.head(this.#id))
    const isCurrent = mark?.head === this.#mark.head && mark.tip === this.#mark.tip
    if (isCurrent) this.#lookedAt = now
    return isCurrent
  }

  /**
   * Keeps what a batch came to, with the events that it sends. Where the store gives no answer it finds out what became of it. Rejects
   * with {@link StoreUnavailable} after 10 s, with {@link StoreFull} and {@link SimulationFull} at once, and with `bad_request` where it is too
   * much for one commit.
   */
  async commit(drafted: Delta, hold: string | null): Promise<Appended> {
    const delta = isShort(drafted)
      ? JSON.stringify(drafted)
      : await this.#slices.finish(writingJson(drafted, MOST_DELTA))
    if (delta.length > MOST_DELTA) throw tooMuchAtOnce()
    if (isGrowth(drafted) && !this.#bound.hasRoom()) throw new SimulationFull(this.#parts.mostState / 1_000_000)
    const outbox = this.#concernsDeliveries(drafted) ? await this.#draftOutbox(drafted) : null
    const at = this.#running.now()
    const wakeAt = this.#wakeAt ?? null
    const entry: Entry = { id: this.#id, from: this.#mark, next: this.#runtime.uuid(), at, delta, hold, wakeAt, outbox }
    const result = await this.#append(entry)
    this.#running.clockOffsetMs = this.#parts.store.offsetMs
    if (result !== 'kept') return result
    this.#mark = { head: entry.from.head + 1, tip: entry.next }
    this.#tailLength += delta.length
    this.#noteSize(drafted.world.fromStart, delta.length)
    this.#running.core.keep()
    this.#running.noteKept(at)
    if (outbox !== null) this.deliveries?.nudge()
    void this.#compactWhereLong(at)
    return result
  }

  /** Takes over what other nodes have committed. False where the simulation is gone. No journal may be open. */
  async refresh(): Promise<boolean> {
    const missed = await askPatiently(this.#runtime, () => this.#parts.store.load(this.#id, this.#mark))
    if (missed === undefined) return false
    this.#mark = takeOver(this.#running, missed) ?? this.#mark
    const { state, commits } = missed
    if (state !== undefined) {
      this.#stateLength = state.dump.length
      this.#bound.replace(state.dump.length)
    }
    for (const { delta } of commits) {
      this.#tailLength += delta.length
      this.#noteSize(false, delta.length)
    }
    return true
  }

  /** Keeps other nodes, where there are any, from committing for `ms`. */
  async hold(hold: string, ms: number): Promise<Appended> {
    if (!this.#parts.store.isShared) return 'kept'
    return askPatiently(this.#runtime, () => this.#parts.store.hold(this.#id, this.#mark, hold, ms))
  }

  #noteSize(isReplaced: boolean, length: number): void {
    if (isReplaced) this.#bound.replace(length)
    else this.#bound.add(length)
  }

  /** When a node has to run the plan so that webhooks are sent in time, by the clock of the store; undefined where none is wanted. */
  get #wakeAt(): number | undefined {
    const { core } = this.#running
    const dueAt = core.webhooks.count === 0 ? undefined : core.living.nextDueAt
    const now = this.#running.now()
    return dueAt === undefined ? undefined : now + dueAt - core.clock.now(now)
  }

  /** Whether changes may have something to do with deliveries. */
  #concernsDeliveries({ settings }: Delta): boolean {
    return this.#running.core.webhooks.count > 0 || settings.webhooks !== undefined
  }

  async #draftOutbox(delta: Delta): Promise<OutboxChange | null> {
    const { core, outlets } = this.#running
    const run = draftOutbox(core, this.#forms, { delta, isPutBack: outlets.isPutBack })
    for (;;) {
      const done = this.#slices.run(run)
      if (done !== undefined) return done.value
      await this.#slices.next()
    }
  }

  async #append(entry: Entry): Promise<Appended> {
    const { appends } = this.#parts
    try {
      return await appends.append(entry)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
    return askPatiently(this.#runtime, async () => {
      if (await this.#isKept(entry)) return 'kept'
      const result = await appends.append(entry)
      // One that gave no answer may have been kept between the look and this one.
      return result === 'behind' && (await this.#isKept(entry)) ? 'kept' : result
    })
  }

  async #isKept({ from, next }: Entry): Promise<boolean> {
    const missed = await this.#parts.store.load(this.#id, from)
    return missed?.commits.some(({ head, tip }) => head === from.head + 1 && tip === next) ?? false
  }

  /** Its text is written in slices, while other commits come. */
  async #compactWhereLong(at: number): Promise<void> {
    if (this.#isCompacting || this.#tailLength < Math.max(LEAST_COMPACTED, this.#stateLength)) return
    this.#isCompacting = true
    const state = this.#running.core.dump()
    const mark = this.#mark
    this.#tailLength = 0
    const dump = await this.#slices.finish(writingJson(state))
    this.#stateLength = dump.length
    // A state that was not put there costs time when the simulation is loaded, and nothing else: the next one is tried later.
    await this.#parts.store.compact(this.#id, { ...mark, at, dump }).catch(() => {})
    this.#isCompacting = false
  }
}

/** Whether a change is written at once: the few lists of it are looked at, not all that it holds. */
function isShort({ world, settings, events }: Delta): boolean {
  if (events.added.length > SHORT || world.singletons.length > SHORT) return false
  let positions = 0
  for (const collection of world.collections) positions += collection.positions.length
  return positions <= SHORT && Object.values(settings).every((entries) => entries.length <= SHORT)
}

/** Whether changes may make a simulation larger: a deletion does not, nor does a reset. */
function isGrowth({ world }: Delta): boolean {
  if (world.fromStart) return false
  const hasRecord = world.collections.some(({ positions }) => positions.some(({ record }) => isRecord(record)))
  return hasRecord || world.singletons.some(([, record]) => isRecord(record))
}

const isRecord = (record: JsonObject | null | undefined): boolean => record !== null && record !== undefined

/** Brings a core to where a journal stands. Returns that mark; undefined where nothing was missed. */
export function takeOver(running: RunningCore, { state, commits }: Missed): JournalMark | undefined {
  if (state !== undefined) running.apply(readDelta(state.dump), state.at)
  for (const { delta, at } of commits) running.apply(readDelta(delta), at)
  const last = commits.at(-1) ?? state
  return last && { head: last.head, tip: last.tip }
}

function readDelta(text: string): Delta {
  checkUnsealed(text)
  return JSON.parse(text) as Delta
}
