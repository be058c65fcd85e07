import type { Random } from '../../../runtime/random.ts'
import type { ApiResponse } from '../exchange.ts'
import type { RuleConfig } from './rule-config.ts'

/** Longest body of random bytes. */
const MOST_RANDOM_BYTES = 1_024

/** The answer with a body that no client can read. */
export function breakBody(response: ApiResponse, config: RuleConfig<'malformed'>, random: Random): ApiResponse {
  const bytes =
    typeof response.body === 'string' ? new TextEncoder().encode(response.body) : (response.body ?? new Uint8Array())
  switch (config.mode) {
    case 'json':
      return { ...response, body: `${typeof response.body === 'string' ? response.body.slice(0, -1) : ''}\u0000` }
    case 'truncate':
      return { ...response, body: bytes.slice(0, Math.floor(bytes.length * config.keepFraction)) }
    case 'randomBytes': {
      const length = Math.min(Math.max(bytes.length, 16), MOST_RANDOM_BYTES)
      return { ...response, body: Uint8Array.from({ length }, () => random.integer(0, 255)) }
    }
    case 'invalidHttp':
      return { ...response, fault: { kind: 'raw', bytes: new TextEncoder().encode('HTTP/9.9 OK\r\n\u0000broken\r\n') } }
  }
}
