const TEST_HOST = /^(?:localhost|.+\.(?:localhost|test|example)|127(?:\.\d+){3}|\[::1\])$/
/** Schemes that run or read something in the browser itself. */
const UNSAFE_SCHEME = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|https?|wss?|ftp):$/

/** What is wrong with an address that a client gives for a redirect; undefined for one that can be compared and followed. */
export function faultOfRedirect(address: string): string | undefined {
  if (!URL.canParse(address)) return 'it is no absolute address'
  const { protocol, username, password, hash } = new URL(address)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!isWeb && UNSAFE_SCHEME.test(protocol)) return `a browser acts on \`${protocol}\` itself`
  if (hash !== '' || address.includes('#')) return 'it has a fragment'
  if (username !== '' || password !== '') return 'it has a user name'
  return undefined
}

/** {@link faultOfRedirect} where no client is registered: then only addresses of test machines and of applications may follow. */
export function faultOfOpenRedirect(address: string): string | undefined {
  const fault = faultOfRedirect(address)
  if (fault !== undefined) return fault
  const { protocol, hostname } = new URL(address)
  if (!/^https?:$/.test(protocol) || TEST_HOST.test(hostname.toLowerCase())) return undefined
  return `${hostname} is neither this machine nor below .localhost, .test or .example`
}

/** Whether a browser would run or read something of its own for a link or a redirect to an address. */
export const isUnsafeAddress = (address: string): boolean =>
  URL.canParse(address) && !/^https?:/i.test(address.trim()) && UNSAFE_SCHEME.test(new URL(address).protocol)
