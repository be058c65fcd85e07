import { isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Runtime } from '../../runtime/runtime.ts'
import { isPublicAddress, isSameAddress } from './address.ts'
import { isInternalName, type Target } from './safe-url.ts'
import type { SinkExemptions } from './sink-exemptions.ts'

/** An address that the guard has let through, and the authority to trust there when it is a sink of this run. */
export interface VettedAddress {
  address: string
  ca: string | undefined
}

/** Opens a TLS connection to a vetted address. The socket is given at once, so that it can be destroyed. */
export type Dial = (
  to: VettedAddress & { target: Target },
  callback: (error: Error | null, socket: TLSSocket | null) => void,
) => Socket

/** A connection that the address guard refused. Nothing was dialled. */
export class GuardError extends Error {
  override readonly name = 'GuardError'
}

/**
 * The addresses that may be dialled for a target, judged now. Throws a {@link GuardError} when any of them is not public,
 * so a name whose records changed since the registration is caught.
 */
export async function vetTarget(
  target: Target,
  runtime: Runtime,
  exemptions: SinkExemptions,
): Promise<VettedAddress[]> {
  const sink = exemptions.find(target.host, target.port)
  if (sink) return [{ address: target.host, ca: await (typeof sink.ca === 'function' ? sink.ca() : sink.ca) }]
  if (!isIP(target.host) && isInternalName(target.host)) throw refused(target.host)
  const addresses = isIP(target.host) ? [target.host] : await runtime.resolve(target.host)
  if (addresses.length === 0) throw new GuardError(`connection error: ${target.host} has no address`)
  const forbidden = addresses.find((address) => !isPublicAddress(address))
  if (forbidden !== undefined) throw refused(forbidden)
  return addresses.map((address) => ({ address, ca: undefined }))
}

/** Dials with undici's connector: verified TLS whatever the environment says, HTTP/1.1, no session of another target. */
export function createDial(build: typeof buildConnector): Dial {
  const contexts = new Map<string | undefined, SecureContext>()
  const contextFor = (ca: string | undefined) => {
    const known = contexts.get(ca)
    if (known) return known
    const context = createSecureContext(ca === undefined ? {} : { ca })
    contexts.set(ca, context)
    return context
  }
  return ({ address, ca, target }, callback) => {
    const connect = build({
      rejectUnauthorized: true,
      allowH2: false,
      maxCachedSessions: 0,
      timeout: 0,
      secureContext: contextFor(ca),
    })
    const name = isIP(target.host) ? {} : { servername: target.host.replace(/\.$/, '') }
    const options = { protocol: 'https:', host: target.host, hostname: address, port: String(target.port), ...name }
    return connect(options, (error, socket) => callback(error, socket as TLSSocket | null)) as unknown as Socket
  }
}

/** What one client needs to connect: the guard, then the vetted addresses in turn until one answers. */
export class GuardedConnect {
  readonly #target: Target
  readonly #runtime: Runtime
  readonly #exemptions: SinkExemptions
  readonly #dial: Dial
  #dialling: Socket | undefined
  #isCancelled = false
  /** The address of the latest connection that was dialled; null before the first. */
  address: string | null = null

  constructor(options: { target: Target; runtime: Runtime; exemptions: SinkExemptions; dial: Dial }) {
    this.#target = options.target
    this.#runtime = options.runtime
    this.#exemptions = options.exemptions
    this.#dial = options.dial
  }

  /** Calls back once, with a connected socket or with the reason why there is none. */
  connect(callback: (error: Error | null, socket: TLSSocket | null) => void): void {
    this.#open().then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }

  /** Stops dialling: a DNS answer that comes later is not used. */
  cancel(): void {
    this.#isCancelled = true
    this.#dialling?.destroy()
  }

  async #open(): Promise<TLSSocket> {
    const vetted = await vetTarget(this.#target, this.#runtime, this.#exemptions)
    let failure: unknown
    for (const candidate of vetted) {
      if (this.#isCancelled) break
      try {
        return await this.#dialOne(candidate)
      } catch (error) {
        failure = error
      }
    }
    throw failure ?? new GuardError('connection error: cancelled')
  }

  #dialOne(candidate: VettedAddress): Promise<TLSSocket> {
    this.address = candidate.address
    return new Promise((resolve, reject) => {
      this.#dialling = this.#dial({ ...candidate, target: this.#target }, (error, socket) => {
        this.#dialling = undefined
        if (error || !socket) return reject(error ?? new GuardError('connection error: no socket'))
        if (!isSameAddress(socket.remoteAddress ?? '', candidate.address)) {
          socket.destroy()
          return reject(refused(socket.remoteAddress ?? 'an unknown address'))
        }
        resolve(socket)
      })
    })
  }
}

function refused(address: string): GuardError {
  return new GuardError(`connection error: refused by the address guard, ${address} is not public`)
}
