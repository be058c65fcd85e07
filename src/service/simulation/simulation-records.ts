import type { RecordsPage, RecordsQuery, ValueCounts } from '../../protocol/reads.ts'
import type { KeptRecord } from '../../protocol/record-edit.ts'
import type { LongRead } from '../world/long-reads.ts'
import { countValues, readRecord, readRecords } from './core/world-reads.ts'
import type { RunningCore } from './running/running-core.ts'

/** The owner's access to records, without the simulated API. */
export class SimulationRecords {
  readonly #running: RunningCore

  constructor(running: RunningCore) {
    this.#running = running
  }

  /** One page of a collection. Throws `not_found` for an unknown one, and a {@link LongRead} to continue for many records. */
  page(collection: string, query: RecordsQuery, read: LongRead | undefined): RecordsPage {
    this.#running.tick()
    return this.#running.read(() => readRecords(this.#running.core.world, collection, query), read)
  }

  /** Number of records for each value of a field. Throws like {@link page}, and `bad_request` for a field with many values. */
  countValues(collection: string, field: string, read: LongRead | undefined): ValueCounts {
    this.#running.tick()
    return this.#running.read(() => countValues(this.#running.core.world, collection, field), read)
  }

  /** Number of records, counted with pauses: the first count of a collection chooses its ids. */
  *counting(): Generator<undefined, number> {
    const { world } = this.#running.core
    let count = 0
    for (const { name } of world.model.collections) {
      count += world.count(name)
      yield
    }
    return count
  }

  /** Throws `not_found` for an unknown collection or record. */
  read(collection: string, id: string): KeptRecord {
    this.#running.tick()
    return readRecord(this.#running.core.world, collection, id)
  }
}
