import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Json | undefined
}

/** While this process was measuring, the service may have closed an idle connection: then once more. */
export function request(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => fetch(url, init))
}

/** A body as JSON; as text where it is none, and undefined where it is empty. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text === '' ? undefined : text
  }
}

/** A value in a miss, cut to a line. */
export const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

/** A body without the fields that say when a record was last changed. */
export function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(updated|modified|changed|lastupdate|lastmodif|etag|version|revision)/.test(foldName(name)))
      .map(([name, inner]) => [name, withoutTimes(inner)]),
  )
}
