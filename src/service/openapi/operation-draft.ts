import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { isJsonType, isWithin, toEssence } from '../../protocol/media-type.ts'
import type { SignInStep } from '../../protocol/sign-in.ts'
import type { Operation } from './model.ts'

/** An operation before its effect on the data is known. */
export type OperationDraft = Omit<Operation, 'effect' | 'reason'> & {
  /** Whether the description has its `operationId`. */
  readonly named: boolean
  readonly description: string | undefined
  /** Whether its words say that a list begins with the oldest record. */
  readonly oldestFirst: boolean
  /** JSON pointer of the operation in the description. */
  readonly pointer: string
  /** Its `x-backlot`. */
  readonly line?: Json
  readonly step?: SignInStep
}

/** An operation of the model, without what only inference reads. */
export function toOperation<Found>(
  {
    named: _,
    pointer: __,
    description: ___,
    line: ____,
    oldestFirst: _____,
    step: ______,
    ...operation
  }: OperationDraft,
  found: Found,
): Omit<Operation, 'effect' | 'reason'> & Found {
  return { ...operation, ...found }
}

/** The status of the answer: `default` is 200, `2XX` is 200. */
export function toStatus(written: string): number {
  const status = Number(written.replaceAll(/x/gi, '0'))
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : 200
}

/** `application/json` of `application/json; charset=utf-8`; undefined for text that is not a media type. */
export function mediaTypeOf(written: string): string | undefined {
  const name = toEssence(written)
  return name.includes('/') ? name : undefined
}

/** Whether a media type or range includes JSON: `application/vnd.api+json`, `application/*`. */
export function holdsJson(type: string): boolean {
  return isJsonType(type) || isWithin('application/json', type)
}

/** The entries of `value` that are objects; none where `value` is not an object. */
export function objectEntries(value: unknown): [string, JsonObject][] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
}

/** `value`, if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
