import { isIP, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type OnOpen, openSocket } from '../../runtime/open-socket.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { isSameAddress } from './address.ts'
import type { ReachableAddresses } from './reachable-addresses.ts'
import { GuardError, refused, type VettedAddress, vetTarget, type WebhookTarget } from './webhook-target.ts'

/** Opens a connection to an allowed address, with TLS where required. Returns the socket at once, so that it can be destroyed. */
export type Dial = (to: VettedAddress & { target: WebhookTarget }, callback: OnOpen) => Socket | undefined

/** Options of webhook connections. */
export interface Outgoing {
  readonly runtime: Runtime
  readonly reachable: ReachableAddresses
  /** Opens connections that the address guard has allowed. @default {@link createDial} */
  readonly dial?: Dial | undefined
}

/** Dials with verified TLS in any environment, HTTP/1.1, no session of another target. */
export function createDial(): Dial {
  const contexts = new Map<string | undefined, SecureContext>()
  const contextFor = (ca: string | undefined) => {
    const known = contexts.get(ca)
    if (known) return known
    // TLS loads with the first delivery.
    const { createSecureContext } = process.getBuiltinModule('node:tls')
    const context = createSecureContext(ca === undefined ? {} : { ca })
    contexts.set(ca, context)
    return context
  }
  return ({ address, ca, target: { host, port, isSecure } }, callback) => {
    const name = isIP(host) ? {} : { servername: host.replace(/\.$/, '') }
    const secure = isSecure
      ? { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'], secureContext: contextFor(ca), ...name }
      : undefined
    return openSocket({ host: address, port, secure }, callback)
  }
}

/** A client's connector: the guard, then the allowed addresses in turn until one answers. */
export class GuardedConnect {
  readonly #target: WebhookTarget
  readonly #options: Outgoing
  readonly #dial: Dial
  #dialling: Socket | undefined
  #isCancelled = false
  /** The latest dialled address; null before the first. */
  address: string | null = null

  constructor(target: WebhookTarget, options: Outgoing, dial: Dial) {
    this.#target = target
    this.#options = options
    this.#dial = dial
  }

  /** Calls back once, with a connected socket or with the error. */
  connect(callback: OnOpen): void {
    this.#open().then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }

  /** Stops dialling: a later DNS answer is ignored. */
  cancel(): void {
    this.#isCancelled = true
    this.#dialling?.destroy()
  }

  async #open(): Promise<Socket> {
    const { runtime, reachable } = this.#options
    const vetted = await vetTarget(this.#target, runtime, reachable)
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

  #dialOne(candidate: VettedAddress): Promise<Socket> {
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
