import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'
import { type Context, SquareRequest } from './square.ts'

export type { Context } from './square.ts'

/** Refuses what the request names. */
export const missing = (context: Context, detail: string): never => new SquareRequest(context).gone(detail)

/** Refuses a field. */
export const refuseField = (context: Context, field: string, reason: string, detail: string, status = 400): never =>
  new SquareRequest(context).refuse(reason, detail, field, status)

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
export const pageOf = (context: Context, name: string, list: readonly Fields[]): Fields =>
  new SquareRequest(context).page(name, list, (item) => item)

/** The times of what begins now. */
export const timesOf = ({ now }: Context): Fields => ({ created_at: now.toISOString(), updated_at: now.toISOString() })

/** What a change of a record sets. */
export const nextOf = ({ now }: Context, { version }: Kept): Fields => ({
  ...{ version: Number(version) + 1, updated_at: now.toISOString() },
})
