import { type ApiError, invalidRequest } from '../../protocol/errors.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { readField } from '../../protocol/json-fields.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { keyIn } from '../world/field.ts'

/** Throws `invalid_request` for given records that cannot all be told apart by their ids. */
export function checkSeedRecords(
  seedRecords: Readonly<Record<string, readonly JsonObject[]>>,
  model: ApiModel,
  { tables }: Dataset,
): void {
  for (const [name, records] of Object.entries(seedRecords)) {
    const field = model.collections.find((collection) => collection.name === name)?.id.field
    const without = field === undefined ? records.length : countWithoutId(`seedRecords.${name}`, records, field)
    const room = without === 0 ? 0 : (tables.get(name)?.room ?? 0)
    if (without <= room) continue
    const id = field?.join('.') ?? 'id'
    throw invalidRequest(
      `Expected \`seedRecords.${name}\` to have at most ${room} records without an \`${id}\` of their own, got ${without}: the schema of \`${id}\` allows no more.`,
    )
  }
}

/** How many of the records bring no id. Throws when two bring the same. */
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
