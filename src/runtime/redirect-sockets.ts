import { Socket } from 'node:net'

/** Marks our function on the prototype, which is no interceptor. */
const MARK = Symbol.for('backlot.redirect')
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|::ffff:127\..+)$/i
/** Ports of http and https. */
const WEB_PORTS = new Set(['80', '443'])

type Connect = typeof Socket.prototype.connect
interface Target {
  host?: string
  port?: number | string
  path?: string
}

/**
 * Redirects connections of this process to `port` on this machine: those to other machines at ports 80 and 443, and
 * those to `proxies`. Every client connects with `net.Socket`, also one with an agent of its own, which neither
 * `http.setGlobalProxyFromEnv` nor a global dispatcher reaches (`decisions/host-names.md`).
 *
 * @param proxies hosts with ports, from the environment
 * @returns ends it
 */
export function redirectSockets(port: number, proxies: ReadonlySet<string>): () => void {
  const before = Socket.prototype.connect as (...args: unknown[]) => Socket
  let isOn = true
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const target = targetOf(args)
    if (!isOn || target === undefined || !isElsewhere(target, proxies)) return before.apply(this, args)
    const to = { ...target, host: '127.0.0.1', port, lookup: undefined }
    const [first] = args
    // Node passes on its own list of arguments, which it recognises by identity.
    if (Array.isArray(first)) first[0] = to
    return before.apply(this, Array.isArray(first) ? args : [to, ...args.filter((one) => typeof one === 'function')])
  }
  Socket.prototype.connect = Object.assign(connect, { [MARK]: true }) as Connect
  return () => {
    isOn = false
    if (Socket.prototype.connect === connect) Socket.prototype.connect = before as Connect
  }
}

/** Whether it is the function of {@link redirectSockets}. */
export const isRedirecting = (connect: object): boolean => MARK in connect

/** The options of a connection; undefined for one without a port. */
function targetOf([first, second]: readonly unknown[]): Target | undefined {
  const given: unknown = Array.isArray(first) ? first[0] : first
  if (typeof given === 'object' && given !== null) return given as Target
  if (Number.isNaN(Number(given))) return undefined
  return { port: given as number, ...(typeof second === 'string' && { host: second }) }
}

function isElsewhere({ host = 'localhost', port, path }: Target, proxies: ReadonlySet<string>): boolean {
  if (path) return false
  if (proxies.has(`${host}:${port}`)) return true
  return WEB_PORTS.has(String(port)) && !LOOPBACK.test(host)
}
