/** The environment variables that name a proxy, in lower and in upper case. */
type ProxyVariables = Readonly<Record<string, string | undefined>>

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * The proxy for an address by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as curl reads them; never one for this machine.
 * Throws a TypeError where the variable holds no http or https URL.
 */
export function findProxy(address: string, variables: ProxyVariables): string | undefined {
  const { hostname, port, protocol } = new URL(address)
  const read = (name: string) => variables[name.toLowerCase()] || variables[name]
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = read(name)
  if (!proxy || LOOPBACK.test(hostname)) return undefined
  const isExempt = (read('NO_PROXY') ?? '').split(/[\s,]+/).some((entry) => covers(entry, hostname, port))
  if (isExempt) return undefined
  const url = URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw new TypeError(`Expected ${name} to be an http or https URL, got ${JSON.stringify(proxy)}.`)
}

/** `*`, a host, `.domain` or `*.domain` for all below, each with a port or without. */
function covers(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true
  const [, host = '', ofPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  const domain = host.replace(/^\*?\./, '')
  if (domain === '' || (ofPort !== undefined && ofPort !== port)) return false
  return hostname === domain || hostname.endsWith(`.${domain}`)
}
