import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Operation, ResponseModel } from './model.ts'

/** An operation before it is known what it does to the data. */
export type OperationDraft = Omit<Operation, 'effect'> & {
  /** Whether the description gives it an id of its own. */
  readonly named: boolean
  /** JSON pointer of the operation in the description. */
  readonly pointer: string
}

/** The answer to a request that succeeds: the first 2xx with a schema, else the first 2xx, else `default`, else any 3xx. */
export function successOf(responses: ReadonlyMap<string, ResponseModel>): ResponseModel {
  const good = [...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response)
  const described = good.find((response) => [...response.content.values()].some((media) => media.schema))
  const redirect = [...responses].find(([status]) => status.startsWith('3'))?.[1]
  return described ?? good[0] ?? responses.get('default') ?? redirect ?? NOTHING_DECLARED
}

const NOTHING_DECLARED: ResponseModel = { status: 200, content: new Map(), headers: new Map() }

/** The status to answer with: `default` is 200, `2XX` is 200. */
export function toStatus(written: string): number {
  const status = Number(written.replaceAll(/x/gi, '0'))
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : 200
}

/** `application/json` of `application/json; charset=utf-8`; undefined for what names no media type. */
export function mediaTypeOf(written: string): string | undefined {
  const name = (written.split(';', 1)[0] ?? '').trim().toLowerCase()
  return name.includes('/') ? name : undefined
}

/** The entries of an object whose values are objects; nothing where `value` is no object. */
export function objectEntries(value: unknown): [string, JsonObject][] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
}

/** `value` when it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
