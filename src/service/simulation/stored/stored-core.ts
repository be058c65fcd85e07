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
import type { Slices } from '../slices.ts'

/** Most characters of one batch's changes. */
const MOST_DELTA = 32 * 1024 * 1024
/** Longest list that is serialised in one step. */
const SHORT = 64
/** A shorter journal is not compacted. */
const LEAST_COMPACTED = 1024 * 1024

/** A question for the head, asked at `since`. */
export interface HeadLook {
  readonly since: number
  readonly mark: Promise<JournalMark | undefined>
}

/** A core with changes in a store, each on the condition that no other node was first. */
export class StoredCore {
  readonly #id: string
  readonly #running: RunningCore
  readonly #parts: StoreParts
  readonly #runtime: Runtime
  readonly #slices: Slices
  readonly #forms: EventForms
  /** The sender of webhooks. */
  deliveries: StoredDeliveries | undefined
  #mark: JournalMark
  /** Characters of the stored state and of later commits. */
  #stateLength: number
  #tailLength = 0
  readonly #bound: StateBound
  #isCompacting = false
  /** Time of the last check of the head. */
  #lookedAt = Number.NEGATIVE_INFINITY

  /** @param start the core's input, and its position in the journal */
  constructor(
    start: { readonly id: string; readonly mark: JournalMark; readonly stateLength: number },
    running: RunningCore,
    parts: StoreParts,
    { runtime, slices, forms }: { runtime: Runtime; slices: Slices; forms: EventForms },
  ) {
    this.#id = start.id
    this.#mark = start.mark
    this.#stateLength = start.stateLength
    // Events are excluded, since they include deleted records.
    const weigh = () => JSON.stringify({ ...running.core.dump(), events: null }).length
    // The journal since the state, which is at most this long, may have enlarged it.
    const length = start.stateLength + Math.max(LEAST_COMPACTED, start.stateLength)
    this.#bound = new StateBound(parts.mostState, length, { weigh, now: () => runtime.clock.monotonic() })
    this.#running = running
    this.#parts = parts
    this.#runtime = runtime
    this.#slices = slices
    this.#forms = forms
    this.#beginStrand()
    // The first batch goes by it, before it has asked the store.
    running.clockOffsetMs = parts.store.offsetMs
  }

  /** Characters of the stored state and of later commits. */
  get length(): number {
    return this.#stateLength + this.#tailLength
  }

  /** Whether other nodes may commit too. */
  get isShared(): boolean {
    return this.#parts.store.isShared
  }

