import { type Count, countsOf } from '../../../names/counts.ts'
import { foldName } from '../../../names/words.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
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
  /** Fields that clients send. */
  readonly sent: ReadonlySet<string>
}

/** Actions that bring a deleted record back. */
export const RESTORES = /^(restore|undelete|recover|reinstate)/i
/** Keeps the time of a soft deletion of records that show none. */
export const HIDDEN_DELETED_AT = '$deletedAt'
/** Versions of records; `version` alone may be that of a release. */
const LOCK = /^((row|lock|record|resource|entity)version|versionlock|version)$/

export function findUpkeep({ name, schema }: CollectionModel, operations: readonly Operation[]): Upkeep {
  const own = operations.filter(({ effect }) => 'collection' in effect && effect.collection === name)
  const names = allNames(schema)
  const restoring = own.flatMap(({ effect }) =>
    effect.kind === 'action' && RESTORES.test(effect.verb) ? effect.verb : [],
  )
  const deletedAt = [...names].find(
    ([field, one]) =>
      /^deleted(at|on|date|time)$/.test(foldName(field)) && (fits(one, null) || !schema?.required.has(field)),
  )
  const keys = own.flatMap(({ effect }) =>
    effect.kind === 'read' && effect.keys.length === 1 ? effect.keys.flatMap(({ field }) => field ?? []) : [],
  )
  const bodies = own.map((operation) => ({ operation, body: bodyOf(operation) }))
  const sent = bodies.flatMap(({ body }) => [...allNames(body)])
  return {
    // Family Care, Riviera and Medicine Warehouse show no time of deletion, and restore.
    deletedAt:
      restoring.length > 0
        ? (deletedAt?.[0] ?? (restoring.includes('restore') ? HIDDEN_DELETED_AT : undefined))
        : undefined,
    version: [...names.keys()].find((field) => LOCK.test(foldName(field)) && isLock(field, bodies)),
    keys: new Set(keys),
    sent: new Set(sent.flatMap(([field, { readOnly }]) => (readOnly ? [] : field))),
  }
}

interface Sent {
  readonly operation: Operation
  readonly body: Schema | undefined
}

/** The schema of the record that an operation is sent. */
export const bodyOf = ({ effect, requestBody }: Operation): Schema | undefined =>
  ('body' in effect ? effect.body?.schema : undefined) ?? [...(requestBody?.content.values() ?? [])][0]

/** Whether a change sends the number and declares to refuse a stale one. Clients do not choose it in a new record. */
function isLock(name: string, bodies: readonly Sent[]): boolean {
  const isAlone = foldName(name) === 'version'
  if (
    isAlone &&
    bodies.some(({ operation, body }) => /create/i.test(operation.effect.kind) && allNames(body).has(name))
  )
    return false
  return bodies.some(({ operation: { effect, responses }, body }) => {
    const field = allNames(body).get(name)
    const isChange = effect.kind === 'update' || effect.kind === 'replace'
    const isMeant = isChange && (responses.has('409') || responses.has('412')) && field?.types[0] === 'integer'
    return isMeant && (!isAlone || body?.required.has(name) === true)
  })
}

/** A field of the records that others belong to, which counts those: `appointments_count` of a patient. */
export interface Counter extends Count {
  /** Names the record that counts; undefined for the one in the path. */
  readonly field: FieldPath | undefined
  readonly collection: string
}

/** What counts the records of a collection. */
export function findCounters(
  model: CollectionModel,
  collectionOf: (name: string) => { readonly model: CollectionModel; readonly upkeep: Upkeep },
): readonly Counter[] {
  const { parent, relations } = model
  const above = parent && !parent.field && { field: undefined, collection: parent.collection, many: false }
  return [...(above ? [above] : []), ...relations].flatMap(({ field, collection, many }): Counter[] => {
    // Of `user` and `in_reply_to_user`, the first names what a record belongs to.
    const isOwner =
      field === undefined ||
      relations.every((one) => one.collection !== collection || `${one.field}`.length >= `${field}`.length)
    const owner = collectionOf(collection)
    const counts = isOwner && !many ? countsOf(model, owner.model) : []
    // What clients send is theirs: the `guest_count` of a reservation.
    return counts.flatMap((one) => (owner.upkeep.sent.has(one.counter) ? [] : [{ field, collection, ...one }]))
  })
}
