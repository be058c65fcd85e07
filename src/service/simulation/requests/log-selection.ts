import { invalidRequest, notFound } from '../../../protocol/errors.ts'
import { grouped } from '../../../protocol/grouped.ts'
import { LIMITS } from '../../../protocol/limits.ts'

/** The selected requests of the log. */
export interface LogSelection {
  readonly limit: number
  /** Only events before the one with this id. */
  readonly before?: string | undefined
  /** Only requests after the one with this id. */
  readonly after?: string | undefined
  readonly status?: number | undefined
  readonly operation?: string | undefined
  readonly path?: ((path: string) => boolean) | undefined
}

const PREFIX = 'req_'
const ID = /^req_\d{1,16}$/

/** The id of the request with this number. */
export const idOfNumber = (number: number): string => `${PREFIX}${number}`

/** The number in a request's id; undefined for another text. */
export function numberOfId(id: string): number | undefined {
  return ID.test(id) ? Number(id.slice(PREFIX.length)) : undefined
}

/** The number of a bound. Throws `invalid_request` for an invalid request id. @param without without a bound */
export function numberOf(id: string | undefined, field: 'before' | 'after', without: number): number {
  const number = id === undefined ? without : numberOfId(id)
  if (number !== undefined) return number
  throw invalidRequest(
    `Expected \`${field}\` to be the id of a request in the log, such as ${PREFIX}17, got ${JSON.stringify(id)}.`,
  )
}

export function noRequest(id: string): Error {
  return notFound(
    `No request "${id.slice(0, 100)}" among the latest ${grouped(LIMITS.logsPage.max)} of this simulation.`,
  )
}
