import type { Json } from '../../src/protocol/json.ts'

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
