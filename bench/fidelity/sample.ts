import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { writeXml } from '../../src/service/simulated-api/body/xml.ts'

/** Values for the parameters of a request and for its body. */
export interface Sample {
  readonly params: Record<string, string>
  readonly query: [string, string][]
  readonly headers: Record<string, string>
  readonly contentType: string | undefined
  readonly body: Json | undefined
  /** Of the body. */
  readonly schema?: Schema | undefined
}

/** The body in its media type: JSON, or a form with nested brackets. */
export function toBodyText({ contentType, body, schema }: Sample): string {
  if (contentType === undefined || body === undefined) return ''
  if (/\bxml\b/.test(contentType)) return typeof body === 'string' ? body : writeXml(body, schema)
  if (contentType.startsWith('multipart/')) return toMultipart(formPairs('', body))
  if (contentType.includes('urlencoded')) return new URLSearchParams(formPairs('', body)).toString()
  return typeof body === 'string' && !contentType.includes('json') ? body : JSON.stringify(body)
}

/** The sample value for any type. */
export const concrete = (type: string): string => (type.includes('*') ? 'application/json' : type)

const BOUNDARY = 'backlot-fidelity'

export const withBoundary = (type: string): string =>
  type.startsWith('multipart/') ? `${type}; boundary=${BOUNDARY}` : type

function toMultipart(pairs: readonly [string, string][]): string {
  const parts = pairs.map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

function formPairs(prefix: string, value: Json): [string, string][] {
  if (Array.isArray(value))
    return value.flatMap((item, at) => formPairs(typeof item === 'object' ? `${prefix}[${at}]` : `${prefix}[]`, item))
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      formPairs(prefix === '' ? name : `${prefix}[${name}]`, inner),
    )
  }
  return prefix === '' || value === null ? [] : [[prefix, String(value)]]
}
