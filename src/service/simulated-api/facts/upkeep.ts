import { foldName } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import { allNames } from './intake.ts'

/** Fields of a collection's records that the server keeps right, as its operations show. */
export interface Upkeep {
  /** The time of a soft deletion, where an operation restores records. */
  readonly deletedAt: string | undefined
  /** The version that a change must name, where an operation refuses a stale one. */
  readonly version: string | undefined
  /** Fields by which an operation reads one record: `/products/by-sku/{sku}`. */
  readonly keys: ReadonlySet<string>
}

/** Actions that bring a deleted record back. */
export const RESTORES = /^(restore|undelete|recover|reinstate)/i
const VERSION = /^((row|lock|record|resource|entity)?version|revision|etag|versionlock|concurrency(stamp|token))$/

export function findUpkeep({ name, schema }: CollectionModel, operations: readonly Operation[]): Upkeep {
  const own = operations.filter(({ effect }) => 'collection' in effect && effect.collection === name)
  const names = allNames(schema)
  const isRestored = own.some(({ effect }) => effect.kind === 'action' && RESTORES.test(effect.verb))
  const deletedAt = [...names].find(
    ([field, one]) => /^deleted(at|on|date|time)$/.test(foldName(field)) && fits(one, null),
  )
  const version = own.flatMap((operation) => versionIn(operation, names))[0]
  const keys = own.flatMap(({ effect }) =>
    effect.kind === 'read' && effect.keys.length === 1 ? effect.keys.flatMap(({ field }) => field ?? []) : [],
  )
  return { deletedAt: isRestored ? deletedAt?.[0] : undefined, version, keys: new Set(keys) }
}

/** The version that a change sends, where it declares to refuse a stale one. */
function versionIn({ effect, requestBody, responses }: Operation, names: ReadonlyMap<string, Schema>): string[] {
  const isChange = effect.kind === 'update' || effect.kind === 'replace'
  if (!isChange || !(responses.has('409') || responses.has('412'))) return []
  const sent = allNames(effect.body?.schema ?? [...(requestBody?.content.values() ?? [])][0])
  return [...names.keys()].filter((field) => VERSION.test(foldName(field)) && sent.has(field))
}

/** The version after a change: the next number, or another text of the same form. */
export function nextVersion(stored: Json | undefined): Json | undefined {
  if (typeof stored === 'number') return stored + 1
  if (typeof stored !== 'string' || stored === '') return undefined
  if (/^\d+$/.test(stored)) return String(Number(stored) + 1)
  return stored.replace(/[a-z0-9]/gi, (letter) => {
    const [from, to] = /\d/.test(letter) ? ['9', '0'] : letter < 'a' ? ['Z', 'A'] : ['z', 'a']
    return letter === from ? to : String.fromCharCode(letter.charCodeAt(0) + 1)
  })
}

/** A field of the records that counts those of another collection: `appointments_count`. */
export function counterOf({ name, singular, parent }: CollectionModel, owner: CollectionModel): string | undefined {
  const prefix = parent?.collection === owner.name ? foldName(owner.singular) : ''
  const nouns = [name, singular].map(foldName).flatMap((noun) => [noun, noun.replace(prefix, '')])
  const wanted = new Set(nouns.flatMap((noun) => [`${noun}count`, `num${noun}`, `numberof${noun}`, `total${noun}`]))
  return [...allNames(owner.schema)].find(
    ([field, { types }]) => /integer|number/.test(types[0] ?? '') && wanted.has(foldName(field)),
  )?.[0]
}