  /** Asks the store for the head; undefined where other nodes' commits are not looked for now. */
  look(): HeadLook | undefined {
    const { store, head, trustMs } = this.#parts
    const since = this.#runtime.clock.monotonic()
    if (!store.isShared || since - this.#lookedAt < trustMs) return undefined
    const mark = askPatiently(this.#runtime, () => head(this.#id))
    // Commands that turn out to be changes do not wait for it.
    mark.catch(() => {})
    return { since, mark }
  }

  /** Whether no other node has committed, so that what was read is current. @param look made after the reads arrived */
  async isCurrent(look = this.look()): Promise<boolean> {
    if (this.isShared) this.#running.clockOffsetMs = this.#parts.store.offsetMs
    if (look === undefined) return true
    const mark = await look.mark
    const isCurrent = mark?.head === this.#mark.head && mark.tip === this.#mark.tip
    if (isCurrent) this.#lookedAt = look.since
    return isCurrent
  }

  /**
   * Saves the changes of a batch, with its events for webhooks. Without an answer of the store it finds out the result.
   * Rejects with {@link StoreUnavailable} after 10 s, with {@link StoreFull} and {@link SimulationFull} at once, and
   * with `bad_request` for too large a commit.
   */
  async commit(drafted: Delta, hold: string | null): Promise<Appended> {
    const delta = isShort(drafted)
      ? JSON.stringify(drafted)
      : await this.#slices.finish(writingJson(drafted, MOST_DELTA))
    if (delta.length > MOST_DELTA) throw tooMuchAtOnce()
    if (isGrowth(drafted) && !this.#bound.hasSpace()) throw new SimulationFull(this.#parts.mostState / 1_000_000)
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

  /** Applies other nodes' commits. False for a deleted simulation. No journal may be open. */
  async refresh(): Promise<boolean> {
    const missed = await askPatiently(this.#runtime, () => this.#parts.store.load(this.#id, this.#mark))
    if (missed === undefined) return false
    this.#mark = takeOver(this.#running, missed) ?? this.#mark
    const { state, commits } = missed
    if (state !== undefined) {
      this.#beginStrand()
      this.#stateLength = state.dump.length
      this.#bound.replace(state.dump.length)
    }
    for (const { delta } of commits) {
      this.#tailLength += delta.length
      this.#noteSize(false, delta.length)
    }
    return true
  }

  /** Prevents other nodes from committing for `ms`. */
  async hold(hold: string, ms: number): Promise<Appended> {
    if (!this.#parts.store.isShared) return 'kept'
    return askPatiently(this.#runtime, () => this.#parts.store.hold(this.#id, this.#mark, hold, ms))
  }

  /** The loaded state may lack commits that this node, or another one, has already announced. */
  #beginStrand(): void {
    this.#running.core.log.strand = this.#runtime.uuid().slice(0, 8)
  }

  #noteSize(isReplaced: boolean, length: number): void {
    if (isReplaced) this.#bound.replace(length)
    else this.#bound.add(length)
  }

  /** When a node must run the plan so that webhooks are sent in time, by the store's clock; undefined if none is needed. */
  get #wakeAt(): number | undefined {
    const { core } = this.#running
    const dueAt = core.webhooks.count === 0 ? undefined : core.timeline.nextDueAt
    const now = this.#running.now()
    return dueAt === undefined ? undefined : now + dueAt - core.clock.now(now)
  }

  /** Whether changes may affect deliveries. */
  #concernsDeliveries({ settings }: Delta): boolean {
    return this.#running.core.webhooks.count > 0 || settings.webhooks !== undefined
  }

  #draftOutbox(delta: Delta): Promise<OutboxChange | null> {
    const { core, receivers } = this.#running
    return this.#slices.finish(draftOutbox(core, this.#forms, { delta, isPutBack: receivers.isPutBack }))
  }

  async #append(entry: Entry): Promise<Appended> {
    const { append } = this.#parts
    try {
      return await append(entry)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
    return askPatiently(this.#runtime, async () => {
      if (await this.#isKept(entry)) return 'kept'
      const result = await append(entry)
      // An unanswered commit may have been saved between the check and this one.
      return result === 'behind' && (await this.#isKept(entry)) ? 'kept' : result
    })
  }

  async #isKept({ from, next }: Entry): Promise<boolean> {
    const missed = await this.#parts.store.load(this.#id, from)
    return missed?.commits.some(({ head, tip }) => head === from.head + 1 && tip === next) ?? false
  }

  /** Its text is written in slices, during other commits. */
  async #compactWhereLong(at: number): Promise<void> {
    if (this.#isCompacting || this.#tailLength < Math.max(LEAST_COMPACTED, this.#stateLength)) return
    this.#isCompacting = true
    const state = this.#running.core.dump()
    const mark = this.#mark
    this.#tailLength = 0
    const dump = await this.#slices.finish(writingJson(state))
    this.#stateLength = dump.length
    // A failed compaction only costs time at loading: the next one is tried later.
    await this.#parts.store.compact(this.#id, { ...mark, at, dump }).catch(() => {})
    this.#isCompacting = false
  }
}

/** Whether a change is serialised in one step: checks only its few lists, not all contents. */
function isShort({ world, settings, events }: Delta): boolean {
  if (events.added.length > SHORT || world.singletons.length > SHORT) return false
  let positions = 0
  for (const collection of world.collections) positions += collection.positions.length
  return positions <= SHORT && Object.values(settings).every((entries) => entries.length <= SHORT)
}

/** Whether changes may enlarge a simulation: deletions and resets do not. */
function isGrowth({ world }: Delta): boolean {
  if (world.fromStart) return false
  const hasRecord = world.collections.some(({ positions }) => positions.some(({ record }) => isRecord(record)))
  return hasRecord || world.singletons.some(([, record]) => isRecord(record))
}

const isRecord = (record: JsonObject | null | undefined): boolean => record !== null && record !== undefined

/** Updates a core to the state of a journal. Returns its mark; undefined if nothing was missing. */
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

/** A state is measured again after this many characters of changes, as a part of its limit, or after this time. */
const WEIGHED_AGAIN = 1 / 16
const WEIGHED_AGAIN_MS = 10_000

/**
 * The limit of one simulation's state. Changes may replace each other, so their length is an upper bound; the state
 * itself is measured when the bound exceeds the limit.
 */
class StateBound {
  readonly #most: number
  readonly #weigh: () => number
  readonly #now: () => number
  /** Characters at the last measurement, and of later changes. */
  #weighed: number
  #added = 0
  #weighedAt = Number.NEGATIVE_INFINITY

  /** @param most characters @param length upper bound of the state's characters @param weigh measures it again */
  constructor(most: number, length: number, { weigh, now }: { weigh: () => number; now: () => number }) {
    this.#most = most
    this.#weighed = length
    this.#weigh = weigh
    this.#now = now
  }

  /** Adds changes. */
  add(length: number): void {
    this.#added += length
  }

  /** Replaces the state. */
  replace(length: number): void {
    this.#weighed = length
    this.#added = 0
    this.#weighedAt = Number.NEGATIVE_INFINITY
  }

  /** Whether it may grow. The measured state may already include the addition. */
  hasSpace(): boolean {
    if (this.#weighed + this.#added <= this.#most) return true
    const isLongAgo = this.#now() - this.#weighedAt >= WEIGHED_AGAIN_MS
    if (isLongAgo || this.#added > this.#most * WEIGHED_AGAIN) {
      this.#weighed = this.#weigh()
      this.#added = 0
      this.#weighedAt = this.#now()
    }
    return this.#weighed <= this.#most
  }
}
