import { type ApiError, invalidRequest } from '../../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { withTimes } from '../../../protocol/times.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import { explainGiven } from '../../simulated-api/validation/given-record.ts'
import { keyIn } from '../../world/field.ts'

/** Initial records, by collection. */
type RecordsByCollection = Readonly<Record<string, readonly JsonObject[]>>

/**
 * The seed records of one description. Those of a library entry are the same objects in each creation: their parts
 * without times are prepared and checked once.
 */
export class SeedRecords {
  readonly #api: CompiledApi
  /** Prepared records without times, by collection and given record. */
  readonly #prepared = new Map<string, WeakMap<JsonObject, JsonObject>>()
  /** Valid records, by collection. */
  readonly #fitting = new Map<string, WeakSet<JsonObject>>()

  /** @param checked records of a library entry that the build has checked */
  constructor(api: CompiledApi, checked: RecordsByCollection = {}) {
    this.#api = api
    for (const [name, records] of Object.entries(checked)) this.#fitting.set(name, new WeakSet(records))
  }

  /** The records of a library entry with defaults, and with times in place of `{ $time: … }`. */
  prepare(given: RecordsByCollection, epoch: number): Record<string, JsonObject[]> {
    const prepared = Object.entries(given).map(([name, records]) => {
      const defaults = this.#api.collection(name).recordDefaults
      const known = held(this.#prepared, name, () => new WeakMap<JsonObject, JsonObject>())
      const fitting = this.#fitting.get(name)
      const made = records.map((record) => {
        const one = known.get(record) ?? prepareOne(record, { defaults, epoch, known })
        if (fitting?.has(record)) fitting.add(one)
        return one
      })
      return [name, made]
    })
    return Object.fromEntries(prepared)
  }

  /** Throws `invalid_request` for records without unique ids, and for fields or values that the description does not allow. */
  check(records: RecordsByCollection, dataset: Dataset): void {
    this.#checkIds(records, dataset)
    for (const [name, ofCollection] of Object.entries(records)) {
      const fitting = held(this.#fitting, name, () => new WeakSet<JsonObject>())
      for (const [at, record] of ofCollection.entries()) {
        if (fitting.has(record)) continue
        const fault = explainGiven(record, this.#api.collection(name).givenFields, {
          place: `seedRecords.${name}[${at}]`,
        })
        if (fault !== undefined) throw invalidRequest(fault)
        fitting.add(record)
      }
    }
  }

  #checkIds(seedRecords: RecordsByCollection, { tables }: Dataset): void {
    const given = this.#api.model.collections.filter(({ name }) => Object.hasOwn(seedRecords, name))
    for (const {
      name,
      id: { field },
    } of given) {
      const records = seedRecords[name] ?? []
      const without = field === undefined ? records.length : countWithoutId(`seedRecords.${name}`, records, field)
      const room = without === 0 ? 0 : (tables.get(name)?.room ?? 0)
      if (without <= room) continue
      const id = field?.join('.') ?? 'id'
      throw invalidRequest(
        `Expected \`seedRecords.${name}\` to have at most ${room} records without an \`${id}\` of their own, got ${without}: the schema of \`${id}\` allows no more.`,
      )
    }
  }
}

function prepareOne(
  record: JsonObject,
  { defaults, epoch, known }: { defaults: JsonObject; epoch: number; known: WeakMap<JsonObject, JsonObject> },
): JsonObject {
  const dated = withTimes(record, epoch)
  const prepared = { ...defaults, ...(isJsonObject(dated) ? dated : record) }
  if (dated === record) known.set(record, prepared)
  return prepared
}

function held<T>(map: Map<string, T>, name: string, make: () => T): T {
  const known = map.get(name) ?? make()
  map.set(name, known)
  return known
}

/** Number of records without an id. Throws for a duplicate id. */
function countWithoutId(place: string, records: readonly JsonObject[], field: readonly string[]): number {
  const ids = new Set<string>()
  let without = 0
  for (const [at, record] of records.entries()) {
    const value = readField(record, field) ?? null
    const id = typeof value === 'object' ? undefined : keyIn(value)
    if (value === null) without++
    else if (id === undefined) throw wrongId(`${place}[${at}].${field.join('.')}`, 'a text or a number', kindOf(value))
    else if (ids.has(id))
      throw wrongId(`${place}[${at}].${field.join('.')}`, 'unique', `${JSON.stringify(value)} again`)
    else ids.add(id)
  }
  return without
}

function wrongId(field: string, bound: string, got: string): ApiError {
  return invalidRequest(
    `Expected \`${field}\` to be ${bound}, got ${got}. Give the record another id, or none to have one made.`,
  )
}

const kindOf = (value: Json): string => (Array.isArray(value) ? 'an array' : 'an object')
