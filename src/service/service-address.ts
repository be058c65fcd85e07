import { invalidRequest } from '../protocol/errors.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { ServiceOptions } from './service-options.ts'

/** The default address of a service. */
export const DEFAULT_HOST = '127.0.0.1'

/** An address for clients on this machine, in the form of a URL. */
export function shownHost(host = DEFAULT_HOST): string {
  if (host === '0.0.0.0' || host === '::') return DEFAULT_HOST
  return host.includes(':') ? `[${host}]` : host
}

/** Labels of letters, digits and inner hyphens (RFC 1123, 2.1); the last one must not be a number, as in an address. */
const HOST_NAME = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i

/** An origin in the form of browsers. Throws `invalid_request`. */
export function checkOrigin(text: string, index: number): string {
  if (URL.parse(text)?.origin === text.toLowerCase()) return text.toLowerCase()
  throw invalidRequest(
    `Expected \`corsOrigins[${index}]\` to be an origin such as "https://app.test:8443", got ${JSON.stringify(text.slice(0, 100))}.`,
  )
}

/** The domain of simulations. Throws `invalid_request`. */
export function domainOf({ domain, addresses }: ServiceOptions): string | undefined {
  if (domain === undefined) return undefined
  if (addresses !== 'path')
    throw invalidRequest('Expected `addresses` to be `path` where `domain` is given, got `port`.')
  if (domain.length <= 253 - LIMITS.slugCharacters - 1 && HOST_NAME.test(domain)) return domain.toLowerCase()
  throw invalidRequest(
    `Expected \`domain\` to be a host name without scheme, port or path, such as "api.test", got ${JSON.stringify(domain.slice(0, 100))}.`,
  )
}
