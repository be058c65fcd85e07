import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'

/** The collections that handlers read. */
type Collection =
  | ('attribute_definitions' | 'attributes' | 'bookings' | 'customers' | 'locations' | 'merchants' | 'orders')
  | ('plain' | 'team_members')

/** What a handler gets. */
export type Context = OperationContext<AnyOperation, Record<Collection, Kept>>

/** Refuses what the request names. */
export function missing({ refuse }: Context, detail: string): never {
  const facts = { detail }
  return refuse(404, { code: 'gone', ...facts })
}

/** Refuses a field. */
export function refuseField({ refuse }: Context, field: string, reason: string, detail: string, status = 400): never {
  const facts = { reason, detail, field }
  return refuse(status, { code: 'fault', ...facts })
}

/** A field of an object of the body that has to be there. */
export function needed(context: Context, within: string, name: string): Json {
  const value = fieldsOf(context.body[within])[name]
  return value == null
    ? refuseField(context, `${within}.${name}`, 'MISSING_REQUIRED_PARAMETER', 'Field must be set')
    : value
}

/** Refuses an object whose version is not the newest. */
export function checkVersion(context: Context, within: string, known: Kept): void {
  const { version } = fieldsOf(context.body[within])
  if (version != null && version !== known.version)
    refuseField(context, `${within}.version`, 'CONFLICT', `The version is ${known.version}, not ${version}.`, 409)
}

/** A page of a list, by its name. */
export function pageOf(context: Context, name: string, list: readonly Fields[]): Fields {
  const { cursor, limit } = context.query
  const from = cursor === undefined ? 0 : Number(Buffer.from(String(cursor), 'base64url').toString())
  if (!Number.isInteger(from)) refuseField(context, 'cursor', 'INVALID_CURSOR', 'The pagination cursor is invalid.')
  const to = from + Number(limit ?? 100)
  const next = to < list.length ? { cursor: Buffer.from(String(to)).toString('base64url') } : {}
  return { [name]: list.slice(from, to), ...next }
}

/** The times of what begins now. */
export const timesOf = ({ now }: Context): Fields => ({ created_at: now.toISOString(), updated_at: now.toISOString() })

/** What a change of a record sets. */
export const nextOf = ({ now }: Context, { version }: Kept): Fields => ({
  ...{ version: Number(version) + 1, updated_at: now.toISOString() },
})
